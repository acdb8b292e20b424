import { describe, expect, it } from "@jest/globals";
// @ts-expect-error -- plain JavaScript, which jest loads as its sequencer
import { shuffle as shuffleTests } from "./long-suites-first.mjs";

interface TestFile {
  readonly path: string;
}
const shuffle = shuffleTests as (tests: readonly TestFile[], seed: number) => readonly TestFile[];

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
