import { basename, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
// @ts-expect-error -- plain JavaScript, which jest loads as its sequencer
import { inOrder as orderTests, shuffle as shuffleTests } from "./long-suites-first.mjs";

const root = join(import.meta.dirname, "../..");

interface TestFile {
  readonly path: string;
}
const shuffle = shuffleTests as (tests: readonly TestFile[], seed: number) => readonly TestFile[];

const inOrder = orderTests as (
  tests: readonly TestFile[],
  durations?: Readonly<Record<string, number>>,
) => readonly TestFile[];

describe("the order of test files", () => {
  const suites = ["diff", "bad-input", "fenced"].map((name) => `test-e2e/suites/${name}.test.ts`);
  const tests = suites.map((suite) => ({ path: join(root, suite) }));
  const namesOf = (ordered: readonly TestFile[]): readonly string[] => ordered.map(({ path }) => basename(path));

  it("begins with the suites that take longest, with their long tests or in their last run", () => {
    expect(namesOf(inOrder(tests))).toEqual(["fenced.test.ts", "bad-input.test.ts", "diff.test.ts"]);
    const durations = { [suites[0] ?? ""]: 90, [suites[2] ?? ""]: 1 };
    expect(namesOf(inOrder(tests, durations))).toEqual(["fenced.test.ts", "diff.test.ts", "bad-input.test.ts"]);
  });
});

describe("a random order of test files", () => {
  const tests = Array.from({ length: 100 }, (_, index) => ({ path: `${index}.test.ts` }));

  it("depends on the seed alone", () => {
    const once = shuffle(tests, 7);
    expect(shuffle(tests.toReversed(), 7)).toEqual(once);
    expect(shuffle(tests, 8)).not.toEqual(once);
  });

  it("has every file once", () => {
    expect(shuffle(tests, 7)).not.toEqual(tests);
    expect(new Set(shuffle(tests, 7))).toEqual(new Set(tests));
  });
});
