import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { findProgram } from "../cluster/binaries.ts";

/** Folders beside this file, each a Go module around a real engine. */
export type OracleName = "gotemplate" | "helm" | "spiff";

/** Where the built programs of an oracle are: its own `oracle`, and the tools that its go.mod names. */
export interface BuiltOracle {
  readonly folder: string;
  /** Answers one JSON line on stdin with one on stdout. */
  readonly program: string;
}

/** Whether there is a Go that oracles can be built with. */
export function hasGo(): boolean {
  return findProgram("go") !== undefined;
}

/**
 * Builds an oracle from its pinned modules, once: the result is kept in the user's cache folder per content of the module.
 * Throws with the compiler's words when that fails.
 */
export function buildOracle(name: OracleName): BuiltOracle {
  const source = join(import.meta.dirname, name);
  const files = ["go.mod", "go.sum", ...globSync("*.go", { cwd: source }).toSorted()];
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(source, file)));
  const folder = join(cacheFolder(), `oracle-${name}-${hash.digest("hex").slice(0, 16)}`);
  const built = { folder, program: join(folder, "oracle") };
  if (existsSync(built.program)) return built;
  mkdirSync(dirname(folder), { recursive: true });
  const staging = mkdtempSync(`${folder}.`);
  try {
    if (/^tool /m.test(readFileSync(join(source, "go.mod"), "utf8"))) goBuild(source, `${staging}/`, "tool");
    // Last, as it is what tells that a folder is complete.
    goBuild(source, join(staging, "oracle"), ".");
    moveUnlessThere(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return built;
}

function cacheFolder(): string {
  const user = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return process.env["LANDSCAPER_E2E_CACHE"] ?? join(user, "landscaper-e2e");
}

function goBuild(cwd: string, output: string, target: string): void {
  const args = ["build", "-mod=readonly", "-trimpath", "-ldflags=-s -w", "-o", output, target];
  const env = {
    ...process.env,
    CGO_ENABLED: "0",
    PATH: `${process.env["PATH"] ?? ""}${delimiter}/usr/local/go/bin`,
  };
  const result = spawnSync("go", args, { cwd, env, encoding: "utf8", maxBuffer: 1 << 26 });
  if (result.status === 0) return;
  const reason = result.error?.message ?? result.stderr.trim().split("\n").slice(-8).join("\n");
  throw new Error(`${cwd}: go build failed: ${reason}`);
}

/** Another process may have built the same; its result is as good. */
function moveUnlessThere(staging: string, folder: string): void {
  try {
    renameSync(staging, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
