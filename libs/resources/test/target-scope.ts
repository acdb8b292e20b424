// An embedded target cluster for each file, a namespace for each test, and what a deploy item asks of both.
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { kubeResources, type KubeObject, type UnstructuredObject } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { FaultRequest, LocalCluster } from "@landscaper/local-cluster";
import { startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { applyManifests, type ApplyOptions, type ApplyResult } from "../src/apply/apply-manifests.ts";
import { confirmInventory, planInventory } from "../src/manifests/inventory.ts";
import type { ManagedResource, Manifest } from "../src/manifests/manifest.ts";
import { createTargetCluster, type TargetCluster } from "../src/cluster/target-cluster.ts";

export const owner = {
  key: "manifest.deployer.landscaper.gardener.cloud/deployitem",
  value: "item",
  item: { namespace: "hub", name: "item", uid: "uid-of-item" },
};
export const mark = { "landscaper.gardener.cloud/owned-by": "hub/item/uid-of-item" };
export const signal: AbortSignal = new AbortController().signal;
export const clusterOf = (): Promise<TargetCluster> => Promise.reject(new Error("no secondary target"));
let embedded: EmbeddedCluster;
export let server: LocalCluster;
export let client: Client;
export let cluster: TargetCluster;
export let requests: string[] = [];
let scopes = 0;
export let n = "";

/** For each test file: it calls this once. */
export function useTargetScope(): void {
  beforeAll(async () => {
    embedded = await startEmbeddedCluster();
    ({ server, client } = embedded);
    cluster = createTargetCluster(client);
  }, 30_000);
  afterAll(() => embedded.stop());
  beforeEach(async () => {
    n = `scope-${++scopes}`;
    await embedded.createNamespace(n);
    requests = [];
    server.setFault(record);
  });
  afterEach(() => server.setFault(undefined));
}

export function record({ verb, resource, name }: FaultRequest): undefined {
  if (resource !== "") requests.push(`${verb} ${resource}${name === "" ? "" : ` ${name}`}`);
}

export function configMap(name: string, data: Record<string, string> = {}, metadata: object = {}): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: n, ...metadata }, data };
}

export function manage(...objects: readonly UnstructuredObject[]): Manifest[] {
  return objects.map((manifest) => ({ policy: "manage", manifest }));
}

export async function apply(manifests: readonly Manifest[], options: Partial<ApplyOptions> = {}): Promise<ApplyResult> {
  const inventory = planInventory(options.inventory ?? [], manifests);
  return await applyManifests({ cluster, manifests, strategy: "update", owner, signal, ...options, inventory });
}

export function entriesOf({ applied }: ApplyResult): ManagedResource[] {
  return confirmInventory([], applied);
}

export function find(name: string): Promise<(KubeObject & { data?: Record<string, string> }) | undefined> {
  return client.find(kubeResources.configMap, { namespace: n, name });
}

export function setRequests(value: string[]): void {
  requests = value;
}
