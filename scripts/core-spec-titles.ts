// Which numbered behaviours and scenarios of core.md the titles of tests name.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Texts of one source file: titles of tests and of their rows are among them, comments are not. */
function textsOf(source: string): readonly string[] {
  const code = source.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "");
  return code.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g) ?? [];
}

/** Numbers after "§<section>.", not those of another document than core.md ("deployers.md §4.2"). */
function sectionNumbers(text: string, section: number): readonly number[] {
  const pattern = new RegExp(String.raw`(?:(\w+)\.md )?§${section}\.(\d+)`, "g");
  const found = [...text.matchAll(pattern)].filter(([, document]) => document === undefined || document === "core");
  return found.map(([, , number]) => Number(number));
}

interface TestedNumbers {
  /** Items of core.md §4 by their number: files whose tests name them. */
  readonly behaviours: ReadonlyMap<number, readonly string[]>;
  /** Scenarios of core.md §5: suites that name them as "scenario N". */
  readonly scenarios: ReadonlyMap<number, readonly string[]>;
  /** Scenarios that tests of packages name as "§5.N". */
  readonly packageScenarios: ReadonlyMap<number, readonly string[]>;
}

function collect(
  files: readonly (readonly [string, string])[],
  numbersOf: (text: string) => readonly number[],
): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  for (const [file, source] of files) {
    for (const number of new Set(textsOf(source).flatMap(numbersOf))) {
      found.set(number, [...(found.get(number) ?? []), file]);
    }
  }
  return found;
}

/** Reads the titles of the tests of the packages that core.md speaks of, and of the e2e suites. */
export function readTestedNumbers(root: string): TestedNumbers {
  const read = (patterns: readonly string[]) =>
    globSync([...patterns], { cwd: root })
      .toSorted()
      .map((file) => [file, readFileSync(join(root, file), "utf8")] as const);
  const units = read(["{services/landscaper-core,libs/blueprint,libs/api,libs/deployer}/src/**/*.test.ts"]);
  const suites = read(["test-e2e/suites/**/*.test.ts"]);
  const scenarioNumbers = (text: string): readonly number[] =>
    [...text.matchAll(/\bscenario (\d+)\b/g)].map(([, number]) => Number(number));
  return {
    behaviours: collect([...units, ...suites], (text) => sectionNumbers(text, 4)),
    scenarios: collect(suites, scenarioNumbers),
    packageScenarios: collect(units, (text) => sectionNumbers(text, 5)),
  };
}
