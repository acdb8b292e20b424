import { findNearestName } from "@landscaper/api";

const folder = "test-e2e/suites/";

/**
 * Returns the message for words of `npm run e2e -- WORD...` that are neither a suite nor a folder of suites, and match no suite as a pattern of jest.
 * Undefined if there are none. Words behind a flag of jest may be its value, and are not checked. `files` are the paths of all test files. Pure.
 */
export function explainUnknownSuites(words: readonly string[], files: readonly string[]): string | undefined {
  const suites = files.filter((file) => file.startsWith(folder));
  const names = suites.map((file) => file.slice(folder.length, -".test.ts".length));
  const known = [...new Set(names.flatMap((name) => [name, ...name.split("/")]))];
  const firstFlag = words.findIndex((word) => word.startsWith("-"));
  const unknown = words
    .slice(0, firstFlag < 0 ? undefined : firstFlag)
    .filter((word) => !suites.some((file) => matches(word, file)));
  if (unknown.length === 0) return undefined;
  return unknown
    .map((word) => {
      const nearest = findNearestName(word, known);
      return `no suite is called ${word}; ${nearest === undefined ? `the suites are in ${folder}` : `did you mean ${nearest}?`}`;
    })
    .join("\n");
}

/** As jest does, which matches absolute paths. */
function matches(word: string, file: string): boolean {
  try {
    return new RegExp(word, "i").test(`/${file}`) || word.endsWith(file);
  } catch {
    return false;
  }
}
