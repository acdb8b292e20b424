import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Metafile } from "esbuild";

/** A package whose code is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, such as "MIT"; absent where the package names none. */
  readonly license?: string;
}

/** Path of a file in a bundle's metafile, without the namespace of the plugin that has loaded it: "named-exports:/a/b.js" -> "/a/b.js". */
const withoutNamespace = (input: string): string => input.replace(/^[a-z-]+:/, "");

/** The files whose code is in the outputs: of those that were read, some are only types or have been left out as unused. */
export function bundledFiles({ outputs }: Pick<Metafile, "outputs">): string[] {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([input, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [withoutNamespace(input)] : [],
    ),
  );
  return [...new Set(used)].toSorted();
}

interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
}

/** The licence of a package.json, of the older forms `{"type": ...}` and `"licenses": [...]`, too: the user of several may choose. */
export function licenseOf({ license, licenses }: PackageManifest): string | undefined {
  if (typeof license === "string") return license;
  if (license?.type !== undefined) return license.type;
  const types = (licenses ?? []).flatMap(({ type }) => (type === undefined ? [] : [type]));
  return types.length > 1 ? `(${types.join(" OR ")})` : types[0];
}

/** The manifest of the package that a file belongs to. Folders below a package may have a package.json of their own, without a name. */
function manifestOf(file: string): PackageManifest | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (!existsSync(path)) continue;
    const manifest = JSON.parse(readFileSync(path, "utf8")) as PackageManifest;
    if (manifest.name !== undefined) return manifest;
  }
  return undefined;
}

/** The packages of others with code in a bundle, by name; packages of the workspace have no version. */
export function bundledPackages(metafile: Pick<Metafile, "outputs">, root: string): BundledPackage[] {
  const found = new Map<string, BundledPackage>();
  for (const file of bundledFiles(metafile)) {
    const path = join(file.startsWith("/") ? "" : root, file);
    const manifest = existsSync(path) ? manifestOf(path) : undefined;
    if (manifest?.name === undefined || manifest.version === undefined || !path.includes("/node_modules/")) continue;
    const { name, version } = manifest;
    const license = licenseOf(manifest);
    found.set(`${name}@${version}`, { name, version, ...(license === undefined ? {} : { license }) });
  }
  return [...found.keys()].toSorted().flatMap((key) => found.get(key) ?? []);
}
