import { existsSync, globSync } from "node:fs";
import { join } from "node:path";

/** Written by each build beside the bundles of a program. */
export const packagesFile = "packages.json";

/**
 * Returns the launchers and bundles that earlier builds wrote and this build did not, relative to the output folder. A program is known by its
 * packages.json. Names of chunks contain a hash, so most builds leave old chunks.
 *
 * @param programs Programs of this build. Undefined: all; files of removed programs are then stale as well.
 */
export function findStaleFiles(
  outdir: string,
  { written, programs }: { readonly written: ReadonlySet<string>; readonly programs?: readonly string[] | undefined },
): readonly string[] {
  const found = globSync(`bundles/*/${packagesFile}`, { cwd: outdir }).map((file) => file.split("/")[1] ?? "");
  const built = found.filter((name) => programs === undefined || programs.includes(name));
  return built
    .flatMap((name) => {
      const bundles = `bundles/${name}`;
      return [
        ...[`${name}.mjs`, `${bundles}/${packagesFile}`].filter((file) => existsSync(join(outdir, file))),
        ...globSync(`${bundles}/*.mjs*`, { cwd: outdir }),
      ];
    })
    .filter((file) => !written.has(file));
}
