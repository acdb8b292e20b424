import type { Status } from "../status/status-error.ts";

/** A complete answer to one request. */
export interface Answer {
  readonly code: number;
  readonly body: string | Buffer;
  readonly contentType?: string;
  readonly warnings?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Writes lines until the client or the server ends the stream. */
export interface LineWriter {
  write(line: string): void;
  end(): void;
}

/** An answer that stays open: a watch, a log that is followed. */
export interface StreamAnswer {
  /** Default: application/json. */
  readonly contentType?: string;
  readonly warnings?: readonly string[];
  /** Starts the stream; the returned function is called when it is over. */
  start(writer: LineWriter): () => void;
}

export function jsonAnswer(value: unknown, code = 200): Answer {
  return { code, body: JSON.stringify(value) };
}

export function statusAnswer(status: Status): Answer {
  const retryAfter = status.details?.retryAfterSeconds;
  return {
    code: status.code ?? 200,
    body: JSON.stringify(status),
    ...(retryAfter === undefined ? {} : { headers: { "Retry-After": String(retryAfter) } }),
  };
}

export function textAnswer(body: string, code = 200): Answer {
  return { code, body, contentType: "text/plain; charset=utf-8" };
}
