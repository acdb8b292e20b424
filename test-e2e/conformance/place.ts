import { randomBytes } from "node:crypto";
import type { Api, Cluster, Item, Kind } from "../src/kits/plain-api.ts";
import { apiVersion, isConflict, removeNamespace } from "../src/kits/plain-api.ts";
import { runEvery } from "../src/kits/run-every.ts";
import {
  isFinal,
  managedBy,
  managedName,
  operation,
  reconcile,
  subinstallationName,
} from "../src/kits/contract-names.ts";
import type { installation } from "./objects.ts";
import type { Deployer } from "./playback.ts";
import { startPlayback } from "./playback.ts";

export interface PlaceOptions {
  readonly cluster: Cluster;
  readonly timeoutMs: number;
}

type Applied = Parameters<Api["create"]>[0];

/** A namespace of one scenario, with the suite's deployer at work in it. */
export interface Place extends Api {
  readonly namespace: string;
  readonly deployer: Deployer;
  /** Creates the objects, or gives those that are there the new spec, data and annotations. */
  apply(...objects: readonly (Applied | ReturnType<typeof installation>)[]): Promise<void>;
  trigger(name: string): Promise<void>;
  /** Waits for a state of one object; undefined is its absence. */
  waitFor(what: readonly [Kind, string], isMet: (found: Item | undefined) => boolean): Promise<Item | undefined>;
  waitGone(kind: Kind, name: string): Promise<void>;
  /** Waits until no job is open or asked for, and expects this phase. */
  waitForPhase(name: string, phase: string): Promise<Item>;
  /** DeployItems of an Execution by item names. */
  items(execution: string): Promise<ReadonlyMap<string, Item>>;
  /** Waits until the suite's deployer has picked the item up. */
  waitForItem(execution: string, name: string): Promise<Item>;
  /** Waits until there is a sub-installation of this template, and returns its name. */
  waitForSub(parent: string, template: string): Promise<string>;
  /** Sub-installations by template names. */
  subs(parent: string): Promise<ReadonlyMap<string, Item>>;
  close(): Promise<void>;
}

const pauseMs = 40;

function describe(item: Item | undefined): string {
  if (item === undefined) return "(not there)";
  const { metadata, status } = item;
  const { annotations, deletionTimestamp, finalizers } = metadata;
  return JSON.stringify({ kind: item.kind, name: metadata.name, annotations, deletionTimestamp, finalizers, status });
}

const isSettled = ({ metadata, status }: Item): boolean =>
  metadata.annotations?.[operation] === undefined &&
  (status?.jobID ?? "") !== "" &&
  status?.jobID === status?.jobIDFinished &&
  (metadata.deletionTimestamp === undefined || status?.phase === "DeleteFailed");

const byName = (items: readonly Item[], name: (item: Item) => string | undefined): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [name(item) ?? "", item]));

const itemName = ({ metadata }: Item): string => metadata.labels?.[managedName] ?? metadata.name;

export async function openPlace({ cluster, timeoutMs }: PlaceOptions, prefix: string): Promise<Place> {
  const namespace = `conformance-${prefix}-${randomBytes(3).toString("hex")}`;
  const api = cluster.namespace(namespace);
  await api.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const remove = async (): Promise<void> =>
    removeNamespace(api, namespace, ["Installation", "Execution", "DeployItem"]);
  try {
    await api.create({ apiVersion, kind: "Context", metadata: { name: "default" } });
  } catch (error) {
    // The implementation makes one in each namespace by itself.
    if (!isConflict(error)) {
      await remove();
      throw error;
    }
  }
  const deployer = startPlayback(api, itemName);

  async function describeAll(): Promise<string> {
    const kinds = ["Installation", "Execution", "DeployItem"] as const;
    const lists = await Promise.all(kinds.map(async (kind) => api.list(kind)));
    return lists.flat().map(describe).join("\n");
  }

  async function poll<T>(find: () => Promise<T | undefined>, failure: string): Promise<T> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      if (Date.now() > deadline) throw new Error(`${failure} in ${timeoutMs / 1000} s\n${await describeAll()}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async function applyOne(object: Applied): Promise<void> {
    const { name } = object.metadata;
    const { kind: _kind, apiVersion: _version, ...body } = object;
    if ((await api.find(object.kind, name)) === undefined) await api.create(object);
    else {
      // A blueprint is replaced as a whole, as a user's update does it.
      const isReplaced = body["spec"] !== undefined && object.kind === "Installation";
      if (isReplaced) await api.patch(object.kind, name, { spec: { imports: null, exports: null } });
      await api.patch(object.kind, name, body);
    }
  }

  const place: Place = {
    ...api,
    namespace,
    deployer,
    async apply(...objects) {
      for (const object of objects) await applyOne(object);
    },
    async trigger(name) {
      await api.patch("Installation", name, { metadata: { annotations: reconcile } });
    },
    async waitFor([kind, name], isMet) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const found = await api.find(kind, name);
        if (isMet(found)) return found;
        if (Date.now() > deadline) {
          const what = `${kind} ${namespace}/${name} is not as expected after ${timeoutMs / 1000} s`;
          throw new Error(`${what}\n${describe(found)}\nall:\n${await describeAll()}`);
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
    async waitGone(kind, name) {
      await place.waitFor([kind, name], (found) => found === undefined);
    },
    async waitForPhase(name, phase) {
      const ended = await place.waitFor(["Installation", name], (found) => found !== undefined && isSettled(found));
      if (ended?.status?.phase === phase) return ended;
      throw new Error(`expected phase ${phase}\n${describe(ended)}\nall:\n${await describeAll()}`);
    },
    async waitForSub(parent, template) {
      return poll(
        async () => (await place.subs(parent)).get(template)?.metadata.name,
        `${parent} has no sub-installation ${template}`,
      );
    },
    items: async (execution) => byName(await api.list("DeployItem", `${managedBy}=${execution}`), itemName),
    async waitForItem(execution, name) {
      const find = async (): Promise<Item | undefined> => {
        const item = (await place.items(execution)).get(name);
        const phase = item?.status?.phase ?? "";
        return phase === "" || isFinal(phase) ? undefined : item;
      };
      return poll(find, `item ${name} of ${execution} was not handed out`);
    },
    async subs(parent) {
      const all = await api.list("Installation");
      const own = all.filter(({ metadata }) =>
        metadata.ownerReferences?.some((owner) => owner.kind === "Installation" && owner.name === parent),
      );
      return byName(own, ({ metadata }) => metadata.annotations?.[subinstallationName]);
    },
    close: async () => runEvery([async () => deployer.stop(), remove]),
  };
  return place;
}
