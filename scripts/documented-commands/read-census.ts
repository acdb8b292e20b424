import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandCensus } from "./check-commands.ts";
import { findCommands } from "./find-commands.ts";
import { listTestFiles } from "../test-run/test-files.ts";
import { checkFences } from "./check-fences.ts";
import { findPageSuites } from "./page-suites.ts";

/** Changelog and decisions: their commands may no longer exist. */
const isHistorical = (file: string): boolean => file === "CHANGELOG.md" || file.startsWith("docs/adr/");

const exclude = (name: string): boolean => /(?:^|\/)(?:node_modules|dist|\.[^/]+)$/.test(name);

/** Returns the paths of all pages of a working tree, relative to its root. */
export function listPages(root: string): readonly string[] {
  return globSync("**/*.md", { cwd: root, exclude }).toSorted();
}

/** Reads the documented commands of a working tree, and the tests that read pages. */
export function readCensus(root: string): CommandCensus {
  const read = (file: string): string => readFileSync(join(root, file), "utf8");
  const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: object };
  const pages = listPages(root).filter((file) => !isHistorical(file));
  const tests = globSync("{test-e2e/suites,libs,services}/**/*.test.ts", { cwd: root, exclude }).toSorted();
  const suites = globSync("**/*.test.ts", { cwd: join(root, "test-e2e/suites") }).map((file) =>
    file.replace(/\.test\.ts$/, ""),
  );
  return {
    commands: pages.flatMap((file) => findCommands(file, read(file))),
    scripts: Object.keys(scripts),
    suites: [...suites, ...suites.map((name) => name.split("/").slice(0, -1).join("/")).filter(Boolean)],
    benches: readBenches(root),
    testFiles: listTestFiles(),
    fenceProblems: pages.flatMap((file) => checkFences(file, read(file))),
    pageSuites: tests.flatMap((file) => findPageSuites(file, read(file))),
  };
}

/** Returns the names of the benches. */
function readBenches(root: string): readonly string[] {
  const list = readFileSync(join(root, "test-e2e/bench/benches.ts"), "utf8");
  return [...list.matchAll(/^ {4}name: "([a-z]+)",$/gm)].map(([, name = ""]) => name);
}
