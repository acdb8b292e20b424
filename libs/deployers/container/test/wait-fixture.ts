import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { kubeResources, type KubeObject, type Pod, type ResourceType, type Secret } from "@landscaper/api";
import { createClient, createSystemClock, type Client, type Clock } from "@landscaper/controller-runtime";
import { recordRequests, startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import {
  containerPaths,
  environmentOf,
  itemLabels,
  jobNames,
  hostName,
  parseStateIndex,
  stateChunkCount,
  stateChunkName,
  waitRules,
  type ContainerPaths,
  type JobFile,
  type StateIndex,
} from "../src/index.ts";
import { runWait } from "../src/wait/run-wait.ts";
import { newFolder } from "./folder-tree.ts";

const group = "rbac.authorization.k8s.io";
const rbacType = (kind: string): ResourceType => ({
  group,
  version: "v1",
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});

/** An API server with RBAC, on which runs of items play. */
export interface WaitFixture {
  readonly cluster: EmbeddedCluster;
  /** A run of an item: its Pod, its files, and an account with the rights of its wait alone. */
  newRun(options: RunOptions): Promise<TestRun>;
  stop(): Promise<void>;
}

interface RunOptions {
  /** Name of the namespace of the Pods; each test has its own. */
  readonly namespace: string;
  /** Runs of an item differ in it. */
  readonly jobID?: string;
  readonly stateBytes?: number;
}

export interface TestRun {
  readonly job: JobFile;
  readonly paths: ContainerPaths;
  readonly namespace: string;
  /** Of its wait. */
  readonly userAgent: string;
  /** Starts wait; its lines are in `lines`. */
  wait(options?: { readonly signal?: AbortSignal; readonly clock?: Clock }): Promise<void>;
  readonly lines: readonly string[];
  /** What the kubelet says of the program. */
  setMain(state: object, phase?: string): Promise<void>;
  /** As the rights of the next Pod take the place of those of this one. */
  takeRights(): Promise<void>;
  remove(): void;
}

export async function startWaitFixture(): Promise<WaitFixture> {
  const cluster = await startEmbeddedCluster({ authorization: "rbac" });
  const clients: Client[] = [];
  return {
    cluster,
    newRun: async (options) => createRun(cluster, clients, options),
    stop: async () => {
      await Promise.all(clients.map(async (client) => client.close()));
      await cluster.stop();
    },
  };
}

const item = { namespace: "team", name: "setup", uid: "0f1e" };

async function createRun(
  { client, connection }: EmbeddedCluster,
  clients: Client[],
  { namespace, jobID = "job-1", stateBytes = 4 * 1024 ** 2 }: RunOptions,
): Promise<TestRun> {
  const { pod, suffix } = jobNames({ item, jobID, operation: "RECONCILE", attempt: 0 });
  const indexName = hostName(item, "state-index").plain;
  const index = await client.find(kubeResources.secret, { namespace, name: indexName });
  const job: JobFile = {
    version: 1,
    pod,
    suffix,
    operation: "RECONCILE",
    graceSeconds: 300,
    state: {
      index: {
        name: indexName,
        ...(index?.metadata.resourceVersion && { resourceVersion: index.metadata.resourceVersion }),
      },
      chunks: Array.from({ length: stateChunkCount(stateBytes) }, (_, number) => stateChunkName(item, suffix, number)),
    },
    exports: { name: hostName(item, "export").plain },
    limits: { stateBytes, exportBytes: 1_000_000 },
    labels: itemLabels(item, "test"),
    oci: { allowPlainHttp: false, insecureSkipVerify: false },
    egress: { profile: "default", deny: [], allow: [], onlyAllowed: false, clusterCIDRs: [], tokenRealms: [] },
  };
  const metadata = { name: pod, namespace };
  await client.create(kubeResources.pod, {
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    // A Pod without a node has no grace period.
    spec: { nodeName: "one", containers: [{ name: "main", image: "registry.example/main:1" }] },
  });
  const user = `wait-${namespace}-${suffix}`;
  const rbac = (kind: string, fields: object): KubeObject => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata,
    ...fields,
  });
  await client.create(rbacType("Role"), rbac("Role", { rules: waitRules(job) }));
  await client.create(
    rbacType("RoleBinding"),
    rbac("RoleBinding", {
      roleRef: { apiGroup: group, kind: "Role", name: pod },
      subjects: [{ kind: "User", name: user, apiGroup: group }],
    }),
  );
  const userAgent = user;
  const own = createClient({ connection: { ...connection, headers: { "Impersonate-User": user } }, userAgent });
  clients.push(own);
  const root = newFolder();
  const paths = containerPaths(root);
  for (const file of [paths.job, paths.exports]) mkdirSync(dirname(file), { recursive: true });
  mkdirSync(paths.state, { recursive: true });
  writeFileSync(paths.job, JSON.stringify(job));
  const env = Object.fromEntries(
    environmentOf("wait", { item, operation: "RECONCILE", paths }).map(({ name, value }) => [name, value]),
  );
  const lines: string[] = [];
  return {
    job,
    paths,
    namespace,
    userAgent,
    lines,
    wait: async ({ signal = new AbortController().signal, clock = createSystemClock() } = {}) =>
      runWait({
        env: { ...env, POD_NAME: pod, POD_NAMESPACE: namespace },
        log: (line) => void lines.push(line),
        client: own,
        random: Math.random,
        signal,
        clock,
        paths,
      }),
    setMain: async (state, phase = "Running") => {
      const found = await client.get<Pod>(kubeResources.pod, { namespace, name: pod });
      const containerStatuses = [{ name: "main", image: "", imageID: "", ready: false, restartCount: 0, state }];
      await client.updateStatus<Pod>(kubeResources.pod, { ...found, status: { phase, containerStatuses } });
    },
    takeRights: async () => void (await client.delete(rbacType("RoleBinding"), metadata)),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The Secrets of a namespace that wait has written, by name; their contents as text. */
export async function readSecrets(client: Client, namespace: string): Promise<ReadonlyMap<string, ReadSecret>> {
  const { items } = await client.list<Secret>(kubeResources.secret, { namespace });
  return new Map(
    items.map(({ metadata, data = {} }) => {
      const content = Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64")]),
      );
      return [metadata.name ?? "", { labels: metadata.labels, annotations: metadata.annotations, content }];
    }),
  );
}

interface ReadSecret {
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  readonly content: Readonly<Record<string, Buffer>>;
}

/** The index of the namespace; undefined when there is none. */
export async function readIndex(client: Client, namespace: string): Promise<StateIndex | undefined> {
  const found = (await readSecrets(client, namespace)).get(hostName(item, "state-index").plain);
  const text = found?.content["index.json"];
  return text === undefined ? undefined : parseStateIndex(text.toString(), "index");
}

/** Calls `act` once the wait of a run watches its Pod. */
export async function whenWatching({ cluster }: WaitFixture, run: TestRun, act: () => Promise<void>): Promise<void> {
  const record = recordRequests(
    cluster.server,
    ({ verb, userAgent }) => verb === "watch" && userAgent === run.userAgent,
  );
  try {
    await waitFor(() => record.requests.length > 0);
  } finally {
    record.stop();
  }
  await act();
}
