/** What the user can put right: printed without a stack, exit code 1. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The message goes to stderr as it is, exit code 1: for commands whose errors have the form of another program's. */
export class PrintedError extends Error {
  override readonly name = "PrintedError";
}
