// Programs of the played Pods in the suites about mistakes. A script for each image determines how its program ends.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProgramContext, ReportedEnd } from "@landscaper/container-deployer-lib/testing";

/** Behaviour of a program in a RECONCILE run. */
export interface ProgramScript {
  /** Lines of its log. */
  readonly says?: readonly string[];
  /** Name of an import without which it ends with 1. */
  readonly needs?: string;
  /** Content of the file with its exports. */
  readonly exports?: string;
  /** Target of a link in its state. */
  readonly link?: string;
  /** Size of a file in its state. */
  readonly stateBytes?: number;
  /** True: ends only when it is stopped. */
  readonly isEndless?: boolean;
  /** Default: 0. */
  readonly end?: number | ReportedEnd;
}

/** Plays a program. Returns its exit code, or the end that the kubelet reports. A DELETE run ends with 0 at once. */
export async function runScript(
  script: ProgramScript,
  { env, log, signal, operation }: ProgramContext,
): Promise<number | ReportedEnd> {
  const { says = [], needs, exports, link, stateBytes, isEndless = false, end = 0 } = script;
  if (operation === "DELETE") return 0;
  says.forEach(log);
  if (needs !== undefined && !hasImport(env["IMPORTS_PATH"] ?? "", needs)) {
    log(`the import ${needs} is missing`);
    return 1;
  }
  if (exports !== undefined) writeFileSync(pathIn(env, "EXPORTS_PATH"), exports);
  const state = env["STATE_PATH"] ?? "";
  if (link !== undefined) symlinkSync(link, join(state, "link"));
  if (stateBytes !== undefined) writeFileSync(join(state, "data"), Buffer.alloc(stateBytes));
  if (!isEndless) return end;
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  return 143;
}

function hasImport(file: string, name: string): boolean {
  const imports: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return typeof imports === "object" && imports !== null && Object.hasOwn(imports, name);
}

function pathIn(env: ProgramContext["env"], variable: string): string {
  const path = env[variable] ?? "";
  mkdirSync(dirname(path), { recursive: true });
  return path;
}
