// Plays, on a cluster without a node, what runs a release with a cleanup: the kubelet, the controller of Deployments where the cluster has
// none, and the controller of Jobs. The cleanup of the release runs as a process, with the arguments and the account of its Job.
import { execFile } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  kubeResources,
  type Deployment,
  type Job,
  type KubeObject,
  type Pod,
  type ResourceType,
} from "@landscaper/api";
import { createSystemClock, isConflict, isNotFound, reflect } from "@landscaper/controller-runtime";
import { createKubeconfig } from "@landscaper/testkit";
import { requestToken } from "../src/clusters/service-token.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { runningStatus } from "../src/items/play-kubelet.ts";
import { nodeFlagsOf } from "../src/services/image-flags.ts";

const bundles = join(import.meta.dirname, "../../dist");
/** The cleanup writes why it has failed where a kubelet would read it. */
const terminationLog = "/dev/termination-log";

export interface ReleaseOptions {
  readonly host: TestCluster;
  /** Of the release. */
  readonly namespace: string;
  /** Scratch folder. */
  readonly folder: string;
  /** Whose cleanup it is. */
  readonly program: "container-deployer" | "landscaper-core";
  /** Ends the process of the service: its Deployment was scaled to 0. */
  readonly stopService: () => Promise<void>;
}

/** How a Job has ended. */
export interface EndedCleanup {
  readonly args: readonly string[];
  readonly isFailed: boolean;
  readonly output: string;
}

export interface PlayedRelease {
  readonly cleanups: readonly EndedCleanup[];
  stop(): Promise<void>;
}

/** Plays all Deployments and Jobs of the namespace until it is stopped. */
export function playRelease(options: ReleaseOptions): PlayedRelease {
  const { host, namespace } = options;
  const stopping = new AbortController();
  const cleanups: EndedCleanup[] = [];
  const problems: unknown[] = [];
  const isLogOfOthers = existsSync(terminationLog);
  const works: Promise<void>[] = [];
  /** One after the other of each kind: a Job ends when its Deployment was played. */
  const follow = <T extends KubeObject>(type: ResourceType<T>, play: (object: T) => Promise<void>): Promise<void> => {
    let work = Promise.resolve();
    const onObject = (object: T): void => {
      if (stopping.signal.aborted) return;
      work = work
        .then(async () => play(object))
        .catch((error: unknown) => void (isNotFound(error) || isConflict(error) || problems.push(error)));
      works.push(work);
    };
    const onEvent = (event: string, object: T): void => (event === "DELETED" ? undefined : onObject(object));
    const onList = ({ items }: { readonly items: readonly T[] }): void => items.forEach(onObject);
    const common = { client: host.client, clock: createSystemClock(), random: Math.random };
    return reflect<T>({ ...common, type, selection: { namespace }, onList, onEvent }, stopping.signal);
  };
  const started = new Set<string | undefined>();
  const watching = Promise.all([
    follow<Deployment>(kubeResources.deployment, async (deployment) => playDeployment(deployment, options)),
    follow<Pod>(kubeResources.pod, async (pod) => playPod(pod, options)),
    follow<Job>(kubeResources.job, async (job) => {
      if (started.has(job.metadata.uid)) return;
      started.add(job.metadata.uid);
      cleanups.push(await runJob(job, options));
    }),
  ]);
  return {
    cleanups,
    async stop() {
      stopping.abort();
      await watching;
      await Promise.all(works);
      if (!isLogOfOthers) rmSync(terminationLog, { force: true });
      if (problems.length > 0) throw new AggregateError(problems, "the release could not be played");
    },
  };
}

async function playDeployment(deployment: Deployment, { host, stopService }: ReleaseOptions): Promise<void> {
  const { metadata, spec, status } = deployment;
  const { generation = 1 } = metadata;
  const replicas = spec?.replicas ?? 1;
  if (replicas === 0) await stopService();
  if (host.runsWorkloadControllers || status?.observedGeneration === generation) return;
  const counts = { replicas, readyReplicas: replicas, updatedReplicas: replicas, availableReplicas: replicas };
  await host.client.updateStatus<Deployment>(kubeResources.deployment, {
    ...deployment,
    status: { observedGeneration: generation, ...counts },
  });
}

/** Of a ReplicaSet: those of Jobs are processes. */
async function playPod({ metadata, status }: Pod, { host, namespace }: ReleaseOptions): Promise<void> {
  const isOfSet = metadata.ownerReferences?.some(({ kind }) => kind === "ReplicaSet") === true;
  if (!isOfSet || status?.phase === "Running") return;
  const key = { namespace, name: metadata.name ?? "" };
  const body = { status: runningStatus() };
  await host.client.patch(kubeResources.pod, key, { type: "merge", body, subresource: "status" });
}

interface JobTemplate {
  readonly spec: {
    readonly serviceAccountName: string;
    readonly containers: readonly [{ readonly args: readonly string[] }];
  };
}

async function runJob(job: Job, { host, namespace, folder, program }: ReleaseOptions): Promise<EndedCleanup> {
  const template = Reflect.get(Object(job.spec), "template") as JobTemplate; // of the chart
  const { serviceAccountName: name, containers } = template.spec;
  const [{ args }] = containers;
  const token = await requestToken(host.client, { namespace, name });
  const ended = await runCleanup(args, { host, token, program, file: join(folder, job.metadata.uid ?? "") });
  await reportEnd(job, ended, host);
  return ended;
}

export interface CleanupAccess {
  readonly host: TestCluster;
  /** Of its account. */
  readonly token: string;
  /** Gets the kubeconfig. */
  readonly file: string;
  readonly program: ReleaseOptions["program"];
}

/** Runs the program of the image with these arguments, to its end. */
export async function runCleanup(
  args: readonly string[],
  { host, token, file, program }: CleanupAccess,
): Promise<EndedCleanup> {
  const user = { token };
  writeFileSync(file, createKubeconfig({ name: "cleanup", server: host.url, ca: host.ca, user }), { mode: 0o600 });
  // As the entry point of the image has it.
  const words = [...nodeFlagsOf(program), join(bundles, `${program}.mjs`), "--metrics-port=8080", ...args];
  return await new Promise((resolve) => {
    const env = { PATH: process.env["PATH"], KUBECONFIG: file };
    execFile(process.execPath, words, { env }, (error, _, output) => {
      resolve({ args, isFailed: error !== null, output });
    });
  });
}

async function reportEnd(job: Job, { isFailed, output }: EndedCleanup, { client }: TestCluster): Promise<void> {
  const time = "2026-01-01T00:00:00Z";
  const reason = isFailed ? "BackoffLimitExceeded" : "Completed";
  const message = isFailed ? output.trimEnd().split("\n").slice(-2).join("\n") : "";
  const conditions = (isFailed ? ["FailureTarget", "Failed"] : ["SuccessCriteriaMet", "Complete"]).map((type) => ({
    type,
    status: "True",
    reason,
    message,
    lastTransitionTime: time,
  }));
  const counts = isFailed ? { failed: 1 } : { succeeded: 1, completionTime: time };
  const { namespace = "", name = "" } = job.metadata;
  const live = await client.get<Job>(kubeResources.job, { namespace, name });
  const status = { startTime: time, ...counts, conditions };
  await client.updateStatus<Job>(kubeResources.job, { ...live, status });
}
