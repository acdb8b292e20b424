import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { LandscaperError } from "@landscaper/api";
import { gzipped, packFiles, systemErrorCode, type PackedChart } from "@landscaper/components";
import { compareStrings } from "@landscaper/goyaml";
import { readBounded } from "@landscaper/oci";
import { ChartError, loadChart, loadChartArchive, type Chart } from "@landscaper/helm";
import { UsageError } from "../usage-error.ts";

/** Packs the chart of a folder, or reads a packed chart with the provenance beside it. Equal folders give equal bytes; a packed chart keeps its bytes. Throws LandscaperError that names the path. */
export async function packChart(path: string): Promise<PackedChart> {
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true;
  if (!isFile) {
    const chart = await asComponentError(path, async () => await loadChart(path));
    return { ...describe(chart), archive: await packFolder(chart) };
  }
  const provenance = await readProvenance(`${path}.prov`);
  const archive = await readFile(path);
  return { ...(await readArchive(archive, path)), provenance };
}

/** Signed hash and Chart.yaml of a chart, so a small text. */
const maxProvenanceBytes = 1024 * 1024;

/** Returns undefined if the file does not exist. Throws an error that names any other file that cannot be read. */
async function readProvenance(file: string): Promise<Buffer | undefined> {
  try {
    const found = await stat(file);
    // Reading a pipe would not end until another process writes to it.
    if (!found.isFile() && !found.isDirectory()) {
      throw new UsageError(
        `${file}: expected the provenance of the chart in a file, found a device, socket or pipe. Remove it, or replace it by a file`,
      );
    }
    return Buffer.from(await readBounded(createReadStream(file), { limit: maxProvenanceBytes, place: file }));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    if (code === "ENOENT") return undefined;
    throw new UsageError(
      `${file}: cannot read the provenance of the chart (${code}). Make the file readable, or remove it`,
      { cause: error },
    );
  }
}

/** Reads a packed chart, which keeps its bytes. Throws LandscaperError. */
export async function packChartArchive(archive: Uint8Array): Promise<PackedChart> {
  return await readArchive(archive, "archive");
}

/** `place` begins messages. */
async function readArchive(archive: Uint8Array, place: string): Promise<PackedChart> {
  return { ...describe(await asComponentError(place, async () => await loadChartArchive(archive))), archive };
}

async function asComponentError<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    const message = `${place}: expected a Helm chart, found: ${error.message}`;
    throw new LandscaperError({
      reason: "InvalidComponent",
      message,
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
  }
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
