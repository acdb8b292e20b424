/** What a fault rule sees of a request. */
export interface FaultRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly verb: string;
  readonly group: string;
  /** Plural, "" for paths that are no resource. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly userAgent: string;
}

/**
 * A fault: answer with `status` without doing anything (`retryAfter` in seconds becomes a Retry-After header); do the work but
 * lose the answer; close the connection without doing anything.
 */
export type Fault = { readonly status: number; readonly retryAfter?: number } | "drop-answer" | "close";

/** Called for every request, watches included; undefined lets the request through. */
export type FaultRule = (request: FaultRequest) => Fault | undefined;
