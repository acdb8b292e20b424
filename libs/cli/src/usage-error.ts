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

/** Ends a command with an exit code of its own; the cause is told as ever, nothing where there is none. */
export class CommandExit extends Error {
  override readonly name = "CommandExit";
  readonly exitCode: number;

  constructor(exitCode: number, cause?: unknown) {
    super(`exit code ${exitCode}`, cause === undefined ? undefined : { cause });
    this.exitCode = exitCode;
  }
}
