import { describeFault } from './guard.js';
import type { FaultLog } from './guard.js';
import type { RosServiceResponse } from './rosTypes.js';
import { refuse } from '../protocol/index.js';
import type { RefusalKind } from '../protocol/index.js';

/**
 * The one way in which a service answers. A handler that throws would abort the process, one that rejects,
 * returns nothing or a wrongly typed field would send nothing at all and leave its caller waiting. Here every
 * call ends in exactly one full response; a fault becomes a refusal of kind `internal_error` whose details are
 * only in the log.
 */

/** What all our answers begin with. */
export interface AnswerHead {
  readonly success: boolean;
  readonly kind: string;
  readonly message: string;
}

export type ServiceHandler<Request> = (request: Request) => object | Promise<object>;

/** Fields may be missing only in `std_srvs` answers, which have no kind. */
export type RefusalForm = (kind: RefusalKind, sentence: string) => object;

export interface AnswerOptions<Request> {
  readonly name: string;
  readonly faults: FaultLog;
  readonly handler: ServiceHandler<Request>;
  readonly refusal?: RefusalForm;
}

/** The callback to give to `createService`; it returns nothing and neither throws nor rejects. */
export function answerWith<Request>(
  options: AnswerOptions<Request>,
): (request: Request, response: RosServiceResponse) => void {
  const { name, faults, handler, refusal = refusalHead } = options;
  const where = `service ${name}`;
  return (request, response) => {
    void answerOnce();

    async function answerOnce(): Promise<void> {
      try {
        const answer = await handler(request);
        response.send(answer);
      } catch (error) {
        faults.add(where, error);
        refuseOnce();
      }
    }

    function refuseOnce(): void {
      try {
        response.send(refusal('internal_error', 'the request could not be served; see the log of the node'));
      } catch (error) {
        // Nothing more can be sent, for instance because the node is being destroyed.
        faults.add(`${where} (refusal)`, describeFault(error));
      }
    }
  };
}

/** The head of a refused answer; the other fields take their defaults. */
export function refusalHead(kind: RefusalKind, sentence: string): AnswerHead {
  const { reason } = refuse(kind, sentence);
  return { success: false, kind, message: reason };
}

/** For `std_srvs/Trigger`, which has no kind: the kind leads the sentence. */
export function triggerRefusal(kind: RefusalKind, sentence: string): object {
  return { success: false, message: refuse(kind, `${kind}: ${sentence}`).reason };
}
