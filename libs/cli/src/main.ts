import { text } from "node:stream/consumers";
import { createSystemClock, demandNode } from "@landscaper/controller-runtime";
import { CommanderError } from "commander";
import { openProcessOutput } from "./output/process-output.ts";
import { createProgram } from "./program.ts";

const controller = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());

const output = openProcessOutput();
const clock = createSystemClock();
const context = {
  ...output,
  readStdin: () => text(process.stdin),
  signal: controller.signal,
  environment: process.env,
  now: Date.now,
  schedule: (ms: number, callback: () => void) => clock.schedule(ms, callback),
};
const program = createProgram(context, process.argv.slice(2));

/** Exit code of programs that the signal SIGPIPE ends. */
const brokenPipeExitCode = 141;

/** Whether the reader of stdout or stderr has closed the pipe, as in `landscaper guide | head -1`. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "code") === "EPIPE" && Reflect.get(error, "syscall") === "write";
}

/** Prints the failure and sets the exit code. */
async function fail(error: unknown): Promise<void> {
  if (isBrokenPipe(error)) {
    process.exitCode = brokenPipeExitCode;
    return;
  }
  // Commander also throws after it has printed help that the user requested.
  if (error instanceof CommanderError && error.exitCode === 0) return;
  // Loaded late: it imports the errors of all libraries, which takes longer than printing help.
  const { describeFailure, exitCodeOf } = await import("./describe-failure.ts");
  output.writeError(describeFailure(error));
  process.exitCode = exitCodeOf(error);
}

async function failAndExit(error: unknown): Promise<void> {
  await fail(error);
  process.exit();
}

// Without a listener, Node prints the message with its unsafe characters.
process.on("uncaughtException", (error) => void failAndExit(error));

try {
  demandNode(process.versions.node);
  await program.parseAsync();
} catch (error) {
  await fail(error);
}
