/** An error that a Go function returns, in its words; callers add what was called and where. */
export class FunctionError extends Error {
  override readonly name = "FunctionError";
}
