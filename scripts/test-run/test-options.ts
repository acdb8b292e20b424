import { parseArgs } from "node:util";
import { parsePatterns, type Pattern } from "./test-files.ts";

/** Options of `npm test`. */
export interface TestOptions {
  /** Regular expressions that match paths of test files, relative to the root; empty: all test files. */
  readonly patterns: readonly Pattern[];
  /** Only tests that a change can break: they import a changed module, or read a changed file. */
  readonly changed: boolean;
  /** Installs the programs that tests need, and builds the real control plane and engines. */
  readonly allTools: boolean;
  /** Prints where the time of the run went. */
  readonly profile: boolean;
}

export const testUsage = `usage: npm test                   all fast tests, and this commit's share of the long ones; the summary names the rest
       npm test -- PATTERN...     the test files whose paths match a regular expression, such as libs/api or suites/hostile
       npm test -- --changed      of the tests that a change since the upstream branch (without one: since the main branch) can break, the nearest that fit into a minute
       npm test -- --all-tools    installs the programs that tests need (apt-get, as root) and builds the real control plane first
       npm test -- --profile      prints where the time of the run went
Exit status: 0 passed, 1 failed, 2 invalid command line, 3 --changed found only tests that it does not run`;

const flag = { type: "boolean", default: false } as const;
const options = { changed: flag, "all-tools": flag, profile: flag };
export const testFlags: readonly string[] = Object.keys(options);

/** Parses the words after `npm test --`. Throws an Error whose message says which word is wrong and why. */
export function parseTestOptions(words: readonly string[]): TestOptions {
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  if (values.changed && positionals.length > 0) {
    throw new Error(`--changed: expected no pattern beside it, found "${positionals.join(" ")}"`);
  }
  return {
    patterns: parsePatterns(positionals),
    changed: values.changed,
    allTools: values["all-tools"],
    profile: values.profile,
  };
}
