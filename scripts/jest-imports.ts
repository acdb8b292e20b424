// Checks where the workspace imports jest. `@jest/globals` exists only inside a test run: a program that loads it ends with a missing export.
// The packages of jest are development dependencies, which programs do not have where users run them.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { findThreads, isModule, reachedFrom, readModules, resolveLoads, type Modules } from "./import-graph.ts";

/** The modules of the workspace, and its programs. */
export interface Workspace extends Modules {
  readonly programs: readonly string[];
  /** Modules that jest.config.mjs names: jest loads them. */
  readonly jestModules: readonly string[];
}

/** The parts of the root's package.json and of knip.json that name programs. */
export interface ProgramSources {
  readonly scripts: Readonly<Record<string, string>>;
  /** Globs of entries by the folder of a workspace, whose name may be a glob, too. */
  readonly entries: Readonly<Record<string, readonly string[]>>;
}

/** Returns true for `jest`, its parts, such as `jest-circus/runner`, and packages of its scope, such as `@jest/globals`. */
function isJest(specifier: string): boolean {
  return /^(?:@jest\/|jest(?:-[\w-]+)?(?:\/|$))/.test(specifier);
}

/** Returns globs of all programs: the files that package.json starts, and the entries of knip.json. Knip reports programs without an entry as dead code. */
export function programGlobs({ scripts, entries }: ProgramSources): string[] {
  const byScripts = Object.values(scripts).flatMap((command) => command.split(" ").filter((word) => isModule(word)));
  const byEntries = Object.entries(entries).flatMap(([folder, globs]) => globs.map((glob) => join(folder, glob)));
  return [...new Set([...byScripts, ...byEntries])].filter((glob) => !glob.includes(".test."));
}

/** Reads the import graph of the whole workspace, and what it starts. */
export function readWorkspace(root: string): Workspace {
  const readText = (file: string): string => readFileSync(join(root, file), "utf8");
  // pnpm and knip validate these files.
  const manifest = JSON.parse(readText("package.json")) as { scripts: Record<string, string> };
  const knip = JSON.parse(readText("knip.json")) as { workspaces: Record<string, { entry: string[] }> };
  const entries = Object.fromEntries(Object.entries(knip.workspaces).map(([folder, { entry }]) => [folder, entry]));
  const globs = programGlobs({ scripts: manifest.scripts, entries });
  const programs = globSync(globs, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**", "**/*.test.ts"] });
  const jestModules = readText("jest.config.mjs").match(/\bscripts\/[\w/-]+\.mjs\b/g) ?? [];
  return { ...readModules(root), programs, jestModules };
}

/** Returns one problem per program that loads jest, and one per file that imports jest in the wrong place. Each begins with the path to change. */
export function checkJestImports(workspace: Workspace): string[] {
  const { files, exported, jestModules } = workspace;
  const loads = new Map([...files.keys()].map((path) => [path, resolveLoads(workspace, path, { isWanted: isJest })]));
  const jestFolders = new Set(jestModules.map((path) => dirname(path)));
  // Packages that jest's modules use are checked as any other.
  const ofJest = new Set([...reachedFrom(workspace, jestModules)].filter((path) => jestFolders.has(dirname(path))));
  const started = new Set([...workspace.programs, ...findThreads(workspace), ...exported.values()]);
  const programs = [...started].filter((path) => !ofJest.has(path)).toSorted();
  const owners = new Map<string, string>();
  const chains = programs.flatMap((program) => {
    const { chain, reached } = follow(loads, program);
    for (const path of reached) if (!owners.has(path)) owners.set(path, program);
    return chain === undefined ? [] : [`${program}: programs and exports of packages may not load ${chain}`];
  });
  const places = [...loads].flatMap(([path, targets]) => {
    const jest = ofJest.has(path) ? undefined : targets.find(isJest);
    return jest === undefined ? [] : (checkPlace({ path, jest, owners }) ?? []);
  });
  return [...chains, ...places];
}

interface Followed {
  /** The shortest way to jest: "a.ts -> b.ts -> @jest/globals". */
  readonly chain?: string;
  readonly reached: Iterable<string>;
}

function follow(loads: ReadonlyMap<string, readonly string[]>, program: string): Followed {
  const importers = new Map<string, string | undefined>([[program, undefined]]);
  for (const path of importers.keys()) {
    for (const target of loads.get(path) ?? []) if (!importers.has(target)) importers.set(target, path);
  }
  const jest = [...importers.keys()].find(isJest);
  if (jest === undefined) return { reached: importers.keys() };
  const chain = [jest];
  for (let path = importers.get(jest); path !== undefined; path = importers.get(path)) chain.unshift(path);
  return { chain: chain.join(" -> "), reached: importers.keys() };
}

interface JestImport {
  readonly path: string;
  /** The specifier in the file. */
  readonly jest: string;
  /** A program for each path that programs reach. */
  readonly owners: ReadonlyMap<string, string>;
}

function checkPlace({ path, jest, owners }: JestImport): string | undefined {
  if (path.endsWith(".test.ts") || /^(libs|services)\/(.+\/)?test\//.test(path)) return undefined;
  if (!path.startsWith("test-e2e/"))
    return `${path}: only *.test.ts files and the test/ folders of packages may import ${jest}`;
  // checkJestImports reports the chain of the program, which says more.
  if (owners.has(path)) return undefined;
  const neighbour = [...owners].find(([each]) => dirname(each) === dirname(path));
  if (neighbour === undefined) return undefined;
  const [beside, program] = neighbour;
  return `${path}: ${beside} beside it is part of ${program}; move what imports ${jest} to a folder that only tests load`;
}
