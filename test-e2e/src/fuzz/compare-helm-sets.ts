import { runSet, type SetCase, type SetResult } from "@landscaper/helm/testing";
import { askSets } from "../../oracles/helm/chart-recording.ts";
import { helmSetCase } from "./helm-sets.ts";
import type { FuzzTarget } from "./run-fuzz.ts";

/** Helm's --set, --set-string, --set-json, --set-file and --set-literal beside ours: values with their types, and errors. */
export const helmSetTarget: FuzzTarget<SetCase> = {
  cases: helmSetCase,
  compare: (cases) => {
    const answers = askSets(cases);
    return cases.map((item, index) => {
      const real = JSON.stringify(inOrder(answers[index] ?? {}));
      const ours = JSON.stringify(inOrder(ourAnswer(item)));
      return real === ours ? undefined : `${JSON.stringify(item)}\nHelm: ${real}\nours: ${ours}`;
    });
  },
};

function ourAnswer(item: SetCase): SetResult {
  try {
    return runSet(item);
  } catch (error) {
    return { error: `crash: ${error instanceof Error ? String(error.stack) : String(error)}` };
  }
}

/** The same data with sorted keys. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, inOrder(item)]));
}
