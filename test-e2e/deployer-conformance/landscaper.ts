import { randomUUID } from "node:crypto";
import { deployerTargetName, deployerType, finalizer } from "../src/kits/contract-names.ts";
import type { Item } from "../src/kits/plain-api.ts";
import { apiVersion, isConflict } from "../src/kits/plain-api.ts";
import { fillIn } from "./placeholders.ts";
import type { IngredientName } from "./profile.ts";
import { replacingPatch } from "./replacing-patch.ts";
import type { Scene } from "./scene.ts";
import { ingredientOf, itemName, targetName, wordsOf } from "./scene.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A condition of somebody else, which every item gets with its first job. */
export const witness = { type: "conformance.test/Witness", status: "True", reason: "Kept", message: "of the kit" };
/** As statuses have it: whole seconds. */
export const now = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

/** lastError of an item that was interrupted now. */
export function interruption(): Readonly<Record<string, string>> {
  const [operation, time] = ["InterruptOperation", now()];
  const message = "operation was interrupted";
  return { operation, reason: operation, message, lastTransitionTime: time, lastUpdateTime: time };
}

export interface ItemOptions {
  /** "item" by default. */
  readonly name?: string;
  /** Fields of its spec. */
  readonly spec?: Fields;
  /** False: without the Landscaper's finalizer, as anybody may create items. */
  readonly hasFinalizer?: boolean;
}

export interface TargetOptions {
  /** "target" by default. */
  readonly name?: string;
  /** In place of the profile's configuration. */
  readonly access?: Fields;
  /** In place of the profile's. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** The Landscaper's and the user's part in the protocol. */
export interface Landscaper {
  /** Creates the profile's Target, or one with other fields; does nothing where the deployer has no Targets. */
  createTarget(options?: TargetOptions): Promise<void>;
  /** Creates an item without a job. */
  create(ingredient: IngredientName, options?: ItemOptions): Promise<Item>;
  /** Target, item and job. Returns the job's ID. */
  start(ingredient: IngredientName, options?: ItemOptions): Promise<string>;
  /** Gives the item a new job; `status` are fields that somebody else has written for it. Returns the job's ID. */
  trigger(name?: string, status?: Fields): Promise<string>;
  /** Gives the item another configuration, and other fields of its spec. */
  configure(ingredient: IngredientName, options?: ItemOptions): Promise<void>;
  /** Null removes one. */
  annotate(annotations: Readonly<Record<string, string | null>>, name?: string): Promise<Item>;
  /** JSON merge patch of the item. */
  patch(body: Fields, name?: string): Promise<Item>;
  /** Changes fields of the item's status by a guarded write. */
  writeStatus(change: (item: Item) => Fields, name?: string): Promise<Item>;
  /** What the Landscaper writes when a user interrupts: an end that is not the deployer's. */
  interrupt(name?: string): Promise<Item>;
  /** Deletes the object; the deployer acts with the next job. */
  remove(name?: string): Promise<void>;
  /** Deletes the item and gives it the job that the deletion needs. */
  uninstall(name?: string): Promise<void>;
}

/** Plays Landscaper and user in one namespace. */
export function createLandscaper(scene: Scene): Landscaper {
  const { api, history, namespace, landscape } = scene;
  const { profile } = landscape;

  /** Repeats a write that somebody else was faster than. */
  async function write(name: string, change: (item: Item) => Promise<Item>): Promise<Item> {
    for (;;) {
      try {
        const written = await change(await api.get("DeployItem", name));
        history.own(written);
        return written;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  function specOf(ingredient: IngredientName, { name = itemName, spec }: ItemOptions): Fields {
    const { config, timeout } = ingredientOf(scene, ingredient, name);
    return {
      type: profile.type,
      ...(profile.target === undefined ? {} : { target: { name: targetName, namespace } }),
      context: "default",
      config,
      ...(timeout === undefined ? {} : { timeout }),
      ...spec,
    };
  }

  function nextJob({ status }: Item, jobID: string): Fields {
    const conditions: unknown = status?.["conditions"];
    const kept: readonly unknown[] = Array.isArray(conditions) ? conditions : [];
    const isWitnessed = kept.some((condition) => Reflect.get(Object(condition), "type") === witness.type);
    const time = now();
    const ours = { ...witness, lastTransitionTime: time, lastUpdateTime: time };
    return {
      jobID,
      jobIDGenerationTime: time,
      transitionTimes: { triggerTime: time },
      conditions: isWitnessed ? kept : [...kept, ours],
    };
  }

  const landscaper: Landscaper = {
    async createTarget({ name = targetName, access, ...marks } = {}) {
      if (profile.target === undefined) return;
      const { type, config, labels, annotations } = fillIn(profile.target, wordsOf(scene, name));
      const metadata = {
        name,
        labels: marks.labels ?? labels ?? {},
        annotations: marks.annotations ?? annotations ?? {},
      };
      await api.create({ apiVersion, kind: "Target", metadata, spec: { type, ...(access ?? { config }) } });
    },
    async create(ingredient, options = {}) {
      const { name = itemName, hasFinalizer = true } = options;
      const spec = specOf(ingredient, options);
      const target: unknown = Reflect.get(Object(spec["target"]), "name") ?? ".noTargetName";
      const annotations = { [deployerType]: String(spec["type"]), [deployerTargetName]: String(target) };
      const metadata = { name, finalizers: hasFinalizer ? [finalizer] : [], annotations };
      const created = await api.create({ apiVersion, kind: "DeployItem", metadata, spec });
      history.own(created);
      return created;
    },
    async start(ingredient, options = {}) {
      if ((await api.find("Target", targetName)) === undefined) await landscaper.createTarget();
      await landscaper.create(ingredient, options);
      return landscaper.trigger(options.name);
    },
    async trigger(name = itemName, status = {}) {
      const jobID = randomUUID();
      await landscaper.writeStatus((item) => ({ ...nextJob(item, jobID), ...status }), name);
      return jobID;
    },
    async configure(ingredient, options = {}) {
      const wanted = specOf(ingredient, options);
      await write(options.name ?? itemName, async (item) => {
        // As a whole: what the former configuration has more than the new one is to go.
        const config = replacingPatch(item.spec?.["config"], Object(wanted["config"]));
        return api.patch("DeployItem", item.metadata.name, { spec: { timeout: null, ...wanted, config } });
      });
    },
    annotate: async (annotations, name) => landscaper.patch({ metadata: { annotations } }, name),
    patch: async (body, name = itemName) => write(name, async () => api.patch("DeployItem", name, body)),
    writeStatus: async (change, name = itemName) =>
      write(name, async (item) =>
        api.putStatus({ ...item, status: { observedGeneration: 0, ...item.status, ...change(item) } }),
      ),
    interrupt: async (name) =>
      landscaper.writeStatus(
        ({ metadata, status }) => ({
          phase: metadata.deletionTimestamp === undefined ? "Failed" : "DeleteFailed",
          jobIDFinished: status?.jobID,
          lastError: interruption(),
        }),
        name,
      ),
    async remove(name = itemName) {
      const path = `/apis/${apiVersion}/namespaces/${namespace}/deployitems/${name}`;
      // The item when finalizers keep it; else a Status, which no history has.
      history.own((await landscape.hub.client.request({ method: "DELETE", path })) as Item);
    },
    async uninstall(name) {
      await landscaper.remove(name);
      await landscaper.trigger(name);
    },
  };
  return landscaper;
}
