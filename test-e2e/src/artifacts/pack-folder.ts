import { globSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { packChart } from "@landscaper/helm-deployer-lib/testing";

/** Packs the text files of a chart's folder; the chart is named as the folder is. */
export async function packFolder(folder: string): Promise<Buffer> {
  const found = globSync("**/*", { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => relative(folder, join(entry.parentPath, entry.name))).toSorted();
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  return await packChart(files, { name: basename(folder) });
}
