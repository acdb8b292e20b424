import { text } from "node:stream/consumers";
import { createSystemClock, demandNode } from "@landscaper/controller-runtime";
import { CommanderError } from "commander";
import { openProcessOutput } from "./output/process-output.ts";
import { createProgram } from "./program.ts";

const controller = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());

const output = openProcessOutput();
const clock = createSystemClock();
const program = createProgram({
  ...output,
  readStdin: () => text(process.stdin),
  signal: controller.signal,
  environment: process.env,
  now: Date.now,
  schedule: (ms, callback) => clock.schedule(ms, callback),
});

/** Prints the failure and sets the exit code. */
async function fail(error: unknown): Promise<void> {
  // Help that was asked for ends so, too.
  if (error instanceof CommanderError && error.exitCode === 0) return;
  // It knows the errors of all libraries, which take longer to load than help takes to print.
  const { describeFailure, exitCodeOf } = await import("./describe-failure.ts");
  output.writeError(describeFailure(error));
  process.exitCode = exitCodeOf(error);
}

async function failAndExit(error: unknown): Promise<void> {
  await fail(error);
  process.exit();
}

// Node would print the message itself, uncleaned.
process.once("uncaughtException", (error) => void failAndExit(error));

try {
  demandNode(process.versions.node);
  await program.parseAsync();
} catch (error) {
  await fail(error);
}
