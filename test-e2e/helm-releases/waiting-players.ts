import { setTimeout as sleep } from "node:timers/promises";
import type { ResourceType, UnstructuredObject, WaitStrategy } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { createTargetCluster, fieldAt, locateType, referenceTo } from "@landscaper/resources";
import { waitFor } from "@landscaper/testkit";
import { OurHelm } from "./our-helm.ts";
import { createRealHelm } from "./real-helm.ts";
import { writeChart } from "./write-chart.ts";

/** What a command with --wait does about an object. */
export type WaitAnswer = "ready" | "waits" | "fails";

/** An object in a state, and what each strategy of Helm does about it. */
export interface WaitingCase {
  readonly name: string;
  /** Named web, with the status that it is given. */
  readonly object: UnstructuredObject;
  readonly answers: Readonly<Partial<Record<string, WaitAnswer>>>;
}

export interface WaitFlags {
  readonly strategy: WaitStrategy;
  readonly waitForJobs: boolean;
}

/** The real helm of a version, or our library. */
export type Who = "3" | "4" | "ours";

interface Cluster {
  readonly client: Client;
  readonly kubeconfig: string;
}

interface Player {
  /** Brings the chart to the cluster without a wait. */
  install(chart: string): Promise<void>;
  /** Deploys it again, with a wait that ends after some seconds. */
  upgrade(chart: string): Promise<void>;
  dispose(): void;
}

const limitMs = 4000;
/** Our watcher believes a status without an observed generation after three seconds. */
const ourLimitMs = 6000;
const pods: ResourceType<UnstructuredObject> = {
  group: "",
  version: "v1",
  kind: "Pod",
  plural: "pods",
  namespaced: true,
};
const { signal } = new AbortController();
/** The API server allocates one for each Service. */
const address = /"clusterIP":"10\.0\.0\.9"/;
/** Their controllers run on the real cluster, and write their statuses. */
const played: ReadonlySet<string> = new Set(["CustomResourceDefinition", "Deployment", "Namespace", "ReplicaSet"]);

export function playerOf(
  who: Who,
  { strategy, waitForJobs }: WaitFlags,
  at: Cluster & { readonly namespace: string; readonly name: string },
): Player {
  const { client, kubeconfig, namespace, name } = at;
  if (who === "ours") {
    const helmFor = (chart: string): OurHelm => new OurHelm(client, { name, namespace, chart, limitMs: ourLimitMs });
    return {
      install: async (chart) => helmFor(chart).deploy({}),
      upgrade: async (chart) => helmFor(chart).deploy({}, { wait: true, waitStrategy: strategy, waitForJobs }),
      dispose: () => undefined,
    };
  }
  const helm = createRealHelm(kubeconfig, namespace, { version: who });
  const flags = [who === "3" ? "--wait" : `--wait=${strategy}`, ...(waitForJobs ? ["--wait-for-jobs"] : [])];
  return {
    install: async (chart) => void (await helm.run("install", name, chart)),
    upgrade: async (chart) => void (await helm.run("upgrade", name, chart, ...flags, "--timeout", `${limitMs}ms`)),
    dispose: () => helm.dispose(),
  };
}

/** Returns what a player does about the object of a case. Its name replaces that of the object, so that players do not meet. */
export async function playWait(
  { object }: WaitingCase,
  player: Player,
  { client, name }: { readonly client: Client; readonly name: string },
): Promise<WaitAnswer> {
  const own = JSON.parse(
    JSON.stringify(object).replaceAll("web", name).replace(address, '"clusterIP":""'),
  ) as UnstructuredObject;
  const { status: _given, ...content } = own;
  const { generation: _set, ...metadata } = own.metadata;
  const chart = writeChart({
    "Chart.yaml": "apiVersion: v2\nname: waiting\nversion: 1.0.0\n",
    "templates/object.yaml": JSON.stringify({ ...content, metadata }),
  });
  try {
    await player.install(chart.path);
    await bringInto(own, client);
    return await player.upgrade(chart.path).then(() => "ready", answerOf);
  } finally {
    chart.dispose();
    player.dispose();
  }
}

function answerOf(error: unknown): WaitAnswer {
  const words = `${String(error)} ${String(fieldAt(error, "stderr"))}`;
  return /context deadline exceeded|still waiting for/.test(words) ? "waits" : "fails";
}

/** Gives the object the status of the case: directly, or by the pods of its controller. */
async function bringInto(object: UnstructuredObject, client: Client): Promise<void> {
  const namespaced = { ...object, metadata: { ...object.metadata, namespace: "waiting" } };
  const type = await locateType(createTargetCluster(client), referenceTo(namespaced), signal);
  const key = { name: object.metadata.name ?? "", ...(type.namespaced ? { namespace: "waiting" } : {}) };
  if (object.status !== undefined && !played.has(object.kind)) {
    const body = { status: object.status };
    await client.patch(type, key, { type: "merge", body, subresource: "status" });
  }
  if (object.kind === "Deployment" || object.kind === "ReplicaSet") await playPods(object, { client, type, key });
  if ((object.metadata.generation ?? 1) < 2) return;
  const body = { spec: object.kind === "ReplicationController" ? { minReadySeconds: 1 } : { template: marked } };
  await client.patch(type, key, { type: "merge", body });
  if (object.kind === "Deployment") await settle(client, type, key);
}

const marked = { metadata: { annotations: { changed: "true" } } };

interface Place {
  readonly client: Client;
  readonly type: ResourceType;
  readonly key: { readonly name: string; readonly namespace?: string };
}

async function playPods(object: UnstructuredObject, { client, type, key }: Place): Promise<void> {
  const ready = fieldAt(object, "status", "readyReplicas") ?? 0;
  const labelSelector = `app=${key.name}`;
  const found = await waitFor(async () => {
    const { items } = await client.list(pods, { namespace: "waiting", labelSelector });
    return items.length >= Number(ready) ? items : undefined;
  });
  const time = "2026-01-01T00:00:00Z";
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True", lastTransitionTime: time }] };
  for (const { metadata } of found.slice(0, Number(ready))) {
    const pod = { namespace: "waiting", name: metadata.name ?? "" };
    await client.patch(pods, pod, { type: "merge", body: { status }, subresource: "status" });
  }
  const isLate = JSON.stringify(object.status).includes("ProgressDeadlineExceeded");
  await waitFor(async () => {
    const live = await client.find<UnstructuredObject>(type as ResourceType<UnstructuredObject>, key);
    const text = JSON.stringify(live?.["status"] ?? {});
    const isThere = (fieldAt(live, "status", "readyReplicas") ?? 0) === ready && text.includes("observedGeneration");
    return isThere && text.includes("ProgressDeadlineExceeded") === isLate ? live : undefined;
  });
}

/** Until the controller has seen the change. */
async function settle(client: Client, type: ResourceType, key: Place["key"]): Promise<void> {
  await waitFor(async () => {
    const live = await client.find<UnstructuredObject>(type as ResourceType<UnstructuredObject>, key);
    return fieldAt(live, "status", "observedGeneration") === live?.metadata.generation ? live : undefined;
  });
  await sleep(500);
}
