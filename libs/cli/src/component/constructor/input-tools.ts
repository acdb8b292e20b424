import { LandscaperError } from "@landscaper/api";
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
    try {
      return yamlText(mergeSpiff({ template, stubs, bindings }).output);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      // The caller adds the place in the constructor file to such errors.
      const { message } = error;
      throw new LandscaperError({
        message,
        reason: "InvalidComponent",
        codes: ["ERR_CONFIGURATION_PROBLEM"],
        retry: "never",
        cause: error,
      });
    }
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
