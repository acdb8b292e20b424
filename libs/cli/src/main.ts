import { text } from "node:stream/consumers";
import { demandNode } from "@landscaper/controller-runtime";
import { CommanderError } from "commander";
import { createProgram } from "./program.ts";

const controller = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());

const program = createProgram({
  write: (output) => process.stdout.write(output),
  writeError: (output) => process.stderr.write(output),
  readStdin: () => text(process.stdin),
  signal: controller.signal,
  environment: process.env,
  now: Date.now,
  terminal: process.stdout.isTTY ? { rows: () => process.stdout.rows } : undefined,
});

try {
  demandNode(process.versions.node);
  await program.parseAsync();
} catch (error) {
  // Help that was asked for ends so, too.
  const isHelp = error instanceof CommanderError && error.exitCode === 0;
  if (!isHelp) {
    // It knows the errors of all libraries, which take longer to load than help takes to print.
    const { describeFailure, exitCodeOf } = await import("./describe-failure.ts");
    process.stderr.write(describeFailure(error));
    process.exitCode = exitCodeOf(error);
  }
}
