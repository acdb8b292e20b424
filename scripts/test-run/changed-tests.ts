import { distancesTo, type Modules } from "../import-graph.ts";
import { isSuite } from "./test-files.ts";

export interface Change {
  readonly modules: Modules;
  /** Paths of all test files. */
  readonly tests: readonly string[];
  /** Paths of the changed files, deleted ones included. */
  readonly changed: readonly string[];
  /** Duration of a test file in an earlier run. */
  readonly secondsOf: (test: string) => number;
  /** Upper bound of the sum of the durations of the chosen tests. */
  readonly budgetSeconds: number;
}

export interface ChosenTests {
  /** Test files that run. */
  readonly chosen: readonly string[];
  /** Test files that the change can also break, but that exceed the budget or are suites. */
  readonly omitted: readonly string[];
}

/** The package of a path, such as "libs/api" or "libs/deployers/helm"; "scripts" and "test-e2e" for themselves. */
function packageOf(path: string): string {
  return /^(?:libs\/deployers\/[^/]+|(?:libs|services)\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path;
}

const isModule = (path: string): boolean => /\.(?:ts|mjs)$/.test(path);
const isInPackage = (path: string): boolean => /^(?:libs|services|scripts|test-e2e)\//.test(path);
/** jest.config.mjs loads these for every test. */
const isOfEveryTest = (path: string): boolean => /^scripts\/test-run\/[^/]+\.mjs$/.test(path);

/**
 * Returns the tests that may read a file that is not a module of a package. In a package, these are the tests of the package, such as tests of recorded
 * cases. Tests name a page of the documentation by its name. Any other file, such as a CRD or the lock file, can break every test.
 */
function testsThatRead(path: string, { modules, tests }: Pick<Change, "modules" | "tests">): readonly string[] {
  if (isInPackage(path) && !isOfEveryTest(path)) return tests.filter((test) => packageOf(test) === packageOf(path));
  if (!path.endsWith(".md")) return tests;
  const [name = ""] = /[^/]+$/.exec(path) ?? [];
  return tests.filter((test) => modules.files.get(test)?.includes(name) === true);
}

/**
 * Chooses the tests that a change can break: first the changed tests, then the tests of the changed packages that import a changed file, then
 * the tests of other packages that do, the nearest first. A test that exceeds the remaining budget is omitted. Suites start all services, so only changed ones are chosen. Pure.
 */
export function chooseTests({ modules, tests, changed, secondsOf, budgetSeconds }: Change): ChosenTests {
  const isRead = (path: string): boolean => !isModule(path) || !isInPackage(path) || isOfEveryTest(path);
  const distances = distancesTo(modules, changed.filter(isModule));
  const readers = new Set(changed.filter(isRead).flatMap((path) => testsThatRead(path, { modules, tests })));
  const packages = new Set(changed.map(packageOf));
  const isOwn = (test: string): boolean => changed.includes(test) || (packages.has(packageOf(test)) && !isSuite(test));
  const rank = (test: string): number => distances.get(test) ?? 1;
  const affected = tests.filter((test) => distances.has(test) || readers.has(test));
  const ordered = affected.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || rank(a) - rank(b));
  const chosen: string[] = [];
  let seconds = 0;
  for (const test of ordered) {
    const isWanted = changed.includes(test) || (!isSuite(test) && seconds + secondsOf(test) <= budgetSeconds);
    if (!isWanted) continue;
    chosen.push(test);
    seconds += secondsOf(test);
  }
  return { chosen, omitted: ordered.filter((test) => !chosen.includes(test)) };
}
