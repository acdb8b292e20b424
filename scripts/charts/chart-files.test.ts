import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { productVersion } from "../../libs/api/src/product-version.ts";
import { generateChartFiles } from "./chart-files.ts";

const root = join(import.meta.dirname, "../..");

it("finds the files of the charts as npm run generate writes them, with the one version of the product", () => {
  const files = generateChartFiles(root, productVersion);
  expect(files.length).toBeGreaterThan(20);
  const stale = files.filter(({ path, content }) => readFileSync(join(root, path), "utf8") !== content);
  expect(stale.map(({ path }) => path)).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const charts = files.filter(({ path }) => path.endsWith("/Chart.yaml"));
  expect(charts.filter(({ content }) => !content.includes(`\nversion: ${version}\n`)).map(({ path }) => path)).toEqual(
    [],
  );
});
