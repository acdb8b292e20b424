// Checks where the workspace imports jest. `@jest/globals` exists only inside a test run: a program that loads it ends with a missing export.
import { dirname, join } from "node:path/posix";
import { findThreads, isModule, resolveLoads, type Modules } from "./import-graph.ts";

const jest = "@jest/globals";

/** The modules of the workspace, and its programs. */
export interface Workspace extends Modules {
  readonly programs: readonly string[];
}

/** The parts of the root's package.json and of knip.json that name programs. */
export interface ProgramSources {
  readonly scripts: Readonly<Record<string, string>>;
  /** Globs of entries by the folder of a workspace, whose name may be a glob, too. */
  readonly entries: Readonly<Record<string, readonly string[]>>;
}

/** Returns globs of all programs: the files that package.json starts, and the entries of knip.json. Knip reports programs without an entry as dead code. */
export function programGlobs({ scripts, entries }: ProgramSources): string[] {
  const byScripts = Object.values(scripts).flatMap((command) => command.split(" ").filter((word) => isModule(word)));
  const byEntries = Object.entries(entries).flatMap(([folder, globs]) => globs.map((glob) => join(folder, glob)));
  return [...new Set([...byScripts, ...byEntries])].filter((glob) => !glob.includes(".test."));
}

/** Returns one problem per program that loads jest, and one per file that imports jest in the wrong place. Each begins with the path to change. */
export function checkJestImports(workspace: Workspace): string[] {
  const loads = new Map(
    [...workspace.files.keys()].map((path) => [path, resolveLoads(workspace, path, (specifier) => specifier === jest)]),
  );
  const programs = [
    ...new Set([...workspace.programs, ...findThreads(workspace), ...workspace.exported.values()]),
  ].toSorted();
  const owners = new Map<string, string>();
  const chains = programs.flatMap((program) => {
    const { chain, reached } = follow(loads, program);
    for (const path of reached) if (!owners.has(path)) owners.set(path, program);
    return chain === undefined ? [] : [`${program}: programs and exports of packages may not load ${chain}`];
  });
  const places = [...loads].flatMap(([path, targets]) =>
    targets.includes(jest) ? (checkPlace(path, owners) ?? []) : [],
  );
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
  if (!importers.has(jest)) return { reached: importers.keys() };
  const chain = [jest];
  for (let path = importers.get(jest); path !== undefined; path = importers.get(path)) chain.unshift(path);
  return { chain: chain.join(" -> "), reached: importers.keys() };
}

function checkPlace(path: string, owners: ReadonlyMap<string, string>): string | undefined {
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
