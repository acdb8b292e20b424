import { type ChartCase, type ChartResult, runChart } from "@landscaper/helm/testing";
import { askCharts } from "../../oracles/helm/chart-recording.ts";
import { helmChartCase } from "./helm-charts.ts";
import type { FuzzTarget } from "./run-fuzz.ts";
import { sortedJson } from "./sorted-json.ts";

/** Helm's processing of dependencies and coalescing of values beside ours: charts, values, warnings and errors. */
export const helmChartTarget: FuzzTarget<ChartCase> = {
  cases: helmChartCase,
  compare: async (cases) => {
    const answers = askCharts(cases);
    return Promise.all(
      cases.map(async (item, index) => {
        const real = sortedJson(answers[index]);
        const ours = sortedJson(await ourAnswer(item));
        return real === ours ? undefined : `${JSON.stringify(item, undefined, 1)}\nHelm: ${real}\nours: ${ours}`;
      }),
    );
  },
};

async function ourAnswer(item: ChartCase): Promise<ChartResult> {
  try {
    return await runChart(item);
  } catch (error) {
    return { error: `crash: ${error instanceof Error ? String(error.stack) : String(error)}` };
  }
}
