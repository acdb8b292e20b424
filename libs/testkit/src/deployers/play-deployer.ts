// A deployer that deploys nothing and plays the contract of seed-002, for controller tests.
import {
  apiVersion,
  deployItemPhases as phases,
  finalizer,
  isFinalPhase,
  isJobOpen,
  keyOf,
  kubeResources,
  resources,
  toTimestamp,
  type DeployItem,
  type DeployItemStatus,
} from "@landscaper/api";
import { createManager, isAlreadyExists, isConflict, type Client } from "@landscaper/controller-runtime";
import { createTestLogger } from "../test-logger.ts";

/** `spec.type` of the items that it serves. */
export const testItemType = "test/item";

/** `spec.config` of its items. */
export interface TestItemConfig {
  readonly apiVersion: "test/v1";
  readonly kind: "Item";
  /** How the item ends; "Hang" never. Default: Succeeded. */
  readonly result?: "Succeeded" | "Failed" | "Hang";
  readonly deletion?: "Gone" | "DeleteFailed" | "Hang";
  readonly message?: string;
  readonly export?: unknown;
}

export interface TestDeployer {
  /** "pickup NAME", "finish NAME", "delete NAME" in order; names are item names. */
  readonly log: readonly string[];
  /** IDs of the jobs that items of a namespace were picked up for, in order. */
  jobsOf(namespace: string): readonly string[];
  stop(): Promise<void>;
}

const itemLabel = "execution.landscaper.gardener.cloud/name";

export function startTestDeployer(client: Client): TestDeployer {
  const abort = new AbortController();
  const manager = createManager({ name: "test-deployer", client, log: createTestLogger("error") });
  const informer = manager.informer(resources.deployItem);
  const log: string[] = [];
  const jobs = new Map<string, Set<string>>();
  manager.addController({
    name: "test-deployer",
    for: resources.deployItem,
    reconcile: async (key) => {
      const item = informer.lister.get(key);
      if (item === undefined || item.spec.type !== testItemType || !isJobOpen(item.status)) return undefined;
      const { namespace = "" } = key;
      jobs.set(namespace, (jobs.get(namespace) ?? new Set()).add(item.status?.jobID ?? ""));
      try {
        await work(manager.client, item, log);
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
      return undefined;
    },
  });
  const running = manager.start(abort.signal);
  return {
    log,
    jobsOf: (namespace) => [...(jobs.get(namespace) ?? [])],
    stop: async () => {
      abort.abort(new Error("stop"));
      await running;
    },
  };
}

async function work(client: Client, item: DeployItem, log: string[]): Promise<void> {
  const name = item.metadata.labels?.[itemLabel] ?? item.metadata.name ?? "";
  const isDeleting = item.metadata.deletionTimestamp !== undefined;
  const { phase = "" } = item.status ?? {};
  if (phase === "" || isFinalPhase(phase)) {
    const picked = await writeStatus(client, item, {
      phase: isDeleting ? phases.initDelete : phases.init,
      lastReconcileTime: toTimestamp(new Date()),
      deployer: { name: "test", identity: "test", version: "v0" },
    });
    log.push(`pickup ${name}`);
    await end(client, picked, { name, log });
    return;
  }
  await end(client, item, { name, log });
}

async function end(client: Client, item: DeployItem, { name, log }: { name: string; log: string[] }): Promise<void> {
  const config = item.spec.config as unknown as TestItemConfig;
  if (item.metadata.deletionTimestamp !== undefined) {
    if (config.deletion === "Hang") return;
    log.push(`delete ${name}`);
    if (config.deletion === "DeleteFailed") {
      await finish(client, item, { phase: phases.deleteFailed });
      return;
    }
    const finalizers = (item.metadata.finalizers ?? []).filter((one) => one !== finalizer);
    await client.patch(resources.deployItem, keyOf(item), { type: "merge", body: { metadata: { finalizers } } });
    return;
  }
  if (config.result === "Hang") return;
  const exported = config.export === undefined ? {} : { exportRef: await writeExport(client, item, config.export) };
  log.push(`finish ${name}`);
  await finish(client, item, { phase: config.result ?? phases.succeeded, ...exported });
}

async function finish(
  client: Client,
  item: DeployItem,
  { phase, ...more }: DeployItemStatus & { readonly phase: string },
): Promise<void> {
  const { message = "it failed" } = item.spec.config as unknown as TestItemConfig;
  const now = toTimestamp(new Date());
  const lastError = { operation: "Test", reason: "TestFailed", message, lastTransitionTime: now, lastUpdateTime: now };
  await writeStatus(client, item, {
    ...more,
    phase,
    jobIDFinished: item.status?.jobID ?? "",
    transitionTimes: { ...item.status?.transitionTimes, finishedTime: now },
    ...(phase === phases.succeeded ? {} : { lastError }),
  });
}

async function writeStatus(client: Client, item: DeployItem, change: DeployItemStatus): Promise<DeployItem> {
  const { lastError: _, ...status } = item.status ?? {};
  const observedGeneration = item.metadata.generation ?? 0;
  return client.updateStatus(resources.deployItem, { ...item, status: { ...status, observedGeneration, ...change } });
}

async function writeExport(client: Client, item: DeployItem, value: unknown) {
  const { name = "", namespace = "", uid = "" } = item.metadata;
  const key = { name: `${name}-export`, namespace };
  const data = { config: Buffer.from(JSON.stringify(value)).toString("base64") };
  const ownerReferences = [{ apiVersion, kind: "DeployItem", name, uid }];
  try {
    const metadata = { ...key, ownerReferences };
    await client.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata, data });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(kubeResources.secret, key, { type: "merge", body: { data } });
  }
  return key;
}
