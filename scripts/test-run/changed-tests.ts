import { distancesTo, isModule, reachedFrom, type Modules } from "../import-graph.ts";
import type { ChangedFile, Changes } from "./changed-files.ts";
import { isSuite } from "./test-files.ts";

export interface Change {
  readonly modules: Modules;
  /** Paths of all test files. */
  readonly tests: readonly string[];
  readonly changed: readonly ChangedFile[];
  /** Duration of a test file in an earlier run. */
  readonly secondsOf: (test: string) => number;
  /** Upper bound of the sum of the durations of the chosen tests. */
  readonly budgetSeconds: number;
}

export interface ChosenTests {
  /** Test files that run. */
  readonly chosen: readonly string[];
  /** Test files that the change can also break, but that exceed the budget, are suites, or depend on the change in another way than by imports. */
  readonly omitted: readonly string[];
}

/** The package of a path, such as "libs/api" or "libs/deployers/helm"; "scripts" and "test-e2e" for themselves. */
function packageOf(path: string): string {
  return /^(?:libs\/deployers\/[^/]+|(?:libs|services)\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path;
}

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

const typeStatement = /^(?:import type (?!from\b)|export type |(?:export )?(?:declare|interface|type) [\w$])/;

/** Returns true for a module that is empty at run time. oxfmt begins each statement at the start of a line, or behind a comment. Pure. */
export function isTypeOnly(text: string): boolean {
  const starts = text.split("\n").filter((line) => /^[^\s/*})]|^\s?(?:[/*].*)?\*\/\s*\S/.test(line));
  return starts.every((line) => typeStatement.test(line));
}

/** Returns true for a page of the documentation whose first lines say which command writes it. */
export function isGenerated({ path, text }: Pick<ChangedFile, "path" | "text">): boolean {
  const head = text.split("\n", 6).join("\n");
  return path.endsWith(".md") && /\bgenerated\b.*\bby `/i.test(head);
}

/** Returns true for a file that says what a package ships. The suites build and start it. */
function isOfDelivery(path: string): boolean {
  return isInPackage(path) && !path.includes("/testdata/") && /(?:\/|\.)Dockerfile$|\/package\.json$/.test(path);
}

/** Returns true for a file that runs or is compared, so that some test can fail for it. Prose is neither. */
function canBreak(file: ChangedFile): boolean {
  if (file.path.endsWith(".md")) return false;
  if (file.isDeleted && file.path.endsWith(".test.ts")) return false;
  return !isModule(file.path) || !isTypeOnly(file.text);
}

/**
 * Returns the tests that may depend on a file in another way than by imports: suites start programs by their paths, and build images. Tests of scripts read
 * sources. Any test may compare a generated page.
 */
function testsBeyondImports(file: ChangedFile, tests: readonly string[]): readonly string[] {
  if (isGenerated(file)) return tests;
  const readsSources = packageOf(file.path) === "scripts" || isOfDelivery(file.path);
  return tests.filter((test) => isSuite(test) || (readsSources && packageOf(test) === "scripts"));
}

/**
 * Chooses the tests that a change can break: first the changed tests, then the tests of the changed packages that import a changed file, then
 * the tests of other packages that do, the nearest first. A test that exceeds the remaining budget is omitted. Suites start all services, so only changed ones are
 * chosen. A changed file that no test imports or names may still run, such as the program of a service: then all suites are omitted tests. Pure.
 */
export function chooseTests({ modules, tests, changed: files, secondsOf, budgetSeconds }: Change): ChosenTests {
  const changed = files.map(({ path }) => path);
  const isRead = (path: string): boolean => !isModule(path) || !isInPackage(path) || isOfEveryTest(path);
  const distances = distancesTo(modules, changed.filter(isModule));
  const read = new Map(changed.filter(isRead).map((path) => [path, testsThatRead(path, { modules, tests })]));
  const readers = new Set([...read.values()].flat());
  const loaded = reachedFrom(modules, tests);
  const isTested = (path: string): boolean => loaded.has(path) || (read.get(path) ?? []).length > 0;
  const others = new Set(
    files
      .filter((file) => isGenerated(file) || isOfDelivery(file.path) || (!isTested(file.path) && canBreak(file)))
      .flatMap((file) => testsBeyondImports(file, tests)),
  );
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
  return { chosen, omitted: [...new Set([...ordered, ...others])].filter((test) => !chosen.includes(test)) };
}

/** Returns lines that say which tests run for the changes, and which do not. Pure. */
export function describeChoice({ base, files }: Changes, { chosen, omitted }: ChosenTests): readonly string[] {
  const since = `changes since ${base}`;
  if (files.length === 0) return [`${since}: none; no test runs`];
  const deleted = files.filter(({ path, isDeleted }) => isDeleted && path.endsWith(".test.ts"));
  const gone = deleted.length === 0 ? [] : [`deleted test files: ${deleted.map(({ path }) => path).join(", ")}`];
  if (chosen.length + omitted.length === 0) {
    return [`${since}: no test reads the changed files; npm run lint checks types and documentation`, ...gone];
  }
  const rest = omitted.length === 0 ? "" : `; npm test also runs ${omitted.length} further files that they can break`;
  const advice = "--changed cannot run any of them: run npm test, or name some of them: npm test -- PATTERN";
  return [`${since}: running ${chosen.length} test files${rest}`, ...gone, ...(chosen.length === 0 ? [advice] : [])];
}
