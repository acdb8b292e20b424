import { spawnSync } from "node:child_process";

/** Runs a program of the machine to its end and answers what it prints; throws with its words when it fails. */
export function runTool(command: string, args: readonly string[]): string {
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return stdout;
  const how = error?.message ?? (signal === null ? `exit code ${status}` : `signal ${signal}`);
  throw new Error(`${[command, ...args].join(" ")} failed (${how}): ${`${stdout}${stderr}`.trim()}`);
}
