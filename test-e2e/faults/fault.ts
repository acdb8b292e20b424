/** A request as the proxy sees it. */
export interface SeenRequest {
  readonly method: string;
  /** With query. */
  readonly path: string;
  /** Number of this write among the counted writes, from 1; 0 for anything that is not one. */
  readonly write: number;
}

/** What happens to one request. */
export type Fault =
  | { readonly type: "pass" }
  /** The proxy answers by itself; the API server never sees the request. */
  | { readonly type: "answer"; readonly status: number; readonly retryAfterSeconds?: number }
  /** The connection breaks before the request reaches the API server. */
  | { readonly type: "refuse" }
  /** The API server does the work, the answer never arrives. */
  | { readonly type: "lose-answer" }
  /** `onWrite` runs when the API server has done the work; the answer arrives (`answered`) or not. */
  | { readonly type: "strike"; readonly answered: boolean; readonly run: () => Promise<void> };

/** Decides what happens to each request; must be quick. */
export type FaultPlan = (request: SeenRequest) => Fault;

export const noFaults: FaultPlan = () => ({ type: "pass" });

const writeMethods = new Set(["POST", "PUT", "PATCH", "DELETE"]);
/** Heartbeats and Kubernetes events are no part of a job: nothing depends on them. */
const uncounted = /^\/apis\/(coordination|events)\.k8s\.io\/|\/events(\?|\/|$)|^\/apis\/authentication\.k8s\.io\//;

/** True for the writes that a job consists of. */
export function isJobWrite(method: string, path: string): boolean {
  return writeMethods.has(method) && !uncounted.test(path) && !/[?&]dryRun=All(&|$)/.test(path);
}

/** Lets the process die at its `n`th write: `run` must end the process before it resolves. */
export function strikeAtWrite(n: number, answered: boolean, run: () => Promise<void>): FaultPlan {
  return ({ write }) => (write === n ? { type: "strike", answered, run } : { type: "pass" });
}

/** Answers every `every`th request that `matches` with the statuses in turn, e.g. 409, 429, 500. */
export function answerInTurn(
  statuses: readonly number[],
  every: number,
  matches: (request: SeenRequest) => boolean,
): FaultPlan {
  let seen = 0;
  return (request) => {
    if (!matches(request)) return { type: "pass" };
    seen += 1;
    const status = seen % every === 0 ? statuses[(seen / every - 1) % statuses.length] : undefined;
    if (status === undefined) return { type: "pass" };
    return status === 429 ? { type: "answer", status, retryAfterSeconds: 1 } : { type: "answer", status };
  };
}
