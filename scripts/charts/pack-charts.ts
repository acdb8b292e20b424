import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipped, packFiles } from "@landscaper/components";
import {
  type Chart,
  defaultApiVersions,
  loadChart,
  processDependencies,
  renderChart,
  renderValues,
  valuesOfFlags,
} from "@landscaper/helm";
import { chartDefinitions, type ChartDefinition } from "./chart-definitions.ts";
import { chartsFolder } from "./chart-files.ts";
import { libraryChart } from "./library-chart.ts";
import { valuesFileOf } from "./values-documents.ts";

export interface PackOptions {
  /** Of the workspace. */
  readonly root: string;
  /** Gets a folder for each chart with its dependencies, and NAME-VERSION.tgz. */
  readonly output: string;
  /** Where the images are: becomes the default of `global.landscaper.image.prefix`. Without it charts keep "landscaper/". */
  readonly imagePrefix?: string | undefined;
}

/**
 * Packs all charts. Returns a line for each: its file with size and SHA-256. Throws ChartError or TemplateError for a chart that Helm would not
 * install as it comes, or with its hardened values.
 */
export async function packCharts({ root, output, imagePrefix }: PackOptions): Promise<string[]> {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const lines: string[] = [];
  for (const definition of chartDefinitions) {
    const folder = join(output, definition.name);
    vendor(definition, folder, { source: join(root, chartsFolder), imagePrefix });
    const chart = await loadChart(folder);
    checkRenderings(chart, folder);
    const archive = await pack(chart);
    const file = `${chart.metadata.name}-${chart.metadata.version}.tgz`;
    writeFileSync(join(output, file), archive);
    const digest = createHash("sha256").update(archive).digest("hex");
    lines.push(`${join(output, file)} (${Math.ceil(archive.length / 1024)} KiB, sha256:${digest})`);
  }
  return lines;
}

interface VendorOptions {
  /** The folder of all charts. */
  readonly source: string;
  readonly imagePrefix: string | undefined;
}

/** Copies a chart with the charts that it depends on in its folder charts/, each with the library. */
function vendor(definition: ChartDefinition, folder: string, options: VendorOptions): void {
  const { name, dependencies = {} } = definition;
  const { source, imagePrefix } = options;
  cpSync(join(source, name), folder, { recursive: true });
  if (imagePrefix !== undefined) {
    writeFileSync(join(folder, "values.yaml"), valuesFileOf(withImagePrefix(definition, imagePrefix)));
  }
  const below = Object.keys(dependencies);
  if (below.length === 0) cpSync(join(source, libraryChart), join(folder, "charts", libraryChart), { recursive: true });
  for (const chart of chartDefinitions.filter((each) => below.includes(each.name))) {
    vendor(chart, join(folder, "charts", chart.name), options);
  }
}

function withImagePrefix(definition: ChartDefinition, prefix: string): ChartDefinition {
  return { ...definition, defaults: { ...definition.defaults, global: { landscaper: { image: { prefix } } } } };
}

function checkRenderings(loaded: Chart, folder: string): void {
  for (const valueFiles of [[], [join(folder, "values-hardened.yaml")]]) {
    const given = valuesOfFlags({ valueFiles }, (name) => readFileSync(name));
    const chart = processDependencies(loaded, given);
    const values = renderValues(chart, given);
    const release = { name: "landscaper", namespace: "landscaper-system" };
    renderChart(chart, { values, release, capabilities: { apiVersions: defaultApiVersions } });
  }
}

/** As Helm packs it, below the chart's name, but in the order of names and without times: equal charts give equal bytes. */
async function pack({ metadata, raw }: Chart): Promise<Buffer> {
  const files = raw
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, data }) => ({
      name: `${metadata.name}/${name}`,
      size: data.length,
      content: async function* () {
        yield data;
      },
    }));
  const parts: Uint8Array[] = [];
  for await (const part of gzipped(packFiles(files))) parts.push(part);
  return Buffer.concat(parts);
}
