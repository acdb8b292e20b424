import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** Names the folder of further samples. */
export const samplesVariable = "LANDSCAPER_SAMPLES";

/** What suites and benches read in that folder, by its path there. */
const parts = {
  charts: "samples/charts",
  components: "samples/ocm",
  templates: "samples/gotemplate",
  tour: "examples/guided-tour",
  specification: "spec",
} as const;

/** Files that have to be there; the last word is how a file's name starts. */
const expected: readonly (readonly [part: keyof typeof parts, prefix: string])[] = [
  ["charts", "cases.json"],
  ["charts", "golden"],
  ["components", "ctf-signed"],
  ["components", "keys"],
  ["components", "normalized-"],
  ["templates", "data.json"],
  ["templates", "snippets.jsonl"],
  ["tour", "basics"],
  ["tour", "hello-world"],
  ["tour", "import-export"],
  ["specification", "helm.md"],
  ["specification", "seed-000"],
  ["specification", "seed-001"],
];

const root = join(import.meta.dirname, "../../..");

/**
 * The folder of further samples; undefined where the variable is not set. A relative path counts from the project's root.
 * Throws when the folder lacks what the suites read.
 */
export function findSampleFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = env[samplesVariable];
  if (named === undefined || named === "") return undefined;
  const folder = resolve(root, named);
  if (!existsSync(folder)) throw new Error(`${samplesVariable}: ${folder}: expected a folder, found nothing`);
  for (const [part, prefix] of expected) {
    const place = join(folder, parts[part]);
    const found = existsSync(place) ? readdirSync(place) : undefined;
    if (found?.some((name) => name.startsWith(prefix)) === true) continue;
    const finding = found === undefined ? "no such folder" : found.toSorted().join(", ") || "an empty folder";
    throw new Error(`${samplesVariable}: ${place}: expected ${prefix}, found ${finding}`);
  }
  return folder;
}

/** For the progress of a bench whose figures lack the samples; empty where they are there. */
export function tellLeftOut(env: Readonly<Record<string, string | undefined>>): string {
  return findSampleFolder(env) === undefined ? `; no public charts: ${samplesVariable} names no folder` : "";
}

/** Where a part of the further samples is. Throws when there are none: plan-run.ts leaves out the suites that ask. */
export function samplePath(part: keyof typeof parts): string {
  const folder = findSampleFolder(process.env);
  if (folder === undefined) throw new Error(`${samplesVariable}: expected a folder of samples, found no value`);
  return join(folder, parts[part]);
}
