import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { resourceFailure, settleObject, type TargetCluster } from "@landscaper/resources";
import { decodeRelease, encodeRelease, type ReleaseRecord } from "../records/release-record.ts";

const type = { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true };

export interface HookPlace {
  readonly cluster: TargetCluster;
  readonly name: string;
  readonly namespace: string;
}

/** Where hooks without a release are kept: one Secret, as hooks may hold secrets. Helm does not take it for a release. */
export class HookStore {
  readonly #place: HookPlace;

  constructor(place: HookPlace) {
    this.#place = place;
  }

  /** Undefined: there is none. Throws LandscaperError when it cannot be read. */
  async read(signal: AbortSignal): Promise<ReleaseRecord | undefined> {
    const { cluster, namespace } = this.#place;
    const name = this.#name();
    const live = await this.#try(
      "get",
      async () => await cluster.client.find(kubeResources.secret, { namespace, name }, { signal }),
    );
    if (live === undefined) return undefined;
    const text = Buffer.from(live.data?.["hooks"] ?? "", "base64").toString();
    return (await decodeRelease(text, `Secret ${namespace}/${name}`)).record;
  }

  async update(record: ReleaseRecord, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { cluster } = this.#place;
    const object = await this.#secret(record);
    await settleObject({
      cluster,
      type,
      object,
      // Whoever has the item is the only one who writes it.
      decide: (live) =>
        live === undefined
          ? { type: "create", object }
          : { type: "replace", object: { ...live, data: object["data"] } },
      signal,
    });
  }

  async remove(signal: AbortSignal): Promise<void> {
    const { cluster, namespace } = this.#place;
    const key = { namespace, name: this.#name() };
    await this.#try("delete", async () => await cluster.client.delete(kubeResources.secret, key, { signal }));
  }

  #name(): string {
    return `landscaper-hooks.${this.#place.name}`;
  }

  async #secret(record: ReleaseRecord): Promise<UnstructuredObject> {
    const text = await encodeRelease(record);
    const { namespace } = this.#place;
    const labels = { "app.kubernetes.io/managed-by": "landscaper" };
    return {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: this.#name(), namespace, labels },
      type: "landscaper.gardener.cloud/hooks",
      data: { hooks: Buffer.from(text).toString("base64") },
    };
  }

  async #try<T>(verb: "get" | "delete", call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const { namespace } = this.#place;
      throw await resourceFailure(error, {
        verb,
        reference: { apiVersion: "v1", kind: "Secret", name: this.#name(), namespace },
      });
    }
  }
}
