import type { CdrEncoder } from './cdrEncoder.js';
import { cdrEncoder } from './cdrEncoder.js';
import { rcl } from './rcl.js';
import type { RosServiceClass } from './rosTypes.js';

/**
 * The class of a service whose answers do not go through the client library's conversion, which builds an object
 * for each string and number: some 0.1 ms for each thing in a Brief, on the event loop. Instead the answer is
 * written as CDR and the middleware's own reader fills the one piece of memory that is sent from. It is filled anew
 * for each answer and released by that reader, so the memory of a service is that of its largest answer.
 * Only what the library asks of any message class is used: `type`, a constructor and `serialize`.
 */
export function withDirectAnswers(type: string): RosServiceClass {
  const service = rcl.require(type);
  const { Request, Response } = service;
  const encode: CdrEncoder = cdrEncoder(Response.ROSMessageDef, (name) => rcl.require(name).ROSMessageDef);
  const message = new Response();
  const memory = message.toRawROS();

  /** What the reader fills: not `message` itself, whose strings would be reset by being asked for its memory again. */
  class Target {
    /** The memory is the message's, so it lives as long. */
    readonly owner = message;
    static readonly type = (): object => Response.type();
    toRawROS(): Buffer {
      return memory;
    }
  }

  class DirectResponse {
    constructor(private readonly answer: object) {}

    serialize(): Buffer {
      // A refusal is only its head; the other fields take their zeros.
      const isComplete = (this.answer as { readonly success?: unknown } | undefined)?.success === true;
      rcl.deserializeMessage(encode(this.answer, isComplete), Target);
      return memory;
    }
  }

  return class {
    static readonly Request = Request;
    static readonly Response = DirectResponse;
    static readonly type = (): object => service.type();
  };
}
