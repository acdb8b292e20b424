// The services of the release before this one, built from the Git history: a fleet upgrades its core, agents and deployers one after the other.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The commit of the release before this one. A release of a version changes it (CONTRIBUTING.md#release-a-version). */
const commit = "375fbff6";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/landscaper/previous-release");
const programs = ["landscaper-core", "landscaper-agent", "manifest-deployer", "mock-deployer"] as const;

export interface PreviousRelease {
  /** Folder with NAME.mjs of each program. */
  readonly bundles: string;
  /** Folder with the `k8s/charts` of the release: the rights of its accounts. */
  readonly root: string;
}

/** Why the services cannot be built here; undefined when they can. A shallow clone does not have the commit. */
export function previousReleaseAbsence(): string | undefined {
  const { status } = spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root });
  return status === 0 ? undefined : `needs commit ${commit}, the previous release, in the Git history`;
}

/** Builds the services, once for each commit. Throws an Error with the output of the command that fails. */
export function buildPreviousRelease(): PreviousRelease {
  const folder = join(cache, commit);
  if (!existsSync(folder)) build(folder);
  return { bundles: join(folder, "dist"), root: folder };
}

function build(folder: string): void {
  const sources = mkdtempSync(join(tmpdir(), "landscaper-previous-"));
  try {
    run("sh", ["-c", `git archive ${commit} | tar -x -C ${JSON.stringify(sources)}`], root);
    const result = join(sources, "result");
    const flags = ["--outdir", join(result, "dist"), "--no-source-maps"];
    run(process.execPath, ["scripts/bootstrap.mjs", "scripts/build.ts", ...programs, ...flags], sources);
    cpSync(join(sources, "k8s/charts"), join(result, "k8s/charts"), { recursive: true });
    mkdirSync(cache, { recursive: true });
    const unfinished = mkdtempSync(join(cache, "unfinished-"));
    cpSync(result, unfinished, { recursive: true });
    // Another process may have been faster.
    if (existsSync(folder)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, folder);
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  // What Jest sets for its workers is not for other programs.
  const { NODE_OPTIONS: _options, JEST_WORKER_ID: _worker, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", env });
  if (status !== 0) throw new Error(`${[command, ...args].join(" ")} failed: ${stdout}${stderr}`);
}
