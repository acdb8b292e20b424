import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram } from "@landscaper/testkit";
import { userCacheFolder } from "../../scripts/user-cache.ts";
import { buildHint, mayBuildTools, type MissingBinaries } from "../cluster/binaries.ts";

/** Names of the real engines that a run of tests builds. */
export const oracleNames = ["gotemplate", "helm", "helm4", "jsonschema", "patch", "proxy", "spiff"] as const;

/** Folders beside this file, each a Go module around a real engine. `ocm` takes many minutes to build: only `npm run record` builds it. */
export type OracleName = (typeof oracleNames)[number] | "ocm";

/** Oracles without a program of their own: the tool that their go.mod names is the whole oracle. */
const toolOf: Readonly<Partial<Record<OracleName, string>>> = { helm4: "helm", ocm: "ocm" };

/** Where the built programs of an oracle are: its own `oracle`, and the tools that its go.mod names. */
export interface BuiltOracle {
  readonly folder: string;
  /** Answers one JSON line on stdin with one on stdout; of `helm4` and `ocm` the command itself. */
  readonly program: string;
}

const goHint = "install Go 1.26 or newer (https://go.dev/dl), which builds the pinned engines once";

/**
 * Builds all missing oracles; returns the reason if one cannot be built. Calls `announce` before a build. Without `mayBuild`, only accepts oracles of an
 * earlier build.
 */
export function provideOracles(
  announce: (line: string) => void,
  { mayBuild }: { readonly mayBuild: boolean },
): MissingBinaries | undefined {
  const isBuilt = oracleNames.every((name) => findOracle(name) !== undefined);
  if (isBuilt) return undefined;
  if (!mayBuild) return { missing: "they are not built", hint: buildHint };
  if (findProgram("go") === undefined) return { missing: "there is no Go on this machine", hint: goHint };
  try {
    for (const name of oracleNames) buildOracle(name, announce);
    return undefined;
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error), hint: "put right what the build says" };
  }
}

/** Returns why the engine is missing, for `describeUnless`; undefined if it is built or the run may build it. */
export function oracleAbsence(name: OracleName): string | undefined {
  if (findOracle(name) !== undefined) return undefined;
  if (name === "ocm") return "the real ocm is not built; `npm run record -- ocm` builds it";
  if (!mayBuildTools(process.env)) return `the real engine ${name} is not built`;
  return findProgram("go") === undefined ? `there is no Go to build ${name} with` : undefined;
}

/**
 * Builds an oracle from its pinned modules, once: the result is kept in the user's cache folder per content of the module.
 * `announce` is told before a build. Throws with the compiler's words when that fails.
 */
export function buildOracle(name: OracleName, announce: (line: string) => void = () => undefined): BuiltOracle {
  const source = sourceOf(name);
  const folder = folderOf(name);
  const found = findOracle(name);
  if (found !== undefined) return found;
  announce(`building the real engine of ${name} (once; ${name === "ocm" ? "up to 20 minutes" : "some minutes"}) ...`);
  mkdirSync(dirname(folder), { recursive: true });
  const staging = mkdtempSync(`${folder}.`);
  try {
    if (/^tool /m.test(readFileSync(join(source, "go.mod"), "utf8"))) goBuild(name, `${staging}/`, "tool");
    // Must be the last build: findOracle treats a folder with the program as complete.
    if (toolOf[name] === undefined) goBuild(name, join(staging, "oracle"), ".");
    moveUnlessThere(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return builtIn(folder, name);
}

/** Returns an oracle of an earlier build. */
export function findOracle(name: OracleName): BuiltOracle | undefined {
  const built = builtIn(folderOf(name), name);
  return existsSync(built.program) ? built : undefined;
}

function builtIn(folder: string, name: OracleName): BuiltOracle {
  return { folder, program: join(folder, toolOf[name] ?? "oracle") };
}

function sourceOf(name: OracleName): string {
  return join(import.meta.dirname, name);
}

function folderOf(name: OracleName): string {
  const source = sourceOf(name);
  const files = ["go.mod", "go.sum", ...globSync("*.go", { cwd: source }).toSorted()];
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(source, file)));
  return join(cacheFolder(), `oracle-${name}-${hash.digest("hex").slice(0, 16)}`);
}

function cacheFolder(): string {
  return process.env["LANDSCAPER_E2E_CACHE"] ?? join(userCacheFolder(process.env), "landscaper-e2e");
}

/** What a released helm of the pinned version says of itself and of Kubernetes. Helm 4 takes the version of Kubernetes from its modules. */
const linkerFlags: Readonly<Partial<Record<OracleName, readonly string[]>>> = {
  helm: [
    "-X helm.sh/helm/v3/internal/version.version=v3.22.0",
    "-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor=1",
    "-X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=37",
  ],
  helm4: ["-X helm.sh/helm/v4/internal/version.version=v4.3.1"],
};

function goBuild(name: OracleName, output: string, target: string): void {
  const cwd = sourceOf(name);
  const flags = ["-s -w", ...(linkerFlags[name] ?? [])].join(" ");
  const args = ["build", "-mod=readonly", "-trimpath", `-ldflags=${flags}`, "-o", output, target];
  const env = { ...process.env, CGO_ENABLED: "0" };
  const result = spawnSync(findProgram("go") ?? "go", args, { cwd, env, encoding: "utf8", maxBuffer: 1 << 26 });
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
