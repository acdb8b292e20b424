import { deserialize, serialize } from "node:v8";
import { collectErrorCodes, LandscaperError, type LandscaperErrorOptions } from "@landscaper/api";

/** What the pool says to a thread. `id` is the task's. */
export type ToThread =
  /** There is no task yet. Answered by `ready`. */
  | { readonly type: "warm-up" }
  | { readonly type: "task"; readonly id: number; readonly task: Packed }
  | { readonly type: "answer"; readonly id: number; readonly question: number; readonly outcome: Packed }
  | { readonly type: "cancel"; readonly id: number };

/**
 * What a thread says to the pool. One task at a time has the thread: from `working` to `waiting` or `done`. `processorMs` is the
 * processor time that the thread has used since its start.
 */
export type FromThread =
  /** The thread has started, or is warm. */
  | { readonly type: "ready" }
  | { readonly type: "working"; readonly id: number; readonly processorMs: number }
  | { readonly type: "waiting"; readonly id: number; readonly processorMs: number }
  | { readonly type: "question"; readonly id: number; readonly question: number; readonly value: Packed }
  | { readonly type: "done"; readonly id: number; readonly processorMs: number; readonly outcome: Packed }
  /** What the task is at. */
  | { readonly type: "step"; readonly id: number; readonly step: string }
  /** The result has more bytes than the pool takes. */
  | { readonly type: "oversized"; readonly id: number; readonly processorMs: number; readonly bytes: number }
  /** An error outside of any task; the thread ends. */
  | { readonly type: "defect"; readonly error: ErrorData };

/** A value in serialized form. It passes the channel as it is: whoever unpacks it gets its errors, and knows its size before. */
export type Packed = Uint8Array;

export type Outcome = { readonly value: unknown } | { readonly error: ErrorData };

/** An error on its way to another thread. */
export type ErrorData =
  | { readonly type: "landscaper"; readonly options: LandscaperErrorOptions }
  | { readonly type: "other"; readonly name: string; readonly message: string; readonly stack: string | undefined };

/** Throws for what cannot be copied, such as functions. */
export function pack(value: unknown): Packed {
  return serialize(value);
}

/** Throws RangeError for what is nested deeper than the stack of this thread allows. */
export function unpack(packed: Packed): unknown {
  return deserialize(packed);
}

export function unpackOutcome(packed: Packed): Outcome {
  // Both sides of the channel are ours.
  return unpack(packed) as Outcome;
}

/** Causes are left behind; their codes are kept. */
export function encodeError(error: unknown): ErrorData {
  if (error instanceof LandscaperError) {
    const { message, reason, operation, hint, at, host, retry, isMasked } = error;
    const codes = collectErrorCodes(error);
    return { type: "landscaper", options: { message, reason, operation, codes, hint, at, host, retry, isMasked } };
  }
  if (!(error instanceof Error)) return { type: "other", name: "Error", message: String(error), stack: undefined };
  return { type: "other", name: error.name, message: error.message, stack: error.stack };
}

export function decodeError(data: ErrorData): Error {
  if (data.type === "landscaper") return new LandscaperError(data.options);
  const error = new Error(data.message);
  error.name = data.name;
  if (data.stack !== undefined) error.stack = data.stack;
  return error;
}

/** What became of a promise. A value that cannot be copied is an error. */
export async function packOutcome(promise: Promise<unknown>): Promise<Packed> {
  try {
    return pack({ value: await promise });
  } catch (error) {
    return pack({ error: encodeError(error) });
  }
}
