// What the files of a package may import, and which of them belong into `src/`.
import { dirname, join } from "node:path/posix";
import { findLoads } from "./import-graph.ts";

/** What a package.json says, as far as imports depend on it. */
export interface ImportingPackage {
  readonly name: string;
  /** Packages of the workspace that product code may import. */
  readonly runtime: readonly string[];
  /** The same and those of devDependencies. */
  readonly all: readonly string[];
}

/** Texts by path; paths are relative to the package's folder. */
export type Sources = ReadonlyMap<string, string>;

/** Packages that consist of tests, or of what tests are made with. */
export const testPackages: ReadonlySet<string> = new Set(["@landscaper/testkit", "@landscaper/test-e2e"]);

/** Includes imports of types, which `findLoads` omits. */
const imported = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g;

/** Returns the specifiers of all imports, those of types included, and the files that are started as threads. */
export function findImports(text: string): string[] {
  return [...new Set([...[...text.matchAll(imported)].map(([, specifier = ""]) => specifier), ...findLoads(text)])];
}

/** Product code is what is not a test in `src/`; in a package of tests there is none. */
export function isProduct(pkg: Pick<ImportingPackage, "name">, path: string): boolean {
  return path.startsWith("src/") && !path.endsWith(".test.ts") && !testPackages.has(pkg.name);
}

/** One problem per import that is not allowed, in words that begin with the file's path. */
export function checkImports(pkg: ImportingPackage, path: string, text: string): string[] {
  const product = isProduct(pkg, path);
  return findImports(text).flatMap((specifier) => {
    const problem = specifier.startsWith("@landscaper/")
      ? checkPackageImport(pkg, specifier, product)
      : product
        ? checkProductImport(path, specifier)
        : undefined;
    return problem === undefined ? [] : [`${path}: ${problem}`];
  });
}

function checkPackageImport(pkg: ImportingPackage, specifier: string, product: boolean): string | undefined {
  const [scope, name, ...rest] = specifier.split("/");
  const target = `${scope}/${name}`;
  if (rest.length > 0 && rest[0] !== "testing") return `import ${target}, not ${specifier}`;
  if (product && (rest.length > 0 || testPackages.has(target))) return `only tests may import ${specifier}`;
  const allowed = product ? pkg.runtime : pkg.all;
  if (target === pkg.name || allowed.includes(target)) return undefined;
  return `${target} is not a ${product ? "runtime " : ""}dependency of ${pkg.name}`;
}

function checkProductImport(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const target = join(dirname(path), specifier);
  if (!target.startsWith("src/")) return `product code in src/ may not import ${target}`;
  return target.endsWith(".test.ts") ? `product code may not import the tests in ${target}` : undefined;
}

/**
 * Files of `src/` that are neither tests nor reached from the entries: what only tests use belongs into `test/`. Tests and files outside `src/` are
 * reached by nothing here, declarations of foreign modules (`*.d.ts`) by the compiler.
 */
export function findSupportFiles(sources: Sources, entries: readonly string[]): string[] {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = sources.get(path);
    if (text === undefined || reached.has(path)) continue;
    reached.add(path);
    for (const specifier of findImports(text))
      if (/^\.|\.ts$/.test(specifier)) waiting.push(join(dirname(path), specifier));
  }
  return [...sources.keys()]
    .filter((path) => /^src\/.*(?<!\.test|\.d)\.ts$/.test(path) && !reached.has(path))
    .toSorted();
}
