import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { runBaseline, runMutants } from "./run-tests.ts";

const path = "libs/json/src/is-nested-deeper.ts";
const test = "libs/json/src/is-nested-deeper.test.ts";
const tests = [{ path: test, fresh: [path, test] }];
const text = readFileSync(join(import.meta.dirname, "../..", path), "utf8");
/** A call of the product function runs the statement first. */
const begin = (statement: string): string => text.replace("if (typeof value", `${statement}\n  if (typeof value`);

it("measures the duration and the coverage of a test file", async () => {
  expect(await runBaseline("json", tests, [path])).toEqual([
    {
      type: "baseline",
      test,
      ms: expect.any(Number),
      coverage: {
        [path]: expect.arrayContaining([
          expect.objectContaining({ startOffset: text.indexOf("function"), endOffset: text.lastIndexOf("}") + 1 }),
        ]),
      },
    },
  ]);
});

it("notices what a changed module does to its tests, and continues behind endless loops and ended processes", async () => {
  const texts: readonly (readonly [text: string, outcome: unknown])[] = [
    [text, { state: "survived" }],
    [
      text.replace("levels === 0", "levels !== 0"),
      { state: "killed", detail: expect.stringMatching(/^libs\/json\S+: \[\] is nested/) },
    ],
    [begin("while (levels > -1);"), { state: "timed out" }],
    [begin("process.kill(process.pid);"), { state: "killed", detail: "the process ended" }],
    [text.replace("export ", ""), { state: "killed", detail: expect.stringContaining("does not provide") }],
    [text, { state: "survived" }],
  ];
  const done: number[] = [];
  const outcomes = await runMutants({
    project: "json",
    mutants: texts.map(([mutated], id) => ({ id, path, text: mutated, tests: [test] })),
    tests,
    fresh: { [path]: [path, test] },
    msOf: new Map(),
    deadlineMs: Date.now() + 100_000,
    onOutcome: (count) => done.push(count),
  });
  expect([...outcomes.values()]).toEqual(texts.map(([, outcome]) => outcome));
  expect(done).toEqual([1, 2, 3, 4, 5, 6]);
});

it("starts no mutant after the deadline", async () => {
  const mutants = [{ id: 0, path, text, tests: [test] }];
  const times = { msOf: new Map<string, number>(), deadlineMs: Date.now() - 1, onOutcome: () => undefined };
  expect(await runMutants({ project: "json", mutants, tests, fresh: {}, ...times })).toEqual(new Map());
});
