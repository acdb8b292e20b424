import type { KubeObject } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { recordHistory } from "../src/object-history.ts";
import type { Item } from "../src/plain-api.ts";
import type { ObjectPlace } from "./target-objects.ts";

const deployItemType = {
  group: "landscaper.gardener.cloud",
  version: "v1alpha1",
  kind: "DeployItem",
  plural: "deployitems",
  namespaced: true,
};

/** A write to an item that was not the kit's. */
export interface Write {
  readonly before: Item;
  readonly after: Item;
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
      versionsOf(name).flatMap(({ object, at }, index, versions) => {
        const before = versions[index - 1]?.object;
        return before === undefined || isOwn(object) ? [] : [{ before: asItem(before), after: asItem(object), at }];
      }),
    arrivalOf: ({ metadata: { resourceVersion } }) =>
      history.seen.find(({ object }) => object.metadata.resourceVersion === resourceVersion)?.at ?? Number.NaN,
    own: ({ metadata: { resourceVersion = "" } }) => void ownVersions.add(resourceVersion),
    stop: async () => history.stop(),
  };
}

/** When an object came. */
export interface ObjectLife {
  /** Resource version and time of arrival of the first version; undefined: never. */
  born(): { readonly version: bigint; readonly at: number } | undefined;
  stop(): Promise<void>;
}

/** Follows one object from now on; it need not be there yet. */
export async function followObject(client: Client, place: ObjectPlace): Promise<ObjectLife> {
  const [group = "", version = ""] = place.apiVersion.includes("/")
    ? place.apiVersion.split("/")
    : ["", place.apiVersion];
  const type = { group, version, kind: "", plural: place.resource, namespaced: true };
  const history = await recordHistory<KubeObject>(client, type, place.namespace);
  const seen = () => history.seen.filter(({ object }) => object.metadata.name === place.name);
  const moment = (found: ReturnType<typeof seen>[number] | undefined) =>
    found && { version: BigInt(found.object.metadata.resourceVersion ?? "0"), at: found.at };
  return {
    born: () => moment(seen().at(0)),
    stop: async () => history.stop(),
  };
}
