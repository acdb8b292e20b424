// For the tests of this package: an embedded target cluster, a release on it, and somebody who waits.
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { createLogger, createSystemClock, type Client, type Clock } from "@landscaper/controller-runtime";
import { sortManifests, formatManifests, type Hook } from "@landscaper/helm";
import type { LocalCluster, LocalClusterOptions } from "@landscaper/local-cluster";
import { startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { createTargetCluster, findLive, type TargetCluster } from "@landscaper/resources";
import { Deployment, type DeploymentContent, type DeploymentOptions } from "../src/deployment.ts";
import type { ReleaseContext, ReleaseWait } from "../src/release-context.ts";
import type { ReleaseRecord, ReleaseStatus } from "../src/records/release-record.ts";
import { ReleaseStore, type ReleaseDriver } from "../src/records/release-store.ts";

const { signal } = new AbortController();
/** How requests of releases are told from those of the test. */
export const releaseAgent = "release-test";

export const jobType = { group: "batch", version: "v1", kind: "Job", plural: "jobs", namespaced: true };
export const secretType = { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true };
export const configMapType = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };

const time = "2026-01-01T00:00:00Z";
const condition = (type: string, reason: string): object => ({
  type,
  status: "True",
  reason,
  message: "no luck",
  lastTransitionTime: time,
});
const failedJob = {
  startTime: time,
  failed: 1,
  conditions: [condition("FailureTarget", "BackoffLimitExceeded"), condition("Failed", "BackoffLimitExceeded")],
};
const completedJob = {
  startTime: time,
  succeeded: 1,
  completionTime: time,
  conditions: [condition("SuccessCriteriaMet", "CompletionsReached"), condition("Complete", "CompletionsReached")],
};

export interface Advancing {
  advance(signal: AbortSignal): Promise<ReleaseWait | undefined>;
}

interface RunningTarget {
  readonly embedded: EmbeddedCluster;
  readonly cluster: TargetCluster;
}

/** Starts a target before the tests of a file, takes its faults away after each, and stops it after all. */
export function useReleaseFixture(options: LocalClusterOptions = {}): ReleaseFixture {
  const fixture = new ReleaseFixture();
  beforeAll(async () => fixture.start(options), 30_000);
  afterEach(() => fixture.server.setFault(undefined));
  afterAll(async () => fixture.stop());
  return fixture;
}

/** A target that runs from `start` to `stop`; `release` names a new namespace each time. */
export class ReleaseFixture {
  #running: RunningTarget | undefined;
  #count = 0;

  async start(options: LocalClusterOptions): Promise<void> {
    const embedded = await startEmbeddedCluster(options);
    const ofReleases = embedded.connect(releaseAgent, { clock: hurriedClock() });
    this.#running = { embedded, cluster: createTargetCluster(ofReleases) };
  }

  async stop(): Promise<void> {
    await this.#running?.embedded.stop();
  }

  get server(): LocalCluster {
    return this.#target.embedded.server;
  }

  /** Of whoever looks on and plays the cluster. */
  get client(): Client {
    return this.#target.embedded.client;
  }

  /** With the client of the releases. */
  get cluster(): TargetCluster {
    return this.#target.cluster;
  }

  get #target(): RunningTarget {
    if (this.#running === undefined) throw new Error("the target runs only inside of tests");
    return this.#running;
  }

  async release(name: string, driver?: ReleaseDriver): Promise<ReleaseContext> {
    const namespace = `release-${++this.#count}`;
    await this.#target.embedded.createNamespace(namespace);
    return this.context(name, namespace, driver);
  }

  context(name: string, namespace: string, driver?: ReleaseDriver): ReleaseContext {
    const now = (): number => Date.now();
    const store = new ReleaseStore({ client: this.cluster.client, namespace, name, driver, now });
    const log = createLogger({ name: "test", level: "silent" });
    return { cluster: this.cluster, store, name, namespace, now, elapsed: () => performance.now(), log };
  }

  /** Installs or upgrades, and plays the controller of Jobs meanwhile. What others have left counts as left at once. */
  async deploy(
    context: ReleaseContext,
    content: DeploymentContent,
    options: DeploymentOptions = {},
  ): Promise<ReleaseRecord> {
    const deployment = new Deployment(context, content, { abandonedAfterMs: 0, ...options });
    await finish(deployment, async () => void (await this.endJobs(context)));
    if (deployment.record === undefined) throw new Error("ended without a record");
    return deployment.record;
  }

  /** Plays the controller of Jobs: those whose name starts with "bad" fail. Returns the names of those that have run now. */
  async endJobs({ namespace }: Pick<ReleaseContext, "namespace">): Promise<string[]> {
    const { items } = await this.client.list<UnstructuredObject>(jobType, { namespace });
    const open = items.filter(({ status }) => status === undefined || JSON.stringify(status) === "{}");
    for (const job of open) {
      const isBad = job.metadata.name?.startsWith("bad") === true;
      await this.client.updateStatus(jobType, { ...job, status: isBad ? failedJob : completedJob });
    }
    return open.map(({ metadata }) => metadata.name ?? "");
  }

  async statuses({ store }: Pick<ReleaseContext, "store">): Promise<[number, ReleaseStatus, string][]> {
    const history = await store.history({ signal });
    return history.map(({ version, info }) => [version, info.status, info.description]);
  }

  async dataOf({ namespace }: Pick<ReleaseContext, "namespace">, name: string): Promise<unknown> {
    return (await this.find("ConfigMap", namespace, name))?.["data"];
  }

  async find(kind: string, namespace: string, name: string): Promise<UnstructuredObject | undefined> {
    const apiVersion = { Job: "batch/v1", Deployment: "apps/v1" }[kind] ?? "v1";
    return await findLive(this.cluster, { apiVersion, kind, namespace, name }, signal);
  }
}

/** Repeats of failed reads come at once. */
function hurriedClock(): Clock {
  const clock = createSystemClock();
  return { ...clock, sleep: async (ms, process) => clock.sleep(Math.min(ms, 2), process) };
}

/** What a chart of these manifests would make. Hooks are those that say so. */
export function contentOf(manifests: readonly object[], more: Partial<DeploymentContent> = {}): DeploymentContent {
  const files = new Map(manifests.map((object, index) => [`chart/templates/${index}.yaml`, JSON.stringify(object)]));
  const sorted = sortManifests(files);
  const hooks: readonly Hook[] = sorted.hooks;
  const chart = {
    metadata: { name: "chart", version: "0.1.0", apiVersion: "v2" },
    templates: [],
    values: {},
    files: [],
  };
  return {
    chart,
    config: {},
    manifest: formatManifests({ crds: [], manifests: sorted.manifests }),
    hooks,
    notes: "",
    crds: [],
    ...more,
  };
}

/** Longer than any operation takes, on a busy machine as well. */
const limitMs = 120_000;

/** Goes on until the operation has ended; between the passes `meanwhile` plays the cluster. Throws what it throws. */
export async function finish(
  operation: Advancing,
  meanwhile?: (wait: ReleaseWait) => Promise<void>,
  process: AbortSignal = signal,
): Promise<void> {
  const end = Date.now() + limitMs;
  for (;;) {
    const waiting = await operation.advance(process);
    if (waiting === undefined) return;
    if (Date.now() > end) throw new Error(`still waiting for ${waiting.waitingFor.join(", ")}`);
    await meanwhile?.(waiting);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function configMap(
  name: string,
  data: Readonly<Record<string, string>> = {},
  annotations: Readonly<Record<string, string>> = {},
): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, annotations }, data };
}

export function hook(name: string, events: string, more: Readonly<Record<string, string>> = {}): object {
  const annotations = Object.fromEntries(Object.entries(more).map(([key, value]) => [`helm.sh/hook-${key}`, value]));
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "image" }] } };
  const metadata = { name, annotations: { "helm.sh/hook": events, ...annotations } };
  return { apiVersion: "batch/v1", kind: "Job", metadata, spec: { template } };
}
