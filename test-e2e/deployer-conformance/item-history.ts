import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { recordHistory } from "../src/kits/object-history.ts";
import type { Item } from "../src/kits/plain-api.ts";
import type { ObjectPlace } from "./target-objects.ts";

const deployItemType = {
  group: "landscaper.gardener.cloud",
  version: "v1alpha1",
  kind: "DeployItem",
  plural: "deployitems",
  namespaced: true,
};

const pauseMs = 20;

/** A write to an item that was not the kit's. */
export interface Write {
  readonly before: Item;
  readonly after: Item;
  /** The write that took the last finalizer away: the cluster shows the object as it was before. */
  readonly isGone: boolean;
  /** Arrival here, as `performance.now()` says it. */
  readonly at: number;
}

/** Every version of the items of a namespace, and who wrote them: the kit, or the deployer. */
export interface ItemHistory {
  /** Names of all items that ever were. */
  names(): string[];
  /** The latest version that has arrived; undefined when it is gone. */
  current(name: string): Item | undefined;
  /** Writes of the deployer, oldest first. */
  writes(name: string): Write[];
  /** When the version that the kit has written arrived. */
  arrivalOf(item: Item): number;
  /** Notes that a version is the kit's. */
  own(item: Item): void;
  stop(): Promise<void>;
}

export async function recordItems(client: Client, namespace: string): Promise<ItemHistory> {
  const history = await recordHistory<KubeObject>(client, deployItemType, namespace);
  const ownVersions = new Set<string>();
  const versionsOf = (name: string) => history.seen.filter(({ object }) => object.metadata.name === name);
  // What is served under deployitems is a DeployItem, and has a name.
  const asItem = (object: KubeObject): Item => object as unknown as Item;
  const isOwn = ({ metadata }: KubeObject): boolean => ownVersions.has(metadata.resourceVersion ?? "");
  return {
    names: () => [...new Set(history.seen.map(({ object }) => object.metadata.name ?? ""))],
    current(name) {
      const found = history.current.get(name);
      return found && asItem(found);
    },
    writes: (name) =>
      versionsOf(name).flatMap(({ type, object, at }, index, versions) => {
        const before = versions[index - 1]?.object;
        return before === undefined || isOwn(object)
          ? []
          : [{ before: asItem(before), after: asItem(object), isGone: type === "DELETED", at }];
      }),
    arrivalOf: ({ metadata: { resourceVersion } }) =>
      history.seen.find(({ object }) => object.metadata.resourceVersion === resourceVersion)?.at ?? Number.NaN,
    own: ({ metadata: { resourceVersion = "" } }) => void ownVersions.add(resourceVersion),
    stop: async () => history.stop(),
  };
}

/** When an object came. */
export interface ObjectLife {
  /** Resource version and time of arrival of its first version; undefined: it is not there, and never was. */
  born(): Promise<{ readonly version: bigint; readonly at: number } | undefined>;
  stop(): Promise<void>;
}

/** News arrive late on a busy machine: so long it may take. */
const lagMs = 20_000;

/** Follows one object from now on; it need not be there yet. */
export async function followObject(client: Client, place: ObjectPlace): Promise<ObjectLife> {
  const { apiVersion, resource, namespace, name } = place;
  const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const type = { group, version, kind: "", plural: resource, namespaced: true };
  const history = await recordHistory<KubeObject>(client, type, namespace);
  return {
    async born() {
      const isThere = (await client.find<KubeObject>(type, { namespace, name })) !== undefined;
      const deadline = performance.now() + lagMs;
      for (;;) {
        const first = history.seen.find(({ object }) => object.metadata.name === name);
        if (first !== undefined) return { version: BigInt(first.object.metadata.resourceVersion ?? "0"), at: first.at };
        if (!isThere || performance.now() > deadline) return undefined;
        await sleep(pauseMs);
      }
    },
    stop: async () => history.stop(),
  };
}
