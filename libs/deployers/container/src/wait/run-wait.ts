import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { LandscaperError } from "@landscaper/api";
import { failureMessage, type Client, type Clock, type ProgramSurroundings } from "@landscaper/controller-runtime";
import { readVariable, waitFailed, waitInterrupted } from "../contract/environment.ts";
import { parseJobFile, type JobFile } from "../contract/job-file.ts";
import { containerPaths, type ContainerPaths } from "../contract/paths.ts";
import { closeEntry, openBelow, OpenFolder, type OpenedEntry } from "../program-files/open-folder.ts";
import { followMain, untilStopped } from "./follow-main.ts";
import { JobSecrets } from "./job-secrets.ts";
import type { MainState } from "./main-state.ts";
import { saveExports } from "./save-exports.ts";
import { saveState } from "./save-state.ts";

export interface WaitOptions extends ProgramSurroundings {
  /** Of the host cluster, with the rights of `waitRules`. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly paths?: ContainerPaths | undefined;
}

/**
 * Waits until the program has ended, keeps its state, and, when it has ended well, its exports (docs/reference/container-deployer.md#wait). That the program has failed is no failure of wait: the Pod
 * says it anyway. Throws LandscaperError, ApiError and ConnectionError for what could not be kept.
 */
export async function runWait(options: WaitOptions): Promise<void> {
  const { env, log, signal, paths = containerPaths() } = options;
  const pod = { namespace: readVariable(env, "POD_NAMESPACE"), name: readVariable(env, "POD_NAME") };
  const job = parseJobFile(await readFile(paths.job, "utf8"), paths.job);
  // Opened now, and kept: it is the mount of the volume.
  const shared = await OpenFolder.openRoot(paths.shared);
  try {
    const following = { ...options, pod, graceSeconds: job.graceSeconds, stopped: signal };
    const main = await followMain(following);
    log(describeMain(main));
    try {
      await keepFiles(main, { ...options, paths, shared, job, namespace: pod.namespace });
    } finally {
      if (main.kind === "open") await untilStopped(following);
    }
  } finally {
    await shared.close();
  }
}

interface KeepOptions extends WaitOptions {
  readonly paths: ContainerPaths;
  readonly shared: OpenFolder;
  readonly job: JobFile;
  readonly namespace: string;
}

async function keepFiles(main: MainState, options: KeepOptions): Promise<void> {
  const { env, log, client, paths, shared, job } = options;
  const withFiles = async <T>(path: string, work: (found: OpenedEntry) => Promise<T>): Promise<T> => {
    const found = await openBelow(shared, relative(paths.shared, path));
    try {
      return await work(found);
    } finally {
      await closeEntry(found);
    }
  };
  const save = { job, secrets: new JobSecrets(client, options) };
  const exitCode = main.kind === "ended" ? main.exitCode : undefined;
  try {
    const index = await withFiles(readVariable(env, "STATE_PATH"), async (found) => saveState(found, save));
    if (index !== undefined) log(`the state has been kept: ${index.fileCount} files, ${index.bytes} bytes`);
  } catch (error) {
    if (exitCode !== undefined) throw error;
    throw unknownEnd(`neither its exports nor its state are kept: ${failureMessage(error)}`, error);
  }
  if (exitCode === undefined) throw unknownEnd("its state is kept, its exports are not");
  if (exitCode !== 0) return;
  const bytes = await withFiles(readVariable(env, "EXPORTS_PATH"), async (found) => saveExports(found, save));
  if (bytes !== undefined) log(`the exports have been kept: ${bytes} bytes`);
}

/** Without the exit code of the program, its exports do not count. `kept`: what wait has saved. */
function unknownEnd(kept: string, cause?: unknown): LandscaperError {
  return new LandscaperError({
    reason: "JobInterrupted",
    message: `the Pod was stopped before the program was seen to end: ${kept}`,
    codes: ["ERR_INTERNAL_PROBLEM"],
    retry: "never",
    cause,
  });
}

/** The exit code of wait after a failure (docs/reference/container-deployer.md#wait). */
export function waitExitCode(error: unknown): number {
  const isInterrupted = error instanceof LandscaperError && interruptedReasons.has(error.reason);
  return isInterrupted ? waitInterrupted : waitFailed;
}

const interruptedReasons: ReadonlySet<string> = new Set(["JobInterrupted", "PodVanished"]);

function describeMain(main: MainState): string {
  if (main.kind === "ended") return `the program has ended with ${main.exitCode ?? "an unknown exit code"}`;
  return "the program was not seen to end";
}
