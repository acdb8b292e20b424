// For the tests of this package: an embedded target cluster, and the calls of a deploy item on it.
import { kubeResources, type KubeObject, type UnstructuredObject } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { LocalCluster } from "@landscaper/local-cluster";
import { startEmbeddedCluster, type EmbeddedCluster } from "@landscaper/testkit";
import { applyManifests, type ApplyOptions, type ApplyResult } from "../src/apply/apply-manifests.ts";
import { deleteResources, type DeletionOptions, type DeletionResult } from "../src/deletion/delete-resources.ts";
import { planInventory } from "../src/manifests/inventory.ts";
import type { ManagedResource, Manifest } from "../src/manifests/manifest.ts";
import type { OwnerLabel } from "../src/cluster/owner-label.ts";
import { createTargetCluster, type TargetCluster } from "../src/cluster/target-cluster.ts";

export const ownerKey = "manifest.deployer.landscaper.gardener.cloud/deployitem";

export type ConfigMap = KubeObject & { readonly data?: Readonly<Record<string, string>> };

/** For strategy `apply`. */
export const serverSide = { managers: { manager: "landscaper/ns/item", former: ["landscaper"] }, force: false };

/** The mark of a deploy item of the namespace `hub`. */
export function ownerOf(item: string, namespace = "hub"): OwnerLabel {
  return { key: ownerKey, value: item, item: { namespace, name: item, uid: `uid-of-${item}` } };
}

/** A running target with one namespace `n`. */
export class TargetFixture {
  readonly server: LocalCluster;
  readonly client: Client;
  readonly cluster: TargetCluster;
  readonly #embedded: EmbeddedCluster;
  readonly #signal = new AbortController().signal;

  private constructor(embedded: EmbeddedCluster) {
    this.#embedded = embedded;
    this.server = embedded.server;
    this.client = embedded.client;
    this.cluster = createTargetCluster(this.client);
  }

  /** `userAgent` is also the field manager of writes that name none. */
  static async start(userAgent = "landscaper"): Promise<TargetFixture> {
    const embedded = await startEmbeddedCluster({ userAgent });
    await embedded.createNamespace("n");
    return new TargetFixture(embedded);
  }

  async stop(): Promise<void> {
    await this.#embedded.stop();
  }

  /** Applies as the deploy item `item`, whose inventory was `inventory`. */
  async apply(item: string, manifests: readonly Manifest[], options: Partial<ApplyOptions> = {}): Promise<ApplyResult> {
    return await applyManifests({
      cluster: this.cluster,
      manifests,
      strategy: "update",
      owner: ownerOf(item),
      signal: this.#signal,
      ...options,
      inventory: planInventory(options.inventory ?? [], manifests, options.serverSide?.managers.manager),
    });
  }

  async remove(
    item: string,
    entries: readonly ManagedResource[],
    options: Partial<DeletionOptions> = {},
  ): Promise<DeletionResult> {
    return await deleteResources({
      cluster: this.cluster,
      entries,
      owner: ownerOf(item),
      clusterOf: () => Promise.reject(new Error("no secondary target")),
      signal: this.#signal,
      ...options,
    });
  }

  async find(name: string): Promise<ConfigMap | undefined> {
    return await this.client.find(kubeResources.configMap, { namespace: "n", name });
  }
}

export function configMap(name: string, data: Record<string, string> = {}, metadata: object = {}): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "n", ...metadata }, data };
}
