/** Returns the lines of an error's stack with the places in the code, without its message, which may quote anything. Empty without a stack. */
export function listFrames(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  return error.stack.split("\n").filter((line) => /^\s+at /.test(line));
}
