/** What the user can put right: printed without a stack, exit code 1. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** A command that was called the wrong way, before it did anything: exit code 2. */
export class InvocationError extends UsageError {
  override readonly name = "InvocationError";
}

/** The message goes to stderr as it is, exit code 1: for commands whose errors have the form of another program's. */
export class PrintedError extends Error {
  override readonly name = "PrintedError";
}
