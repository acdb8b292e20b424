import { runSet, type SetCase, type SetResult } from "@landscaper/helm/testing";
import { askSets } from "../../oracles/helm/chart-recording.ts";
import { helmSetCase } from "./helm-sets.ts";
import type { FuzzTarget } from "./run-fuzz.ts";
import { sortedJson } from "./sorted-json.ts";

/** Helm's --set, --set-string, --set-json, --set-file and --set-literal beside ours: values with their types, and errors. */
export const helmSetTarget: FuzzTarget<SetCase> = {
  cases: helmSetCase,
  compare: (cases) => {
    const answers = askSets(cases);
    return cases.map((item, index) => {
      const real = sortedJson(answers[index]);
      const ours = sortedJson(ourAnswer(item));
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
