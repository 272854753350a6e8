import { cdrDecoder } from './cdrDecoder.js';
import type { CdrDecoder } from './cdrDecoder.js';
import { cdrEncoder } from './cdrEncoder.js';
import type { MessageDefinition } from './cdrEncoder.js';
import { rcl } from './rcl.js';
import type { RosServiceClass } from './rosTypes.js';

/**
 * The class of a service whose answers are read without the client library's conversion, which builds several
 * objects for each string and number of an answer: for a Brief of 70 things some 15 ms on the event loop of whoever
 * asks. The one piece of memory that the middleware fills is written as CDR by the middleware itself, and that is
 * read. Only what the library asks of any message class is used: a constructor, `toRawROS`, `destroyRawROS`,
 * `refObject`, `deserialize`, `toPlainObject` and `type`.
 */
export function withDirectReading(type: string): RosServiceClass {
  const service = rcl.require(type);
  const { Request, Response } = service;
  const decode = cdrDecoder(Response.ROSMessageDef, findDefinition);
  const empty = cdrEncoder(Response.ROSMessageDef, findDefinition)({}, false);
  const message = new Response();
  const memory = message.toRawROS();

  /** The memory as a message to write and to fill. */
  class Filled {
    /** The memory is the message's, so it lives as long. */
    readonly owner = message;
    static readonly type = (): object => Response.type();
    toRawROS(): Buffer {
      return memory;
    }
    serialize(): Buffer {
      return memory;
    }
  }
  const filled = new Filled();

  class DirectResponse {
    readonly refObject = undefined;
    #answer: object = {};
    static readonly type = (): object => Response.type();
    /** Gives back what the lists and strings of the answer took. */
    static destroyRawROS(): void {
      rcl.deserializeMessage(empty, Filled);
    }
    toRawROS(): Buffer {
      return memory;
    }
    deserialize(): void {
      this.#answer = decode(rcl.serializeMessage(filled, Filled));
    }
    toPlainObject(): object {
      return this.#answer;
    }
  }

  return class {
    static readonly Request = Request;
    static readonly Response = DirectResponse;
    static readonly type = (): object => service.type();
  };
}

/** Reads messages of a type as they come over the wire: what a raw subscription delivers. */
export function messageDecoder(type: string): CdrDecoder {
  return cdrDecoder(findDefinition(type), findDefinition);
}

function findDefinition(name: string): MessageDefinition {
  return rcl.require(name).ROSMessageDef;
}
