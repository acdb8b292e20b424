import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ChartFile } from "../src/chart/chart.ts";
import { readArchive } from "../src/chart/read-archive.ts";
import { type FileContent, packArchive } from "./archives.ts";
import { readGoldenRendering, renderingsFolder, type RenderingResult } from "./renderings.ts";

/** What the real `helm package` makes of a chart's folder, and `helm template` of that. */
export interface PackedRendering {
  readonly status: number | null;
  readonly stderr: string;
  /** Files that are packed as they are in the folder. */
  readonly same: readonly string[];
  /** Other packed files. */
  readonly changed: Readonly<Record<string, FileContent>>;
  /** One for each case with `args`, by its place among the cases; those that give what the folder gives are left out. */
  readonly results: Readonly<Record<string, RenderingResult>>;
}

const packagesFolder = join(renderingsFolder, "packages");

/** Names of the charts with such a record. */
export function packageNames(): string[] {
  return readdirSync(packagesFolder).map((file) => basename(file, ".json"));
}

export function readPackage(name: string): PackedRendering {
  return JSON.parse(readFileSync(join(packagesFolder, `${name}.json`), "utf8")) as PackedRendering; // writePackage's
}

export function writePackage(name: string, packed: unknown): void {
  mkdirSync(packagesFolder, { recursive: true });
  writeFileSync(join(packagesFolder, `${name}.json`), `${JSON.stringify(packed, undefined, 1)}\n`);
}

/** What Helm prints for a case of the packed chart. */
export function packedResult(name: string, at: number): RenderingResult | undefined {
  return readPackage(name).results[at] ?? readGoldenRendering(name)[at];
}

/** The files of a packed chart, split into those that are in the folder as well and others. */
export async function unpackBeside(
  archive: Uint8Array,
  folder: string,
): Promise<Pick<PackedRendering, "same" | "changed">> {
  const same: string[] = [];
  const changed: Record<string, FileContent> = {};
  // Dependencies come in the order of a Go map.
  const files = (await readArchive(archive)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, data } of files) {
    if (isIn(folder, { name, data })) same.push(name);
    else changed[name] = contentOf(Buffer.from(data));
  }
  return { same, changed };
}

function contentOf(data: Buffer): FileContent {
  const text = data.toString();
  return Buffer.from(text).equals(data) ? text : { base64: data.toString("base64") };
}

function isIn(folder: string, { name, data }: ChartFile): boolean {
  try {
    return readFileSync(join(folder, name)).equals(data);
  } catch {
    return false;
  }
}

/** Packs what Helm packs of a folder. */
export async function packAsRecorded({ same, changed }: PackedRendering, folder: string, file: string): Promise<void> {
  const own = same.map((name) => ({
    name: `packed/${name}`,
    content: { base64: readFileSync(join(folder, name)).toString("base64") },
  }));
  const others = Object.entries(changed).map(([name, content]) => ({ name: `packed/${name}`, content }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await packArchive({ archive: [...own, ...others] }));
}
