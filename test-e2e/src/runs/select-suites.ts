/** What `npm run e2e` runs for the words behind it. */
export interface SelectedSuites {
  /** For jest: a suite or a folder of suites by its path, every other word as it stands. */
  readonly jestArgs: readonly string[];
  /** The suites and folders that were named: they run whole (`isWholeRun`). */
  readonly named: readonly string[];
}

/**
 * Reads the words of a command line: "ha" is a suite, "hostile" a folder of suites, anything else is jest's. `paths` are the files of all suites
 * below `suites/`, such as "hostile/tenants.test.ts".
 */
export function selectSuites(words: readonly string[], paths: readonly string[]): SelectedSuites {
  const isSuite = (word: string): boolean => paths.includes(`${word}.test.ts`);
  const isFolder = (word: string): boolean => word !== "" && paths.some((path) => path.startsWith(`${word}/`));
  return {
    jestArgs: words.map((word) => {
      if (isSuite(word)) return String.raw`/suites/${word}\.test\.ts$`;
      return isFolder(word) ? `/suites/${word}/` : word;
    }),
    named: words.filter((word) => isSuite(word) || isFolder(word)),
  };
}

/** Whether a run that was asked for `named` (E2E_NAMED: names with spaces between) runs this suite, or this folder of suites, whole. */
export function isNamedAlone(named: string | undefined, suite: string): boolean {
  if (named === undefined || named === "") return false;
  return named === suite || suite.startsWith(`${named}/`) || (named.startsWith(`${suite}/`) && !named.includes(" "));
}
