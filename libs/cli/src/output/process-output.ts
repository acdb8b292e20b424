import { format } from "node:util";
import { createOutput, type Output } from "./create-output.ts";

/**
 * The output of this process. The only code of the command that writes to stdout and stderr: what Node and dependencies print by themselves (warnings of the
 * process, the console) is cleaned as well.
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
  // There is no listener if warnings are switched off (NODE_NO_WARNINGS).
  if (process.listenerCount("warning") > 0) {
    process.removeAllListeners("warning");
    process.on("warning", ({ name, message }) => output.writeError(`${name}: ${message}\n`));
  }
  return output;
}
