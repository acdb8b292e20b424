import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TemplateError } from "@landscaper/gotemplate";
import { ChartError } from "./chart/chart-error.ts";
import { loadChart } from "./chart/load-chart.ts";
import { checkDependencies, processDependencies } from "./dependencies/process-dependencies.ts";
import { renderChart } from "./rendering/render-chart.ts";
import { readRendering, writeRendering } from "../test/renderings.ts";
import { valuesOfFlags } from "./values/flag-values.ts";
import { renderValues } from "./values/render-values.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bad-chart-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Where the mistake of a chart is, as the error says. */
async function placeOf(name: string, path: string, set: readonly string[] = []): Promise<string> {
  await writeRendering(folder, readRendering(name));
  try {
    const given = valuesOfFlags({ set }, () => new Uint8Array());
    const loaded = await loadChart(join(folder, path));
    checkDependencies(loaded);
    const chart = processDependencies(loaded, given);
    renderChart(chart, { values: renderValues(chart, given), release: { name: "rel", namespace: "ns" } });
  } catch (error) {
    if (error instanceof TemplateError) {
      const { templateName, line, column } = error.position;
      return `${error.kind} ${templateName}:${line}:${column ?? ""}`;
    }
    if (error instanceof ChartError) {
      const { chart = "", file = "", line = "", column = "" } = error;
      return `${chart} ${file}:${line}:${column}`;
    }
    throw error;
  }
  throw new Error("it renders");
}

describe("an error says where the mistake is", () => {
  it.each([
    ["load-bad-yaml", "", " Chart.yaml:3:1"],
    ["load-bad-values", "", "load-bad-values values.yaml:2:3"],
    ["bad-chart-yaml-syntax", "", " Chart.yaml:3:15"],
    ["bad-chart-yaml-syntax", "nested", "nested charts/sub/Chart.yaml:3:1"],
    ["bad-chart-yaml-syntax", "packed", "packed charts/sub-1.0.0.tgz/Chart.yaml:3:1"],
    ["bad-chart-yaml-syntax", "types", " Chart.yaml::"],
    ["bad-values-syntax", "", "bad-values-syntax values.yaml:4:2"],
    ["bad-values-syntax", "sub", "mid charts/mid/values.yaml:2:1"],
    ["bad-values-syntax", "low", "leaf charts/mid/charts/leaf/values.yaml:1:4"],
    ["bad-values-syntax", "list", "list values.yaml::"],
    ["bad-values-syntax", "keys", "keys values.yaml:2:2"],
    ["bad-values-syntax", "lock", "lock Chart.lock:1:10"],
    ["bad-values-syntax", "req", "req requirements.yaml:4:1"],
    ["bad-metadata", "a", " Chart.yaml::"],
    ["bad-metadata", "c", "c Chart.yaml::"],
    ["bad-metadata", "f", "f Chart.yaml::"],
    ["bad-metadata", "h", "sub charts/sub/Chart.yaml::"],
    ["bad-metadata", "i", "i charts/sub/Chart.yaml::"],
    ["bad-metadata", "j", "j Chart.yaml::"],
    ["bad-metadata", "l", "l Chart.yaml::"],
    ["bad-metadata", "m", " Chart.yaml::"],
    ["bad-archives", "up.tgz", " c/../../up.txt::"],
    ["bad-archives", "absolute.tgz", " c//etc/x::"],
    ["bad-archives", "large.tgz", " c/big.bin::"],
    ["bad-archives", "sub", "sub charts/up-1.0.0.tgz/up/../../x::"],
    ["bad-archives", "text", "text charts/text-1.0.0.tgz::"],
    ["load-large-file", "", " data.bin::"],
    ["load-link-broken", "", " templates/x.yaml::"],
    ["load-link-loop", "", " templates/x.yaml::"],
    ["load-text-in-charts", "", "load-text-in-charts charts/README.md/Chart.yaml::"],
    ["load-folder-named-archive", "", "load-folder-named-archive charts/sub.tgz/Chart.yaml::"],
    ["load-ignore-double-star", "", " .helmignore::"],
    ["load-missing-dependency", "", "load-missing-dependency Chart.yaml::"],
    ["values-schema-broken", "", "values-schema-broken values.schema.json::"],
    ["error-output", "", " error-output/templates/b.yaml:1:5"],
    ["error-parse", "", "parse error-parse/templates/a.yaml:3:"],
    ["error-parse-in-subchart", "", "parse error-parse-in-subchart/charts/sub/templates/s.yaml:1:"],
    ["error-in-subchart", "", "execution error-in-subchart/charts/sub/templates/s.yaml:1:16"],
  ])("%s %s", async (name, path, place) => {
    expect(await placeOf(name, path)).toBe(place);
  });

  it.each([
    ["load-deep-values", ["a=text"], "a ::"],
    ["load-deep-values", ["a.c=text"], "c ::"],
    ["error-positions", ["sub.mode=include"], "execution error-positions/charts/sub/templates/s.yaml:1:39"],
    ["error-positions", ["mode=multi"], "execution error-positions/templates/deep/er/a.yaml:9:7"],
    ["values-schema-paths", ["image.tag=5"], "values-schema-paths values.schema.json::"],
    ["values-schema", ["sub.port=1000"], "sub values.schema.json::"],
  ])("%s with %j", async (name, set, place) => {
    expect(await placeOf(name, "", set)).toBe(place);
  });
});
