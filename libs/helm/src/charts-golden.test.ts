import { describe, expect, it } from "@jest/globals";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type ChartCase, type ChartResult, runChart } from "../test/charts.ts";
import { goldenFolder } from "../test/index.ts";

const folder = join(goldenFolder, "loading");

/** Made by Helm from our charts. */
type Recorded = ChartCase & { readonly result: ChartResult };

describe.each(globSync("*.json", { cwd: folder }).map((file) => basename(file)))("Helm and we agree on %s", (file) => {
  const cases = JSON.parse(readFileSync(join(folder, file), "utf8")) as readonly Recorded[];

  it.each(cases.map((recorded, i) => [`${i} ${recorded.name}`, recorded] as const))("%s", async (_, recorded) => {
    expect(await runChart(recorded)).toEqual(recorded.result);
  });
});
