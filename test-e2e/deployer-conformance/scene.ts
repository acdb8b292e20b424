import { createHash } from "node:crypto";
import type { Api } from "../src/kits/plain-api.ts";
import type { ItemHistory } from "./item-history.ts";
import type { Landscape } from "./landscape.ts";
import { fillIn, type Words } from "./placeholders.ts";
import type { Ingredient, IngredientName } from "./profile.ts";

/** Name of the item of a scenario that has one. */
export const itemName = "item";
/** Name of the Target of a scenario. */
export const targetName = "target";

/** One namespace, and what is seen of it. */
export interface Scene {
  readonly landscape: Landscape;
  readonly namespace: string;
  readonly api: Api;
  readonly history: ItemHistory;
}

export function wordsOf({ landscape, namespace }: Scene, name: string): Words {
  // Names of many things begin with a letter.
  const id = `c${createHash("sha1").update(name).digest("hex").slice(0, 9)}`;
  return { name, id, namespace, kubeconfig: landscape.targetKubeconfig, sentinel: landscape.sentinel };
}

/** An ingredient of the profile for the item of that name, placeholders filled in. */
export function ingredientOf(scene: Scene, ingredient: IngredientName, name: string): Ingredient {
  const found = scene.landscape.profile.items[ingredient];
  if (found === undefined) throw new Error(`the scenario needs items.${ingredient} of the profile and does not say so`);
  return fillIn(found, wordsOf(scene, name));
}
