// The cleanup on an embedded cluster with a clock of the test: objects as a deployer leaves them, and as others have them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type Deployment, type KubeObject, type Pod } from "@landscaper/api";
import { createFakeClock, createNamespace, startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { containerLabels, itemLabels, podFinalizer, secretTypes, type ItemIdentity } from "../contract/labels.ts";
import { hostKinds } from "../deployer/host/host-objects.ts";
import { runCleanup, type CleanupOptions } from "./run-cleanup.ts";

const deployerId = "ls.edge";
const item: ItemIdentity = { namespace: "team", name: "setup", uid: "11111111-1111-1111-1111-111111111111" };

let cluster: EmbeddedCluster;
let namespace = "";
let count = 0;
let lines: string[] = [];
let clock = createFakeClock();

beforeAll(async () => {
  cluster = await startEmbeddedCluster();
});
afterAll(async () => cluster.stop());
beforeEach(async () => {
  namespace = `cleanup-${++count}`;
  lines = [];
  clock = createFakeClock();
  cluster.server.setFault(undefined);
  await createNamespace(cluster.client, namespace);
});

function metadata(name: string, labels = itemLabels(item, deployerId), more: object = {}) {
  return { name, namespace, labels, ...more };
}

async function createSecret(name: string, type: string, labels = itemLabels(item, deployerId)): Promise<void> {
  const all = { ...labels, [containerLabels.type]: type };
  await cluster.client.create(kubeResources.secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: metadata(name, all),
  });
}

async function createPod(name: string, more: object = {}): Promise<void> {
  await cluster.client.create<Pod>(kubeResources.pod, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata(name, undefined, more),
    spec: { containers: [{ name: "main", image: "registry.example/main:1" }] },
  });
}

/** All that an item has on its host. */
async function createItem(): Promise<void> {
  for (const type of Object.values(secretTypes)) await createSecret(`team-setup-${type}`, type);
  for (const type of hostKinds.filter(({ kind }) => kind !== "Secret")) {
    const body: KubeObject = {
      apiVersion: type.group === "" ? "v1" : `${type.group}/${type.version}`,
      kind: type.kind,
      metadata: metadata("setup-wait"),
      ...(type.kind === "Role" ? { rules: [] } : {}),
      ...(type.kind === "RoleBinding"
        ? { roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "setup-wait" }, subjects: [] }
        : {}),
    };
    await cluster.client.create(type, body);
  }
  await createPod("setup-1", { finalizers: [podFinalizer] });
}

/** Objects that Kubernetes creates in each namespace. */
const ofKubernetes: ReadonlySet<string> = new Set(["ConfigMap kube-root-ca.crt", "ServiceAccount default"]);

async function left(): Promise<string[]> {
  const lists = await Promise.all(
    [kubeResources.pod, ...hostKinds].map(async (type) => {
      const { items } = await cluster.client.list<KubeObject>(type, { namespace });
      return items.map(({ metadata: { name } }) => `${type.kind} ${name}`);
    }),
  );
  return lists
    .flat()
    .filter((name) => !ofKubernetes.has(name))
    .toSorted();
}

/** Runs to its end; the time passes by itself. */
async function clean(more: Partial<CleanupOptions> = {}): Promise<void> {
  const options = { deployerId, namespace, keepsState: false, deployment: undefined, timeoutMs: 480_000, ...more };
  const ends: unknown[] = [];
  const ended = runCleanup(options, {
    client: cluster.client,
    clock,
    log: (line) => void lines.push(line),
    signal: new AbortController().signal,
  });
  const handled = ended.then(
    () => ends.push("done"),
    (error: unknown) => ends.push(error),
  );
  while (ends.length === 0) await clock.advanceToNext();
  await handled;
  await ended;
}

describe("the cleanup of a host", () => {
  it("leaves nothing of the deployer, and everything of others", async () => {
    await createItem();
    await createSecret("of-another", secretTypes.target, itemLabels(item, "ls.other"));
    await createSecret("of-the-operator", "", { [containerLabels.deployerId]: deployerId });
    await clean();
    expect(await left()).toEqual(["Secret of-another", "Secret of-the-operator"]);
    expect(lines.at(-1)).toBe(`namespace ${namespace} has no other objects of the deployer "ls.edge"`);
    await clean();
    expect(await left()).toEqual(["Secret of-another", "Secret of-the-operator"]);
  });

  it("keeps the states with keepsState", async () => {
    await createItem();
    await clean({ keepsState: true });
    expect(await left()).toEqual(["Secret team-setup-state", "Secret team-setup-state-index"]);
    expect(lines.at(-1)).toContain("kept 2 Secrets with states of programs");
  });

  it("names what is left when a Pod does not end, has removed everything else, and continues when it is called again", async () => {
    const other = itemLabels({ ...item, name: "other", uid: "22222222-2222-2222-2222-222222222222" }, deployerId);
    await createItem();
    await createSecret("team-other-target", secretTypes.target, other);
    await createPod("stuck", { finalizers: ["example.org/stuck"] });
    await expect(clean({ timeoutMs: 30_000 })).rejects.toMatchObject({
      reason: "CleanupIncomplete",
      message: expect.stringMatching(
        new RegExp(
          `^namespace ${namespace} still has objects of the deployer "ls.edge": Pod stuck \\(being deleted since .*; finalizers example.org/stuck\\), Secret team-setup-`,
        ),
      ),
      hint: expect.stringContaining("uninstall again"),
    });
    expect(await left()).not.toContain("Secret team-other-target");
    expect(await left()).toContain("Secret team-setup-target");
    const body = { metadata: { finalizers: [] } };
    await cluster.client.patch(kubeResources.pod, { namespace, name: "stuck" }, { type: "merge", body });
    await clean();
    expect(await left()).toEqual([]);
  });

  it("repeats requests that fail for a moment", async () => {
    await createItem();
    let failures = 3;
    cluster.server.setFault(({ method }) => (method === "DELETE" && failures-- > 0 ? { status: 503 } : undefined));
    await clean();
    expect(await left()).toEqual([]);
    expect(lines.some((line) => line.endsWith("; trying again"))).toBe(true);
  });
});

describe("a deployer that is uninstalled", () => {
  const deployment = (replicas: number): Deployment => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "edge", namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: "edge" } },
      template: {
        metadata: { labels: { app: "edge" } },
        spec: { containers: [{ name: "main", image: "registry.example/deployer:1" }] },
      },
    },
  });
  const place = () => ({ namespace, name: "edge" });
  const find = async () => await cluster.client.get<Deployment>(kubeResources.deployment, place());
  /** As the controller of Deployments reports it. */
  const reportStopped = async (): Promise<void> => {
    const live = await find();
    const status = { observedGeneration: live.metadata.generation ?? 0, replicas: 0 };
    await cluster.client.updateStatus<Deployment>(kubeResources.deployment, { ...live, status });
  };

  it("is stopped before anything is removed", async () => {
    await createItem();
    await cluster.client.create(kubeResources.deployment, deployment(2));
    const before = await left();
    await expect(clean({ deployment: place(), timeoutMs: 10_000 })).rejects.toMatchObject({
      reason: "CleanupIncomplete",
      message: `Deployment ${namespace}/edge still waits for its controller to scale it to 0, and nothing was removed`,
    });
    expect((await find()).spec?.replicas).toBe(0);
    expect(await left()).toEqual(before);
    await reportStopped();
    await cluster.client.create<Pod>(kubeResources.pod, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "edge-1", namespace, labels: { app: "edge" } },
      spec: { containers: [{ name: "main", image: "registry.example/deployer:1" }] },
    });
    await expect(clean({ deployment: place(), timeoutMs: 10_000 })).rejects.toMatchObject({
      message: `Deployment ${namespace}/edge still waits for Pod edge-1 to end, and nothing was removed`,
    });
    await cluster.client.delete(kubeResources.pod, { namespace, name: "edge-1" });
    await clean({ deployment: place() });
    expect(await left()).toEqual([]);
  });

  it("may be gone already", async () => {
    await createItem();
    await clean({ deployment: place() });
    expect(await left()).toEqual([]);
  });
});
