import { extensionOf } from "@landscaper/golang";
import { ChartError } from "./chart-error.ts";
import type { ChartFile } from "./chart.ts";

/** A dependency below charts/, by the name of its folder or archive. */
export type Subchart = { readonly name: string } & (
  | { readonly kind: "archive"; readonly data: Uint8Array }
  | { readonly kind: "folder"; readonly files: readonly ChartFile[] }
);

/** The dependencies that files below charts/ (without that folder) of a chart make, by name. Throws ChartError. */
export function subchartsOf(files: readonly ChartFile[], parent: string): Subchart[] {
  const byName = new Map<string, ChartFile[]>();
  for (const file of files) {
    const [name = ""] = file.name.split("/", 1);
    const members = byName.get(name);
    if (members === undefined) byName.set(name, [file]);
    else members.push(file);
  }
  return [...byName]
    .filter(([name]) => !name.startsWith("_") && !name.startsWith("."))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => subchartOf(name, members, parent));
}

function subchartOf(name: string, files: readonly ChartFile[], parent: string): Subchart {
  if (extensionOf(name) !== ".tgz") return { name, kind: "folder", files: files.flatMap(withoutFolder) };
  const [archive] = files;
  if (archive?.name === name) return { name, kind: "archive", data: archive.data };
  const found = archive?.name ?? "";
  throw new ChartError(`error unpacking subchart tar in ${parent}: expected ${name}, got ${found}`, {
    chart: parent,
    file: `charts/${found}`,
  });
}

function withoutFolder({ name, data }: ChartFile): ChartFile[] {
  const slash = name.indexOf("/");
  return slash < 0 ? [] : [{ name: name.slice(slash + 1), data }];
}
