// Objects of an Environment, of another one, and of tenants, in the namespace of deployer management. No service runs.
import {
  agentFinalizer,
  agentNames,
  annotations,
  deployerManagementFinalizer,
  finalizer,
  kubeResources,
  resources,
  type DeployItem,
  type Environment,
  type KubeEvent,
  type KubeObject,
  type Lease,
  type Secret,
} from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { deployItem, heldLease, hostedEnvironment, mark } from "./environment-objects.ts";
import type { EditPools } from "./random-writes.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";

export interface ObjectsOptions {
  readonly client: Client;
  readonly namespace: string;
  /** Environment of the tested accounts. */
  readonly own: string;
  /** Another Environment. */
  readonly other: string;
  readonly registration: string;
  /** Given: both Environments are created, too. */
  readonly hub?: Pick<TestCluster, "url" | "ca">;
}

export interface BoundedObjects {
  /** The first has the mark of the own Environment, the second the mark of the other Environment. */
  readonly items: readonly DeployItem[];
  readonly secrets: readonly Secret[];
  readonly leases: readonly Lease[];
  readonly events: readonly KubeEvent[];
  /** The own one and the other one, if they were wanted. */
  readonly environments: readonly Environment[];
  readonly owners: EditPools["owners"];
  /** Deletes the Environment, and removes the finalizers of the items, so that their namespace can be deleted. */
  release(): Promise<void>;
}

export async function createBoundedObjects(options: ObjectsOptions): Promise<BoundedObjects> {
  const { client, namespace } = options;
  const items = await createItems(options);
  const [mine, theirs] = items;
  if (mine === undefined || theirs === undefined) throw new Error("no items");
  const metadata = { namespace, name: "mine" };
  const map = await client.create(kubeResources.configMap, { apiVersion: "v1", kind: "ConfigMap", metadata });
  const owners = [ownerOf(mine), ownerOf(theirs), ownerOf({ ...map, apiVersion: "v1", kind: "ConfigMap" })];
  const secrets = await createSecrets(options, ownerOf(mine));
  const { leases, events } = await createLeasesAndEvents(options);
  const environments = await createEnvironments(options);
  return { items, secrets, leases, events, environments, owners, release: () => release(options, items) };
}

/** Returns an owner reference to the object. */
export function ownerOf({
  apiVersion: version,
  kind,
  metadata: { name = "", uid = "" },
}: KubeObject): EditPools["owners"][number] {
  return { apiVersion: version, kind, name, uid };
}

async function createItems({ client, namespace, own, other, registration }: ObjectsOptions): Promise<DeployItem[]> {
  const keep = [finalizer, "example.org/keep"];
  const wanted: readonly (readonly [string, Partial<KubeObject["metadata"]>, target: string, holder?: string])[] = [
    ["mine", { annotations: { ...mark(own), [annotations.operation]: "plan" } }, "free"],
    ["theirs", { annotations: mark(other), finalizers: keep }, "free"],
    ["both", { annotations: mark(`${own},${other}`) }, "free", `helm-${other}/pod`],
    ["busy", { annotations: mark(own), finalizers: keep }, "free", `${registration}-${own}/pod`],
    ["host", { annotations: mark(own), finalizers: [finalizer] }, own],
    ["all", { annotations: mark("*") }, "free"],
    ["unmarked", {}, "free"],
    ["going", { annotations: mark(own), finalizers: keep }, own],
    ["all-busy", { annotations: mark("*") }, "free", `helm-${other}/pod`],
    ["hub-busy", { annotations: mark(own) }, "free", "landscaper-helm-deployer/pod"],
  ];
  for (const [name, metadata, target, holder] of wanted) {
    const base = deployItem(namespace, name, target);
    const item = await client.create(resources.deployItem, { ...base, metadata: { ...base.metadata, ...metadata } });
    if (holder === undefined) continue;
    const status = {
      observedGeneration: 0,
      jobID: "one",
      phase: "Progressing",
      deployer: { identity: holder, name: "d", version: "v1" },
    };
    await client.updateStatus(resources.deployItem, { ...item, status });
  }
  await client.delete(resources.deployItem, { namespace, name: "going" });
  return await Promise.all(wanted.map(async ([name]) => client.get(resources.deployItem, { namespace, name })));
}

async function createSecrets(
  { client, namespace, own, other }: ObjectsOptions,
  owner: EditPools["owners"][number],
): Promise<Secret[]> {
  const wanted: readonly Partial<KubeObject["metadata"]>[] = [
    { name: "mine-export", annotations: mark(own) },
    { name: "mine-plan", annotations: mark(other) },
    { name: "values", annotations: mark(own) },
    { name: "plain", ownerReferences: [] },
  ];
  const secrets: Secret[] = [];
  for (const more of wanted) {
    const metadata = { namespace, ownerReferences: [owner], ...more };
    const secret: Secret = { apiVersion: "v1", kind: "Secret", type: "Opaque", metadata };
    secrets.push(await client.create(kubeResources.secret, secret));
  }
  return secrets;
}

async function createLeasesAndEvents(
  options: ObjectsOptions,
): Promise<{ readonly leases: Lease[]; readonly events: KubeEvent[] }> {
  const { client, namespace, own, other, registration } = options;
  const leases = [
    heldLease(namespace, "pod.helm.0123abcd", `${registration}-${own}`),
    heldLease(namespace, agentNames(own).lease, agentNames(own).identity),
    heldLease(namespace, "other.helm.0123abcd", `helm-${other}`),
    heldLease(namespace, "landscaper-core", "core"),
  ];
  const event = (name: string, reportingInstance: string): KubeEvent => ({
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { namespace, name },
    eventTime: "2026-01-01T00:00:00.000000Z",
    type: "Normal",
    action: "Reconcile",
    reason: "Succeeded",
    regarding: { apiVersion, kind: "DeployItem", namespace, name: "mine" },
    reportingController: "helm.deployer.landscaper.gardener.cloud",
    reportingInstance,
  });
  const events = [
    event("own", `${registration}-${own}`),
    event("agents", agentNames(own).identity),
    event("theirs", `helm-${other}`),
  ];
  return {
    leases: await Promise.all(leases.map(async (lease) => client.create(kubeResources.lease, lease))),
    events: await Promise.all(events.map(async (one) => client.create(kubeResources.event, one))),
  };
}

async function createEnvironments({ client, own, other, hub }: ObjectsOptions): Promise<Environment[]> {
  if (hub === undefined) return [];
  const finalizers = [deployerManagementFinalizer, agentFinalizer];
  const create = async (name: string, namespaces: string[]): Promise<Environment> => {
    const { metadata, ...rest } = hostedEnvironment(name, hub, { namespaces });
    return await client.create(resources.environment, { ...rest, metadata: { ...metadata, finalizers } });
  };
  return [await create(own, ["team-a", "team-b"]), await create(other, ["*"])];
}

async function release(
  { client, namespace, own, other, hub }: ObjectsOptions,
  items: readonly DeployItem[],
): Promise<void> {
  const body = { metadata: { finalizers: null } };
  for (const name of hub === undefined ? [] : [own, other]) {
    await client.patch(resources.environment, { name }, { type: "merge", body });
    await client.delete(resources.environment, { name });
  }
  for (const { metadata } of items) {
    const key = { namespace, name: metadata.name ?? "" };
    const found = await client.find(resources.deployItem, key);
    if (found !== undefined) await client.patch(resources.deployItem, key, { type: "merge", body });
  }
}
