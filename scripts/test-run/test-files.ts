import { globSync } from "node:fs";
import { join } from "node:path";
import { listPackageFolders } from "../package-folders.ts";

const root = join(import.meta.dirname, "../..");

/** Paths of all test files that jest.config.mjs runs, relative to the root, sorted. */
export function listTestFiles(): readonly string[] {
  const packages = listPackageFolders(root).filter((folder) => folder !== "test-e2e");
  const patterns = [
    `{${packages.join(",")}}/{src,test}/**/*.test.ts`,
    "scripts/**/*.test.ts",
    "test-e2e/suites/**/*.test.ts",
  ];
  const exclude = ["**/node_modules/**", "**/dist/**"];
  return globSync(patterns, { cwd: root, exclude }).toSorted();
}

/** A regular expression from a command line. */
export interface Pattern {
  /** What the user typed: RegExp.source escapes slashes. */
  readonly word: string;
  readonly expression: RegExp;
}

/** Parses words of a command line as regular expressions. Throws an Error that names the invalid word. */
export function parsePatterns(words: readonly string[]): readonly Pattern[] {
  return words.map((word) => {
    try {
      return { word, expression: new RegExp(word) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`"${word}": expected a regular expression: ${reason}`, { cause: error });
    }
  });
}

/** Returns the files that match one of the patterns. Throws an Error that names a pattern without a match. */
export function selectTestFiles(files: readonly string[], patterns: readonly Pattern[]): readonly string[] {
  const unmatched = patterns.find(({ expression }) => !files.some((file) => expression.test(file)));
  if (unmatched !== undefined) throw new Error(`no test file matches ${unmatched.word}`);
  return files.filter((file) => patterns.some(({ expression }) => expression.test(file)));
}

/** Returns true for a suite, which starts services; false for a test of a package or a script. */
export function isSuite(file: string): boolean {
  return file.startsWith("test-e2e/");
}
