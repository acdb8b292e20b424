import type { PlanDocument } from "@landscaper/api";
import { isJsonObject } from "@landscaper/resources";

/** Answer of a helm deployer to the question what a switch would change. */
export interface SwitchAnswer {
  /** Version that the item works as. */
  readonly version: string;
  /** Why: "item", "release", "lastJob" or "default". */
  readonly source: string;
  /** Version of the last job; null without one. */
  readonly recorded: string | null;
  readonly to: string;
  readonly result: string;
  readonly changes: readonly SwitchedObject[];
  /** Further changes that did not fit into the plan. */
  readonly omitted: number;
}

export type SwitchedObject = Readonly<Record<string, unknown>>;

/** Reads the answer from a plan; undefined if the plan answers another question. */
export function readSwitchAnswer({ details, changes, omitted = 0 }: PlanDocument): SwitchAnswer | undefined {
  const helm = memberOf(details, "helm");
  const answer = memberOf(helm, "switch");
  if (!isJsonObject(helm) || !isJsonObject(answer)) return undefined;
  const { recorded } = helm;
  return {
    version: textOf(helm["version"]),
    source: textOf(helm["source"]),
    recorded: typeof recorded === "string" ? recorded : null,
    to: textOf(answer["to"]),
    result: textOf(answer["result"]),
    changes: changes.filter(isJsonObject),
    omitted,
  };
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
