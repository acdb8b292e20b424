/** One request of a parity case: what the real server answered is recorded in testdata, and ours must answer the same. */
export interface Exchange {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** Repeats the request until the answer's body is so: for what a controller does. */
  readonly until?: (body: unknown) => boolean;
}

/** A named list of exchanges that run in order in a namespace of their own. */
export interface ParityCase {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
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

export function remove(path: string, body?: unknown): Exchange {
  return { method: "DELETE", path, ...(body === undefined ? {} : { body }) };
}
