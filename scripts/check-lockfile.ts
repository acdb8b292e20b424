import { join } from "node:path/posix";
import { parse } from "yaml";

/** Dependencies of a package.json, by their names. */
export interface DependencyManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Importer = Readonly<Partial<Record<string, Readonly<Record<string, { readonly specifier: string }>>>>>;

const fields = ["dependencies", "devDependencies", "optionalDependencies"] as const;

const quoteSpecifier = (specifier: string | undefined): string => (specifier === undefined ? "none" : `"${specifier}"`);

/**
 * Compares a lockfile of pnpm with the dependencies of package.json files, by their folders ("." for the root). Returns a problem for each difference: an
 * installation in a fresh clone would fail. Pure.
 */
export function checkLockfile(lockfile: string, manifests: ReadonlyMap<string, DependencyManifest>): string[] {
  const { importers = {} } = parse(lockfile) as { readonly importers?: Readonly<Record<string, Importer>> };
  return [...manifests].flatMap(([folder, manifest]) =>
    fields.flatMap((field) => {
      const [wanted, locked] = [manifest[field] ?? {}, importers[folder]?.[field] ?? {}];
      const names = [...new Set([...Object.keys(wanted), ...Object.keys(locked)])].toSorted();
      return names
        .filter((name) => wanted[name] !== locked[name]?.specifier)
        .map(
          (name) =>
            `pnpm-lock.yaml: ${folder}: ${field}: ${name}: expected ${quoteSpecifier(wanted[name])}, as in ${join(folder, "package.json")}, found ${quoteSpecifier(locked[name]?.specifier)}`,
        );
    }),
  );
}
