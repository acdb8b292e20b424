import { fstatSync, writeSync } from "node:fs";
import { format } from "node:util";
import { type ByteWriter, createDirectWriter } from "./direct-writer.ts";
import { createOutput, type Output } from "./create-output.ts";

/** Whether a developer has asked for warnings of Node and of libraries. */
function areWarningsWanted(flags: readonly string[], nodeOptions = ""): boolean {
  return [...flags, ...nodeOptions.split(/\s+/)].some((flag) => /^--trace-(?:warnings|deprecation)$/.test(flag));
}

/** Whether stdout is a file or a pipe. */
function isStdoutPlain(): boolean {
  try {
    const stats = fstatSync(1);
    return stats.isFile() || stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}

/** Opens stdout. Files and pipes get their bytes without the stream of stdout, because Node needs a tenth of its start time to create it. */
function openStdout(): ByteWriter {
  const writeLater: ByteWriter = (bytes, done) => void process.stdout.write(bytes, done);
  return isStdoutPlain() ? createDirectWriter({ writeNow: (bytes) => writeSync(1, bytes), writeLater }) : writeLater;
}

/**
 * Opens the output of this process. Only this code of the command writes to stdout and stderr. It also cleans the console output of
 * dependencies, and hides the warnings of Node and of libraries, unless the flag --trace-warnings of Node asks for them.
 */
export function openProcessOutput(): Output {
  const { env } = process;
  const write = openStdout();
  const output = createOutput({
    out: (text) => write(Buffer.from(text)),
    outBytes: async (bytes) =>
      await new Promise((resolve, reject) => {
        write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    err: (text) => process.stderr.write(text),
    terminal: !isStdoutPlain() && process.stdout.isTTY ? { rows: () => process.stdout.rows } : undefined,
    environment: env,
  });
  for (const name of ["debug", "info", "log"] as const)
    console[name] = (...values) => output.write(`${format(...values)}\n`);
  for (const name of ["error", "trace", "warn"] as const)
    console[name] = (...values) => output.writeError(`${format(...values)}\n`);
  // Warnings of Node and of libraries are for developers. NODE_NO_WARNINGS removes the listener of Node.
  const isShown = process.listenerCount("warning") > 0 && areWarningsWanted(process.execArgv, env["NODE_OPTIONS"]);
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => {
    if (isShown) output.writeError(`${name}: ${message}\n`);
  });
  return output;
}
