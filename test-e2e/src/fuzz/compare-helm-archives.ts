import { type ChartCase, type ChartResult, runChart } from "@landscaper/helm/testing";
import { askCharts } from "../../oracles/helm/chart-recording.ts";
import { helmArchiveCase } from "./helm-archives.ts";
import type { FuzzTarget } from "./run-fuzz.ts";
import { sortedJson } from "./sorted-json.ts";

/** What Helm reads of damaged archives beside what we read. */
export const helmArchiveTarget: FuzzTarget<ChartCase> = {
  cases: helmArchiveCase,
  compare: async (cases) => {
    const answers = askCharts(cases);
    return Promise.all(
      cases.map(async (item, index) => {
        const real = answers[index] ?? {};
        const ours = await ourAnswer(item);
        if (isAlike(real, ours)) return undefined;
        return `${item.archive ?? ""}\nHelm: ${sortedJson(real)}\nours: ${sortedJson(ours)}`;
      }),
    );
  },
};

function isAlike(real: ChartResult, ours: ChartResult): boolean {
  // Helm does not look at the checksum of what it has read as far as the end of the tar.
  if (ours.error?.endsWith("gzip: invalid checksum") === true) return true;
  return plainText(real) === plainText(ours);
}

/** Without the place that Go names in compressed data. */
function plainText(result: ChartResult): string {
  return sortedJson(result).replace(/(?<=flate: corrupt input) before offset \d+/, "");
}

async function ourAnswer(item: ChartCase): Promise<ChartResult> {
  try {
    return await runChart(item);
  } catch (error) {
    return { error: `crash: ${error instanceof Error ? String(error.stack) : String(error)}` };
  }
}
