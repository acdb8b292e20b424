import type { AbilityName, IngredientName, Profile } from "./profile.ts";
import { abilities, ingredientNames, isAbility } from "./profile.ts";
import type { Place } from "./place.ts";

/** What a scenario needs of the profile: an ability, an ingredient, or a part of it. */
export type Need =
  | AbilityName
  | IngredientName
  | `${IngredientName}.effects`
  | `${IngredientName}.lateEffects`
  | "target"
  | "target.unusable"
  | "target.otherwise"
  | "leases"
  | "restart";

export interface Scenario {
  /** Letter of its group and number; it stays. */
  readonly id: string;
  /** A sentence without subject: what a deployer does. */
  readonly title: string;
  /** The sentence of the contract that it stands for, in our words, and where that stands. */
  readonly contract: string;
  /** True: deployers of the original do otherwise, and work with either Landscaper all the same. */
  readonly isStricter?: boolean;
  readonly needs: readonly Need[];
  /** True: the others have ended before. */
  readonly isAlone?: boolean;
  run(place: Place): Promise<void>;
}

/** Abilities that need a description in the profile. */
const described: ReadonlySet<string> = new Set(["predecessors"]);
const isIngredient = (text: string): text is IngredientName => ingredientNames.some((name) => name === text);

function findMissing(profile: Profile, need: Need): string | undefined {
  if (described.has(need)) {
    return (profile.predecessors ?? []).length === 0 ? `profile has no ${need}` : undefined;
  }
  if (isAbility(need)) return undefined;
  const [first = "", part] = need.split(".");
  if (isIngredient(first)) {
    const ingredient = profile.items[first];
    if (ingredient === undefined) return `profile has no items.${first}`;
    const list = part === undefined ? [need] : part === "effects" ? ingredient.effects : ingredient.lateEffects;
    return (list ?? []).length === 0 ? `profile has no items.${need}` : undefined;
  }
  const value = first === "target" ? profile.target : first === "leases" ? profile.leases : profile.restart;
  const isThere = part === undefined ? value !== undefined : Reflect.get(Object(value), part) !== undefined;
  return isThere ? undefined : `profile has no ${need}`;
}

/** Why a scenario is not played. */
export interface LeftOut {
  /** "not applicable": there is no such thing with this deployer. "not judged": there may be, but the profile does not say enough. */
  readonly outcome: "not applicable" | "not judged";
  readonly why: string;
}

/** Why the scenario is not played with this profile; undefined when it is. */
export function whyLeftOut(profile: Profile, { needs }: Pick<Scenario, "needs">): LeftOut | undefined {
  const lacking = needs.filter(isAbility).find((ability) => profile.lacks.includes(ability));
  if (lacking !== undefined) {
    return { outcome: "not applicable", why: `the profile says that it lacks ${lacking}: ${abilities[lacking]}` };
  }
  const why = needs.map((need) => findMissing(profile, need)).find((reason) => reason !== undefined);
  return why === undefined ? undefined : { outcome: "not judged", why };
}
