import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Chart } from "./chart/chart.ts";
import { loadChart } from "./chart/load-chart.ts";
import { checkDependencies } from "./dependencies/process-dependencies.ts";
import { packageNames, packAsRecorded, readPackage } from "../test/packages.ts";
import { readRendering, writeRendering } from "../test/renderings.ts";

// What the real `helm package` reads of a folder is what we read of it, and of the package.

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "package-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

const recorded = packageNames().map((name) => [name, readPackage(name)] as const);
const packed = recorded.filter(([, { status }]) => status === 0);
/** `helm package` reads a schema before it packs it, `helm template` when it checks values. */
const refused = recorded.filter(([name, { status }]) => status !== 0 && name !== "values-schema-broken");

/** The files of a chart as they are packed: dependencies in folders, and those of v2 charts in Chart.yaml alone. */
function filesOf({ raw, dependencies, metadata: { apiVersion } }: Chart): string[] {
  const own = raw
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("charts/") || name.endsWith(".prov"))
    .filter((name) => apiVersion === "v1" || !name.startsWith("requirements."));
  const below = dependencies.flatMap((chart) => filesOf(chart).map((name) => `charts/${chart.metadata.name}/${name}`));
  return [...own, ...below];
}

/** What templates are rendered with, but for files, which may be large. An absent repository becomes an empty one. */
function partsOf({ metadata, values, templates, files, dependencies }: Chart): object {
  return {
    metadata: { ...metadata, dependencies: metadata.dependencies?.map((each) => ({ repository: "", ...each })) },
    values,
    templates: Object.fromEntries(templates.map(({ name, data }) => [name, Buffer.from(data).toString("latin1")])),
    files: files.map(({ name }) => name).toSorted(),
    dependencies: dependencies.map(partsOf),
  };
}

describe("of a folder is read what Helm packs", () => {
  it.each(packed)("%s", async (name, { same, changed }) => {
    await writeRendering(folder, readRendering(name));
    expect(filesOf(await loadChart(folder)).toSorted()).toEqual([...same, ...Object.keys(changed)].toSorted());
  });
});

describe("a package is read as its folder", () => {
  it.each(packed)("%s", async (name, entries) => {
    await writeRendering(folder, readRendering(name));
    const loaded = partsOf(await loadChart(folder));
    const file = join(folder, "packed.tgz");
    await packAsRecorded(entries, folder, file);
    expect(partsOf(await loadChart(file))).toEqual(loaded);
  });
});

describe("what Helm does not pack is refused in its words", () => {
  it.each(refused)("%s", async (name, { stderr }) => {
    await writeRendering(folder, readRendering(name));
    const read = async (): Promise<void> => checkDependencies(await loadChart(folder));
    await expect(read()).rejects.toThrow(
      stderr
        .replaceAll("CHART", folder)
        .replace(/^Error: /, "")
        .trimEnd(),
    );
  });
});
