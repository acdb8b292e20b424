import { text } from "node:stream/consumers";
import { demandNode } from "@landscaper/controller-runtime";
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
  // It knows the errors of all libraries.
  const { describeFailure, exitCodeOf } = await import("./describe-failure.ts");
  process.stderr.write(describeFailure(error));
  process.exitCode = exitCodeOf(error);
}
