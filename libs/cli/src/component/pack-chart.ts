import { readFile, stat } from "node:fs/promises";
import { gzipped, packFiles, type PackedChart } from "@landscaper/components";
import { compareStrings } from "@landscaper/goyaml";
import { loadChart, loadChartArchive, type Chart } from "@landscaper/helm";

/** The chart in a folder or a packed file. A packed one keeps its bytes, and its provenance if the file lies beside it; equal folders give equal bytes. Throws ChartError. */
export async function packChart(path: string): Promise<PackedChart> {
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true;
  if (!isFile) {
    const chart = await loadChart(path);
    return { ...describe(chart), archive: await packFolder(chart) };
  }
  const provenance = await readFile(`${path}.prov`).catch(() => undefined);
  return { ...(await packChartArchive(await readFile(path))), provenance };
}

/** The chart in a packed file, which keeps its bytes. Throws ChartError. */
export async function packChartArchive(archive: Uint8Array): Promise<PackedChart> {
  return { ...describe(await loadChartArchive(archive)), archive };
}

function describe({ metadata }: Chart): Omit<PackedChart, "archive"> {
  return { name: metadata.name, version: metadata.version, metadata };
}

/** As Helm packs it, below the chart's name, but in the order of names and without times. */
async function packFolder({ metadata, raw }: Chart): Promise<Buffer> {
  const files = raw
    .toSorted((a, b) => compareStrings(a.name, b.name))
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
