/** What the user can put right: printed without a stack, exit code 1. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
