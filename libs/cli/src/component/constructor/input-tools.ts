import type { InputTools } from "@landscaper/components";
import { yamlText } from "@landscaper/spiff";
import { UsageError } from "../../usage-error.ts";
import { packChart, packChartArchive } from "../pack-chart.ts";
import { mergeSpiff } from "./merge-spiff.ts";
import { splitPair } from "./split-pair.ts";

/** The parts of `InputTools` that need no network. */
export const localTools: Pick<InputTools, "readChart" | "readChartArchive" | "evaluateSpiff"> = {
  readChart: packChart,
  readChartArchive: packChartArchive,
  evaluateSpiff: ({ template, stubs, bindings }) => {
    const { output } = mergeSpiff({ template, stubs, bindings });
    return yamlText(output);
  },
};

/** Reads `NAME=PATH` of an image. Throws UsageError. */
export function readImages(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word) => {
      const pair = splitPair(word);
      if (pair !== undefined && pair[1] !== "") return pair;
      throw new UsageError(`--image: expected NAME=PATH, found ${JSON.stringify(word)}`);
    }),
  );
}
