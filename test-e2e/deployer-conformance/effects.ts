import { setTimeout as sleep } from "node:timers/promises";
import { isConflict } from "../src/kits/plain-api.ts";
import { runEvery } from "../src/kits/run-every.ts";
import { Deviation, fieldOf, findMismatch, show } from "./expectations.ts";
import type { ObjectLife } from "./item-history.ts";
import { followObject } from "./item-history.ts";
import type { Effect, IngredientName, Release } from "./profile.ts";
import { ingredientOf, itemName, type Scene } from "./scene.ts";
import { describePlace, placeOfRelease, type ObjectPlace } from "./target-objects.ts";

const pauseMs = 60;

export type EffectList = "effects" | "lateEffects";

export interface EffectOptions {
  readonly name?: string;
  /** "effects" by default. */
  readonly which?: EffectList;
}

/** What the work of the deployer leaves in the cluster that Targets give access to. */
export interface Effects {
  /** Where the effects of an ingredient are, for an item. */
  effectsOf(ingredient: IngredientName, options?: EffectOptions): readonly ObjectPlace[];
  /** Follows an object from now on; it need not be there yet. */
  follow(object: ObjectPlace): Promise<ObjectLife>;
  /** Waits until all effects are there with the fields that the profile gives. */
  waitForEffects(ingredient: IngredientName, options?: EffectOptions): Promise<void>;
  expectEffects(ingredient: IngredientName, options?: EffectOptions): Promise<void>;
  /** Expects that none is there; `why` belongs to the message. */
  expectNoEffects(ingredient: IngredientName, why: string, options?: EffectOptions): Promise<void>;
  /** Expects that nothing is left once an item has gone, unless the deployer uninstalls nothing. */
  expectUninstalled(ingredient: IngredientName): Promise<void>;
  removeEffects(ingredient: IngredientName): Promise<void>;
  /** Puts a finalizer of the kit on the first effect, so that it cannot go, or takes it away. */
  hold(ingredient: IngredientName, isHeld: boolean): Promise<void>;
  /** Lets work come to its end that waits for the profile's release, if it does. */
  release(ingredient: IngredientName, options?: EffectOptions): Promise<void>;
  /** Ends what follows objects, takes the kit's finalizer away, and removes what was released. */
  readonly stop: () => Promise<void>;
}

const holder = "conformance.test/hold";

export function createEffects(scene: Scene): Effects {
  const { landscape, namespace } = scene;
  const { targetObjects, profile, target } = landscape;
  const lives: ObjectLife[] = [];
  const released: Release[] = [];
  const held: ObjectPlace[] = [];

  const listOf = (ingredient: IngredientName, { name = itemName, which = "effects" }: EffectOptions) =>
    (ingredientOf(scene, ingredient, name)[which] ?? []).map((effect) => ({ effect, object: toPlace(effect) }));
  const toPlace = ({ apiVersion, resource, name, namespace: own = namespace }: Effect): ObjectPlace => ({
    apiVersion,
    resource,
    name,
    namespace: own,
  });

  /** What is wrong with an effect; undefined when it is as the profile says. */
  async function findProblem(ingredient: IngredientName, options: EffectOptions): Promise<string | undefined> {
    for (const { effect, object } of listOf(ingredient, options)) {
      const found = await targetObjects.find(object);
      if (found === undefined) return `${describePlace(object)}: expected to be there, found nothing`;
      if (found.metadata.deletionTimestamp !== undefined) return `${describePlace(object)}: found it being deleted`;
      const kept = (effect.without ?? []).find((path) => fieldOf(found, path) !== undefined);
      if (kept !== undefined) {
        return `${describePlace(object)}, ${kept}: expected nothing, found ${show(fieldOf(found, kept))}`;
      }
      const mismatch = findMismatch(found, effect.contains ?? {});
      if (mismatch === undefined) continue;
      const values = `expected ${show(mismatch.expected)}, found ${show(mismatch.found)}`;
      return `${describePlace(object)}, ${mismatch.path}: ${values}`;
    }
    return undefined;
  }

  async function expectNoEffects(ingredient: IngredientName, why: string, options: EffectOptions = {}): Promise<void> {
    for (const { effect, object } of listOf(ingredient, options)) {
      const found = await targetObjects.find(object);
      if (found === undefined || findMismatch(found, effect.contains ?? {}) !== undefined) continue;
      throw new Deviation(`${describePlace(object)}: expected not to be there (${why}), found it`);
    }
  }

  async function setHolder(object: ObjectPlace, isHeld: boolean): Promise<void> {
    for (;;) {
      const live = await targetObjects.find(object);
      if (live === undefined) return;
      const others = (live.metadata.finalizers ?? []).filter((name) => name !== holder);
      const { resourceVersion } = live.metadata;
      try {
        const finalizers = isHeld ? [...others, holder] : others;
        await targetObjects.patch(object, { metadata: { finalizers, resourceVersion } });
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  return {
    effectsOf: (ingredient, options = {}) => listOf(ingredient, options).map(({ object }) => object),
    async follow(object) {
      const life = await followObject(target.client, object);
      lives.push(life);
      return life;
    },
    async waitForEffects(ingredient, options = {}) {
      const deadline = performance.now() + profile.seconds.work * 1000;
      for (;;) {
        const problem = await findProblem(ingredient, options);
        if (problem === undefined) return;
        if (performance.now() > deadline) throw new Deviation(`${problem}, after ${profile.seconds.work} s`);
        await sleep(pauseMs);
      }
    },
    async expectEffects(ingredient, options = {}) {
      const problem = await findProblem(ingredient, options);
      if (problem !== undefined) throw new Deviation(problem);
    },
    expectNoEffects,
    async expectUninstalled(ingredient) {
      if (!profile.lacks.includes("uninstall")) await expectNoEffects(ingredient, "its item is gone");
    },
    async removeEffects(ingredient) {
      await Promise.all(listOf(ingredient, {}).map(async ({ object }) => targetObjects.delete(object)));
    },
    async hold(ingredient, isHeld) {
      const [first] = listOf(ingredient, {});
      if (first === undefined) throw new Error(`the scenario needs effects of items.${ingredient} and does not say so`);
      held.push(first.object);
      await setHolder(first.object, isHeld);
    },
    async release(ingredient, { name = itemName } = {}) {
      const { release } = ingredientOf(scene, ingredient, name);
      if (release === undefined) return;
      await targetObjects.create(release);
      released.push(release);
      if (release.resource === "namespaces") landscape.noteNamespace(target, placeOfRelease(release).name);
    },
    stop: async () =>
      runEvery([
        // First: an object that keeps its finalizer would keep its namespace.
        ...held.map((object) => async () => setHolder(object, false)),
        ...released.map((release) => async () => targetObjects.delete(placeOfRelease(release))),
        ...lives.map((life) => async () => life.stop()),
      ]),
  };
}
