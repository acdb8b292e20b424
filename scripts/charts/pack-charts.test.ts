import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "@jest/globals";
import {
  defaultApiVersions,
  loadChartArchive,
  processDependencies,
  renderChart,
  renderValues,
  valuesOfFlags,
} from "@landscaper/helm";
import { productVersion } from "../../libs/api/src/product-version.ts";
import { packCharts } from "./pack-charts.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "pack-charts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The images that the packed file of a chart asks for, with a values file of a user. */
async function imagesOf(file: string, valuesFile: string): Promise<string[]> {
  const given = valuesOfFlags({ valueFiles: ["values.yaml"] }, () => Buffer.from(valuesFile));
  const chart = processDependencies(await loadChartArchive(readFileSync(file)), given);
  const values = renderValues(chart, given);
  const release = { name: "ls", namespace: "landscaper-system" };
  const rendered = JSON.stringify(
    renderChart(chart, { values, release, capabilities: { apiVersions: defaultApiVersions } }),
  );
  return [...rendered.matchAll(/\bimage: (?:\\")?([^"\\\s]+)/g)].map(([, image = ""]) => image).toSorted();
}

it("packs charts whose images are where imagePrefix says, until a user says otherwise", async () => {
  await packCharts({ root, output: folder, imagePrefix: "registry.example/ls/" });
  const files = globSync("*.tgz", { cwd: folder }).toSorted();
  expect(files).toHaveLength(7);
  const images = await Promise.all(files.map(async (file) => await imagesOf(join(folder, file), "{}")));
  const at = (name: string): string => `registry.example/ls/${name}:${productVersion}`;
  expect(images).toEqual([
    // The Deployment and the cleanup have the same image.
    ["-init", "-wait", "", ""].map((program) => at(`container-deployer${program}`)),
    [at("helm-deployer")],
    [at("landscaper-core"), at("landscaper-core")],
    [at("landscaper-agent")],
    [at("helm-deployer"), at("landscaper-core"), at("landscaper-core"), at("manifest-deployer")],
    [at("manifest-deployer")],
    [at("mock-deployer")],
  ]);
  const mirrored = "global: { landscaper: { image: { prefix: mirror.example/ } } }";
  const stack = join(folder, `landscaper-stack-${productVersion}.tgz`);
  expect(await imagesOf(stack, mirrored)).toEqual(
    ["helm-deployer", "landscaper-core", "landscaper-core", "manifest-deployer"].map(
      (name) => `mirror.example/${name}:${productVersion}`,
    ),
  );
});
