import { collectErrorCodes, LandscaperError, type LandscaperErrorOptions } from "@landscaper/api";

/** What the pool says to a thread. `id` is the task's. */
export type ToThread =
  | { readonly type: "task"; readonly id: number; readonly task: unknown }
  | { readonly type: "answer"; readonly id: number; readonly question: number; readonly outcome: Outcome }
  | { readonly type: "cancel"; readonly id: number };

/** What a thread says to the pool. One task at a time has the thread: from `working` to `waiting` or `done`. */
export type FromThread =
  | { readonly type: "working"; readonly id: number }
  | { readonly type: "waiting"; readonly id: number }
  | { readonly type: "question"; readonly id: number; readonly question: number; readonly value: unknown }
  | { readonly type: "done"; readonly id: number; readonly outcome: Outcome };

export type Outcome = { readonly value: unknown } | { readonly error: ErrorData };

/** An error on its way to another thread. */
type ErrorData =
  | { readonly type: "landscaper"; readonly options: LandscaperErrorOptions }
  | { readonly type: "other"; readonly name: string; readonly message: string; readonly stack: string | undefined };

/** Causes are left behind; their codes are kept. */
export function encodeError(error: unknown): ErrorData {
  if (error instanceof LandscaperError) {
    const { message, reason, operation, hint, at, retry } = error;
    const codes = collectErrorCodes(error);
    return { type: "landscaper", options: { message, reason, operation, codes, hint, at, retry } };
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

/** What became of a promise. */
export async function outcomeOf(promise: Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await promise };
  } catch (error) {
    return { error: encodeError(error) };
  }
}
