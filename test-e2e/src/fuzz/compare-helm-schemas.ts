import { type ChartCase, type ChartResult, runChart } from "@landscaper/helm/testing";
import { askCharts } from "../../oracles/helm/chart-recording.ts";
import { helmSchemaCase } from "./helm-schemas.ts";
import type { FuzzTarget } from "./run-fuzz.ts";

/** What Helm says of values by a schema beside what we say; properties are in random order there, so lines are sorted. */
export const helmSchemaTarget: FuzzTarget<ChartCase> = {
  cases: helmSchemaCase,
  compare: async (cases) => {
    const answers = askCharts(cases);
    return Promise.all(
      cases.map(async (item, index) => {
        const real = sortedLines(answers[index]);
        const ours = sortedLines(await runChart(item));
        return real === ours ? undefined : `${JSON.stringify(item, undefined, 1)}\nHelm: ${real}\nours: ${ours}`;
      }),
    );
  },
};

function sortedLines(result: ChartResult | undefined): string {
  return result?.error?.split("\n").map(sortedNames).toSorted().join("\n") ?? "ok";
}

function sortedNames(line: string): string {
  return line.replace(/(?<=additional properties ).*(?= not allowed)/, (names) =>
    names.split(", ").toSorted().join(", "),
  );
}
