import { globSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Paths of all test files that jest.config.mjs runs, relative to the root, sorted. */
export function listTestFiles(): readonly string[] {
  const patterns = [
    "{libs/*,libs/deployers/*,services/*}/{src,test}/**/*.test.ts",
    "scripts/**/*.test.ts",
    "test-e2e/suites/**/*.test.ts",
  ];
  const exclude = ["**/node_modules/**", "**/dist/**"];
  return globSync(patterns, { cwd: root, exclude }).toSorted();
}

/** Returns true for a suite, which starts services; false for a test of a package or a script. */
export function isSuite(file: string): boolean {
  return file.startsWith("test-e2e/");
}
