import { describe, expect, it } from "@jest/globals";
import { describeRun } from "./describe-run.ts";
import { judgeSurvivors, parseExplanations, type JudgedRun } from "./explanations.ts";

const boundary = { file: "src/a.ts", line: 4, context: "if (a < b) return;", original: "a < b", mutated: "a <= b" };
const explanation = {
  file: "src/a.ts",
  line: "if (a < b) return;",
  original: "a < b",
  mutated: "a <= b",
  reason: "equal values are the same object",
};
const run: JudgedRun = { survivors: [], untested: [], isListed: () => true };

describe("explanations of surviving mutants", () => {
  it("find the mutant when its line has moved", () => {
    const moved = { ...boundary, line: 5 };
    expect(judgeSurvivors({ ...run, survivors: [moved] }, [explanation])).toEqual({
      unexplained: [],
      explained: [moved],
      outdated: [],
    });
  });

  it.each([{ file: "src/b.ts" }, { context: "if (a < b) throw a;" }, { original: "b < a" }, { mutated: "a >= b" }])(
    "do not match a mutant with another %j",
    (difference) => {
      const survivor = { ...boundary, ...difference };
      expect(judgeSurvivors({ ...run, survivors: [survivor] }, [explanation])).toEqual({
        unexplained: [survivor],
        explained: [],
        outdated: [explanation],
      });
    },
  );

  it("are outdated when tests notice the mutant", () => {
    expect(judgeSurvivors(run, [explanation]).outdated).toEqual([explanation]);
  });

  it("are not outdated in a run without the mutant or its file", () => {
    expect(judgeSurvivors({ ...run, untested: [boundary] }, [explanation]).outdated).toEqual([]);
    expect(judgeSurvivors({ ...run, isListed: () => false }, [explanation]).outdated).toEqual([]);
  });

  it("are read from a list of objects", () => {
    expect(parseExplanations("libs/a/mutants.json", JSON.stringify([explanation]))).toEqual([explanation]);
  });

  it.each<[text: string, message: string]>([
    ["{}", "libs/a/mutants.json: expected a list of explanations"],
    ["[1]", "element 0: expected an object with the texts file, line, original, mutated, reason, and no others"],
    [JSON.stringify([explanation, { ...explanation, line: 4 }]), "libs/a/mutants.json: element 1: expected an object"],
    [JSON.stringify([{ ...explanation, other: "" }]), "libs/a/mutants.json: element 0: expected an object"],
  ])("refuse %j", (text, message) => {
    expect(() => parseExplanations("libs/a/mutants.json", text)).toThrow(message);
  });
});

it("reports survivors, outdated explanations and figures", () => {
  const judgement = {
    unexplained: [boundary, { ...boundary, line: 9, original: "'a'", mutated: '""', isUncovered: true }],
    explained: [boundary],
    outdated: [explanation],
  };
  expect(describeRun("libs/a", { mutants: 22, killed: 15, timedOut: 1, refused: 2, notRun: 1 }, judgement)).toEqual([
    "libs/a/src/a.ts:4  `a < b` → `a <= b`",
    "libs/a/src/a.ts:9  `'a'` → `\"\"`  (not covered)",
    "libs/a/mutants.json: no survivor of src/a.ts is `a < b` → `a <= b`: remove the explanation",
    "libs/a: 22 mutants: 15 killed, 1 timed out, 2 refused by the compiler, 2 survived (1 not covered), 1 explained, 1 not run for lack of time",
  ]);
  const clean = { ...judgement, unexplained: [], outdated: [] };
  expect(describeRun("libs/a", { mutants: 16, killed: 15, timedOut: 0, refused: 0, notRun: 0 }, clean)).toEqual([
    "libs/a: 16 mutants: 15 killed, 0 timed out, 0 refused by the compiler, 0 survived (0 not covered), 1 explained",
  ]);
});
