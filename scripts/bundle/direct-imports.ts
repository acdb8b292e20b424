// Lets bundles import what a package exports from the file that declares it, not from the package's index.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";

/** Where an exported name is declared. */
export interface Declaration {
  readonly file: string;
  /** The name in that file. */
  readonly name: string;
}

/** Names of values and types that a package's entry exports. */
export type PackageExports = (packageName: string) => ReadonlyMap<string, Declaration> | undefined;

const fromPackage = /^(import|export) (type )?\{([^}]*)\} from "(@landscaper\/[^"]+)";$/gm;

/**
 * Replaces imports from packages of the workspace by imports from the files that declare the names; the lines stay the same.
 * Names without a declaration are imported from the package as before.
 */
export function importDirectly(text: string, exportsOf: PackageExports): string {
  return text.replace(fromPackage, (statement: string, ...groups: readonly string[]) => {
    const [keyword = "", type = "", list = "", packageName = ""] = groups;
    if (type !== "") return statement;
    const exported = exportsOf(packageName);
    if (exported === undefined) return statement;
    const statements = specifiersOf(list).map(({ isType, name, alias }) => {
      if (isType) return "";
      const { file, name: declared } = exported.get(name) ?? { file: packageName, name };
      return `${keyword} { ${declared} as ${alias} } from ${JSON.stringify(file)};`;
    });
    return statements.join(" ") + "\n".repeat(statement.split("\n").length - 1);
  });
}

interface Specifier {
  readonly isType: boolean;
  readonly name: string;
  readonly alias: string;
}

function specifiersOf(list: string): Specifier[] {
  const specifiers = list.split(",").map((each) => each.trim());
  return specifiers
    .filter((each) => each !== "")
    .map((each) => {
      const [, type, name = "", alias = name] = /^(type )?(\w+)(?: as (\w+))?$/.exec(each) ?? [];
      return { isType: type !== undefined, name, alias };
    });
}

/** Reads the names that a file exports, with those that it takes from other files. */
export function readExports(file: string, exportsOf: PackageExports): Map<string, Declaration> {
  const exported = new Map<string, Declaration>();
  const text = readFileSync(file, "utf8");
  for (const [, name = ""] of text.matchAll(/^export (?:async |abstract )*(?:const|let|function\*?|class) (\w+)/gm)) {
    exported.set(name, { file, name });
  }
  for (const [, source = ""] of text.matchAll(/^export \* from "(\.[^"]+)";$/gm)) {
    for (const [name, found] of readExports(join(dirname(file), source), exportsOf)) exported.set(name, found);
  }
  for (const [, list = "", source = ""] of text.matchAll(/^export \{([^}]*)\} from "([^"]+)";$/gm)) {
    const below = source.startsWith(".") ? readExports(join(dirname(file), source), exportsOf) : exportsOf(source);
    for (const { isType, name, alias } of specifiersOf(list)) {
      const found = below?.get(name);
      if (!isType && found !== undefined) exported.set(alias, found);
    }
  }
  return exported;
}

/**
 * Bundles are split by what each entry reaches, and through its index an import reaches all of a package. With this plugin the
 * code of a command contains the files that the command uses.
 */
export function directImports(entryOf: (packageName: string) => string | undefined): Plugin {
  const known = new Map<string, ReadonlyMap<string, Declaration> | undefined>();
  const exportsOf: PackageExports = (packageName) => {
    if (!known.has(packageName)) {
      const entry = entryOf(packageName);
      known.set(packageName, entry === undefined ? undefined : readExports(entry, exportsOf));
    }
    return known.get(packageName);
  };
  return {
    name: "direct-imports",
    setup(build) {
      build.onLoad({ filter: /\/(?:libs|services)\/.*\.ts$/ }, ({ path }) => {
        if (path.includes("/node_modules/")) return undefined;
        return { contents: importDirectly(readFileSync(path, "utf8"), exportsOf), loader: "ts" };
      });
    },
  };
}
