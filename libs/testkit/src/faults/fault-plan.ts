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
  /** The API server does the work, and another body arrives than the one that it has answered. */
  | { readonly type: "rewrite"; readonly rewrite: (body: string) => string }
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
/** Heartbeats, Kubernetes events, and questions about rights are no part of a job: nothing depends on them. */
const uncounted = /^\/apis\/(coordination|events|authentication|authorization)\.k8s\.io\/|\/events(\?|\/|$)/;

/** True for the writes that a job consists of. */
export function isJobWrite(method: string, path: string): boolean {
  return writeMethods.has(method) && !uncounted.test(path) && !/[?&]dryRun=All(&|$)/.test(path);
}

/** Lets the process die at its `n`th write: `run` must end the process before it resolves. */
export function strikeAtWrite(n: number, answered: boolean, run: () => Promise<void>): FaultPlan {
  return ({ write }) => (write === n ? { type: "strike", answered, run } : { type: "pass" });
}

/** The statuses that answer for the API server, and to which requests. */
export interface Answers {
  readonly statuses: readonly number[];
  readonly matches: (request: SeenRequest) => boolean;
}

function answer(status: number): Fault {
  return status === 429 ? { type: "answer", status, retryAfterSeconds: 1 } : { type: "answer", status };
}

/** Answers every `every`th request that matches with the statuses in turn, e.g. 409, 429, 500. */
export function answerInTurn({ statuses, matches }: Answers, every: number): FaultPlan {
  let seen = 0;
  return (request) => {
    if (!matches(request)) return { type: "pass" };
    seen += 1;
    const status = seen % every === 0 ? statuses[(seen / every - 1) % statuses.length] : undefined;
    return status === undefined ? { type: "pass" } : answer(status);
  };
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Answers a share of the matching requests. A fixed rhythm could meet the same step of every attempt; chance cannot.
 */
export function answerByChance({ statuses, matches }: Answers, share: number, random: () => number): FaultPlan {
  return (request) => {
    if (!matches(request) || random() >= share) return { type: "pass" };
    const status = statuses[Math.floor(random() * statuses.length)];
    return status === undefined ? { type: "pass" } : answer(status);
  };
}
