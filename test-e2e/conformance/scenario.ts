import type { Place } from "./place.ts";

/** What the implementation under test is known to do; scenarios that need more are left out. */
export interface Abilities {
  /** Its pickup timeout, if it is short enough to wait for. */
  readonly pickupSeconds?: number;
}

export interface Scenario {
  /** A sentence: what an implementation does. */
  readonly title: string;
  /** Prefix of its namespace. */
  readonly name: string;
  readonly needs?: keyof Abilities;
  run(place: Place, abilities: Abilities): Promise<void>;
}
