import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBelow, findProgram, programAbsence, waitFor } from "@landscaper/testkit";
import type { Child } from "../cluster/child.ts";
import { startChild, tailOf } from "../cluster/child.ts";
import { nameOfRun } from "../cluster/leftovers.ts";
import { cgroupRoot, hasCgroupControllers, removeCgroups } from "../cluster/pod-cgroups.ts";
import { containerSpec, type ContainerOptions } from "./container-spec.ts";

export interface StartOptions extends Omit<ContainerOptions, "cgroup"> {
  /** Scratch folder of this container alone. */
  readonly folder: string;
}

/** A running container. */
export interface Container {
  /** Of its first process, which has the number 1 inside. */
  readonly pid: number;
  readonly child: Child;
  /** When runc was started (ms of `performance.now`). */
  readonly startedAt: number;
  /** Text of stdout and stderr. */
  log(): string;
  /** Signals the first process, as a kubelet does. */
  signal(name: NodeJS.Signals): void;
  /** Ends it, however it is, and removes its cgroups. */
  remove(): Promise<void>;
}

/** Why containers cannot be run here, in words for the name of a suite that is skipped; undefined when they can. */
export function containerAbsence(): string | undefined {
  if (process.getuid?.() !== 0) return "no containers: this is not root";
  const missing = ["runc", "unshare", "buildah", "ldd", "tar"].map((name) => programAbsence(name)).find(Boolean);
  if (missing !== undefined) return missing;
  return hasCgroupControllers(cgroupRoot) ? undefined : "no containers: there is no cgroup v1 with all controllers";
}

const startMs = 60_000;

/** The first process of the container: the one below runc that runs the image's program, not runc's own preparation of it. */
function findFirst(pid: number): number | undefined {
  return findBelow(pid, ["runc", "unshare", "setpriv"]);
}

/** A container whose program may not run yet, or no longer. */
interface Launched {
  readonly child: Child;
  readonly logFile: string;
  readonly startedAt: number;
  readonly remove: () => Promise<void>;
}

/** Starts runc in a namespace of processes that ends with this process. */
function launch(options: StartOptions): Launched {
  const { folder } = options;
  const name = nameOfRun();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify(containerSpec({ ...options, cgroup: `/${name}` })));
  const logFile = join(folder, "container.log");
  const runc = ["--root", join(folder, "state"), "run", "--bundle", folder, name];
  const namespaces = ["--mount", "--pid", "--fork", "--kill-child=KILL", "--mount-proc", "--"];
  const startedAt = performance.now();
  const command = findProgram("unshare") ?? "unshare";
  const args = [...namespaces, findProgram("runc") ?? "runc", ...runc];
  const child = startChild({ name: "container", command, args, logFile });
  const remove = async (): Promise<void> => {
    await child.kill();
    await removeCgroups(cgroupRoot, name);
  };
  return { child, logFile, startedAt, remove };
}

/** How a container has ended. */
export interface EndedContainer {
  /** "exit code 0" or "signal SIGKILL". */
  readonly ended: string;
  /** Text of stdout and stderr. */
  readonly log: string;
}

/** Runs a container to its end. */
export async function runContainer(options: StartOptions): Promise<EndedContainer> {
  const { child, logFile, remove } = launch(options);
  try {
    return { ended: await child.whenEnded, log: readFileSync(logFile, "utf8") };
  } finally {
    await remove();
  }
}

/** Starts a container with runc. Resolves when its program runs, or throws when it has ended before. */
export async function startContainer(options: StartOptions): Promise<Container> {
  const { child, logFile, startedAt, remove } = launch(options);
  let pid: number | undefined;
  const isStarted = (): boolean => {
    pid = findFirst(child.pid);
    return pid !== undefined || child.ended !== undefined;
  };
  await waitFor(isStarted, { timeoutMs: startMs, intervalMs: 5, describe: () => tailOf(logFile) });
  if (pid === undefined) {
    await remove();
    throw new Error(`the container has not started (${child.ended}): ${tailOf(logFile)}`);
  }
  const first = pid;
  return {
    pid: first,
    child,
    startedAt,
    log: () => readFileSync(logFile, "utf8"),
    signal(signalName) {
      process.kill(first, signalName);
    },
    remove,
  };
}
