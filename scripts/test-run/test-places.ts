/** Folders whose *.test.ts files run. */
const places =
  "src/ or test/ of a package, scripts/ or test-e2e/suites/, outside hidden folders, dist/ and node_modules/";

/** Returns one problem per file that is named like a test but is none of the test files that run. Pure. */
export function checkTestPlaces(files: readonly string[], tests: readonly string[]): string[] {
  const run = new Set(tests);
  return files
    .filter((path) => /\.(?:tests?|spec)\.[cm]?[jt]s$/i.test(path) && !run.has(path))
    .map((path) => `${path}: no test run includes this file; name it *.test.ts and move it to ${places}`);
}
