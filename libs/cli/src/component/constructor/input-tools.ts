import type { InputTools } from "@landscaper/components";
import { createSpiff, SpiffError, yamlText } from "@landscaper/spiff";
import { UsageError } from "../../usage-error.ts";
import { packChart, packChartArchive } from "../pack-chart.ts";

/** The parts of `InputTools` that need no network. */
export const localTools: Pick<InputTools, "readChart" | "readChartArchive" | "evaluateSpiff"> = {
  readChart: packChart,
  readChartArchive: packChartArchive,
  evaluateSpiff: ({ template, stubs, bindings }) => {
    try {
      return yamlText(createSpiff().merge({ template, stubs, bindings }).output);
    } catch (error) {
      if (error instanceof SpiffError) throw new UsageError(`${template.name}: ${error.message}`);
      throw error;
    }
  },
};

/** Reads `NAME=PATH` of an image. Throws UsageError. */
export function readImages(words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word): readonly [string, string] => {
      const at = word.indexOf("=");
      if (at > 0 && at < word.length - 1) return [word.slice(0, at), word.slice(at + 1)];
      throw new UsageError(`--image: expected NAME=PATH, found ${JSON.stringify(word)}`);
    }),
  );
}
