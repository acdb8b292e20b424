import { format } from "node:util";
import { createOutput, type Output } from "./create-output.ts";

/**
 * Opens the output of this process. Only this code of the command writes to stdout and stderr. It also cleans warnings of Node and the console output of
 * dependencies.
 */
export function openProcessOutput(): Output {
  const { stdout, stderr, env } = process;
  const output = createOutput({
    out: (text) => stdout.write(text),
    outBytes: async (bytes) =>
      await new Promise((resolve, reject) => {
        stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    err: (text) => stderr.write(text),
    terminal: stdout.isTTY ? { rows: () => stdout.rows } : undefined,
    environment: env,
  });
  for (const name of ["debug", "info", "log"] as const)
    console[name] = (...values) => output.write(`${format(...values)}\n`);
  for (const name of ["error", "trace", "warn"] as const)
    console[name] = (...values) => output.writeError(`${format(...values)}\n`);
  // NODE_NO_WARNINGS switches warnings off: then there is no listener.
  if (process.listenerCount("warning") > 0) {
    process.removeAllListeners("warning");
    process.on("warning", ({ name, message }) => output.writeError(`${name}: ${message}\n`));
  }
  return output;
}
