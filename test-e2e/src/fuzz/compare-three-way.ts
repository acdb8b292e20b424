import {
  applyMergePatch,
  applyStrategicMergePatch,
  createThreeWayPatch,
  isDeepEqual,
  PatchError,
} from "@landscaper/patch";
import { askOracle } from "../../oracles/ask-oracle.ts";
import { buildOracle } from "../../oracles/build-oracle.ts";
import type { FuzzTarget } from "./run-fuzz.ts";
import { threeStatesCase, type ThreeStatesCase } from "./three-states.ts";

/** A line of oracles/patch/main.go. */
interface Answer {
  readonly type?: "strategic" | "merge";
  readonly patch?: unknown;
  /** What the patch makes of the live object. */
  readonly result?: unknown;
  readonly error?: string;
}

/**
 * The three-way patches of the Kubernetes library beside ours: what becomes of the live object. The patches themselves differ where
 * the library removes what is not there, which sends needless requests and leaves directives in new items.
 */
export const threeWayTarget: FuzzTarget<ThreeStatesCase> = {
  cases: threeStatesCase,
  compare: (cases) => {
    const answers = askOracle(buildOracle("patch"), cases) as Answer[];
    return cases.map((item, index) => {
      const real = realOutcome(item, answers[index] ?? {});
      const ours = ourOutcome(item);
      return isDeepEqual(real, ours) ? undefined : JSON.stringify({ item, real, ours, answer: answers[index] });
    });
  },
};

function realOutcome({ current }: ThreeStatesCase, { type, patch, result, error }: Answer): unknown {
  if (error !== undefined) return { error: true };
  return { type, result: comparable(type === "merge" ? applyMergePatch(current, patch) : result) };
}

function ourOutcome(item: ThreeStatesCase): unknown {
  try {
    const { type, body } = createThreeWayPatch(item, item);
    const { current } = item;
    const result = type === "merge" ? applyMergePatch(current, body) : applyStrategicMergePatch(current, body, item);
    return { type, result: comparable(result) };
  } catch (error) {
    if (error instanceof PatchError) return { error: true };
    throw error;
  }
}

/** Without directives and nulls, which ours never leaves; finalizers, whose order means nothing, sorted. */
function comparable(value: unknown, key?: string): unknown {
  if (Array.isArray(value)) {
    const items = value.filter((item) => !isDeletion(item)).map((item) => comparable(item));
    return key === "finalizers" ? items.map(String).toSorted() : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name, field]) => !name.startsWith("$") && field !== null);
  return Object.fromEntries(entries.map(([name, field]) => [name, comparable(field, name)]));
}

function isDeletion(item: unknown): boolean {
  return typeof item === "object" && item !== null && "$patch" in item;
}
