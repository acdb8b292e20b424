/** One request of a parity case: what the real server answered is recorded in testdata, and ours must answer the same. */
export interface Exchange {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Repeats the request until the answer's body is so: for what a controller does. */
  readonly until?: (body: unknown) => boolean;
}

/** A named list of exchanges that run in order in a namespace of their own. */
export interface ParityCase {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
  /** Why the managed fields of its answers are not compared; undefined when they are. */
  readonly untracked?: string;
  /** Masks more of the bodies than what differs from run to run of every case. */
  readonly mask?: (body: unknown) => unknown;
}

export interface Recorded {
  readonly request: string;
  readonly code: number;
  readonly body: unknown;
  readonly warnings?: readonly string[];
}

const mergePatch = "application/merge-patch+json";

export function get(path: string, until?: Exchange["until"]): Exchange {
  return { method: "GET", path, ...(until === undefined ? {} : { until }) };
}

export function post(path: string, body: unknown): Exchange {
  return { method: "POST", path, body };
}

export function put(path: string, body: unknown): Exchange {
  return { method: "PUT", path, body };
}

export function patch(path: string, body: unknown, contentType: string = mergePatch): Exchange {
  return { method: "PATCH", path, body, contentType };
}

/** A server-side apply; `by` is the manager, and what else the query has: "two&force=true". */
export function apply(path: string, by: string, body: unknown): Exchange {
  const mark = path.includes("?") ? "&" : "?";
  return {
    method: "PATCH",
    path: `${path}${mark}fieldManager=${by}`,
    body,
    contentType: "application/apply-patch+yaml",
  };
}

/** The exchange with a user agent of its own, whose first word names the manager of the fields. */
export function as(userAgent: string, exchange: Exchange): Exchange {
  return { ...exchange, headers: { "User-Agent": userAgent } };
}

export function remove(path: string, body?: unknown): Exchange {
  return { method: "DELETE", path, ...(body === undefined ? {} : { body }) };
}
