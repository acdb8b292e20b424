// The modules of the workspace, and which of them load which. All paths are relative to the root.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { listPackageFolders } from "./package-folders.ts";

export interface Modules {
  /** Texts by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Paths by specifier: "@landscaper/api/testing". */
  readonly exported: ReadonlyMap<string, string>;
}

const literal = /["'`]([^"'`$]+)["'`]/.source;
const text = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/.source;
const comment = /\/\*(?:(?!\*\/)[\s\S])*\*\/|\/\/.*\n/.source;
/** White space and comments. */
const gap = `(?:\\s|${comment})*`;
/** Start of a line, behind a byte order mark and comments. */
const start = `^\\uFEFF?(?:/\\*(?:(?!\\*/)[\\s\\S])*\\*/\\s*)*`;
// Matches statements at the start of a line only: oxfmt puts them there, and generators' texts are indented.
const imported = new RegExp(
  `${start}(?:import|export)\\s(?!type\\b(?!\\s+from\\b))(?:${text}|${comment}|(?!/[*/])[^;"'])*?\\bfrom${gap}${literal}|${start}import${gap}${literal}|\\bimport\\s*\\(${gap}${literal}`,
  "gm",
);
/** Arguments of a call, with up to two calls inside each other among them. */
const parameters = /\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/.source;
const requireMaker = `\\bcreateRequire${parameters}`;
const namedRequire = new RegExp(`\\b(\\w+)\\s*(?::[^=;]+)?=\\s*${requireMaker}`, "g");
const constructedUrl = new RegExp(`\\bnew URL${parameters}`, "g");
const relativePath = /["'`](\.{1,2}\/[^"'`$]+)["'`]/g;

function findAll(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match.slice(1).find((group) => group !== undefined) ?? "");
}

/** Returns the specifiers in calls of `require`, including functions that `createRequire` returns. */
function findRequired(text: string): string[] {
  if (!/require/i.test(text)) return [];
  const names = new Set(["require", ...findAll(text, namedRequire)]);
  return findAll(text, new RegExp(`(?:\\b(?:${[...names].join("|")})|${requireMaker})\\(${gap}${literal}`, "g"));
}

/** Returns the relative paths in the arguments of `new URL(...)`: of the file itself, and of its alternative in a bundle. */
export function findUrls(text: string): string[] {
  return [...text.matchAll(constructedUrl)].flatMap(([call]) => findAll(call, relativePath));
}

/** Returns the specifiers of the modules that a file loads when it runs, and of its threads. Imports of types are erased. */
export function findLoads(text: string): string[] {
  return [...findAll(text, imported), ...findRequired(text), ...findUrls(text)];
}

export function isModule(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

/** Returns the paths of the modules that others start by a URL, as threads. */
export function findThreads({ files }: Pick<Modules, "files">): string[] {
  const paths = [...files].flatMap(([path, text]) => findUrls(text).map((url) => join(dirname(path), url)));
  return [...new Set(paths)].filter((path) => isModule(path) && files.has(path));
}

/** Loads by path, of each set of modules: to find them takes longer than anything else here. */
const found = new WeakMap<Modules["files"], Map<string, readonly string[]>>();

function findLoadsOf(files: Modules["files"], path: string): readonly string[] {
  const known = found.get(files) ?? new Map<string, readonly string[]>();
  found.set(files, known);
  const loads = known.get(path) ?? findLoads(files.get(path) ?? "");
  known.set(path, loads);
  return loads;
}

export interface Resolution {
  /** Returns true for a foreign specifier that is returned unchanged; default: none. */
  readonly isWanted?: (specifier: string) => boolean;
  /** Paths that resolve although no module has them. */
  readonly deleted?: ReadonlySet<string>;
}

/** Returns the paths of the modules of the workspace that a file loads. */
export function resolveLoads(
  { files, exported }: Modules,
  path: string,
  { isWanted, deleted }: Resolution = {},
): string[] {
  return findLoadsOf(files, path).flatMap((specifier) => {
    if (isWanted?.(specifier) === true) return [specifier];
    const target = specifier.startsWith(".") ? join(dirname(path), specifier) : exported.get(specifier);
    return target !== undefined && (files.has(target) || deleted?.has(target) === true) ? [target] : [];
  });
}

/**
 * Returns how many imports away each module is from the nearest of the targets, the targets included with 0; modules that reach none are left out.
 * Breadth first over the reversed graph. Pure.
 */
export function distancesTo(modules: Modules, targets: readonly string[]): ReadonlyMap<string, number> {
  const importers = new Map<string, string[]>();
  // A target that was deleted is still named by its importers.
  const deleted = new Set(targets);
  for (const path of modules.files.keys()) {
    for (const target of resolveLoads(modules, path, { deleted }))
      importers.set(target, [...(importers.get(target) ?? []), path]);
  }
  const distances = new Map<string, number>(targets.map((path) => [path, 0]));
  for (const [path, distance] of distances) {
    for (const importer of importers.get(path) ?? []) {
      if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

/** Returns the modules that the given ones load, directly or through others, and the given ones. Pure. */
export function reachedFrom(modules: Modules, starts: readonly string[]): ReadonlySet<string> {
  const reached = new Set(starts);
  for (const path of reached) for (const target of resolveLoads(modules, path)) reached.add(target);
  return reached;
}

/** Reads the modules of all packages and scripts, and what the packages export. */
export function readModules(root: string): Modules {
  const exclude = ["**/node_modules/**", "**/dist/**", "**/testdata/**"];
  const folders = listPackageFolders(root);
  const paths = globSync(`{${[...folders, "scripts"].join(",")}}/**/*.{ts,mts,cts,js,mjs,cjs}`, { cwd: root, exclude });
  const manifests = folders.map((folder) => `${folder}/package.json`);
  return {
    files: new Map([...new Set(paths)].toSorted().map((path) => [path, readFileSync(join(root, path), "utf8")])),
    exported: new Map(manifests.flatMap((path) => exportsOf(dirname(path), readFileSync(join(root, path), "utf8")))),
  };
}

function exportsOf(folder: string, manifest: string): (readonly [specifier: string, path: string])[] {
  const { name, exports = {} } = JSON.parse(manifest) as { name: string; exports?: Record<string, string> };
  return Object.entries(exports).map(([key, path]) => [name + key.slice(1), join(folder, path)]);
}
