import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { readTestedNumbers } from "./core-spec-titles.ts";

/** Items of core.md §4 that no test can show, with the reason. */
const untestedBehaviours: Readonly<Record<number, string>> = {
  55: "kinds of panics of Go: what counts as a fault of the code here, critical-problems.test.ts says",
  56: "SyncObjects: a technique of the original, Leases stand in",
  57: "SyncObjects: a technique of the original, Leases stand in",
  59: "two processes with one task each: LANDSCAPER_MODE keeps the choice",
  63: "cache of component descriptors: a technique of the original, content goes by its digest here",
};
const lastBehaviour = 65;

const lastScenario = 25;

/** Scenarios that no suite can play, with the reason; a test of a package does. */
const packageScenarios: Readonly<Record<number, string>> = {
  22: "hours pass: it needs a clock that the test moves",
};

const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);
const tested = readTestedNumbers(join(import.meta.dirname, ".."));

describe("core.md", () => {
  it("§4: every behaviour in scope has a test that is named by its number", () => {
    const missing = upTo(lastBehaviour).filter((number) => !tested.behaviours.has(number));
    expect(missing).toEqual(Object.keys(untestedBehaviours).map(Number));
  });

  it("§5: every scenario in scope is played by a suite, and by a package only if no suite can", () => {
    const missing = upTo(lastScenario).filter((number) => !tested.scenarios.has(number));
    expect(missing).toEqual(Object.keys(packageScenarios).map(Number));
    expect(Object.keys(packageScenarios).filter((number) => !tested.packageScenarios.has(Number(number)))).toEqual([]);
  });

  it("has no other numbers than these", () => {
    const beyond = (numbers: ReadonlyMap<number, unknown>, last: number) =>
      [...numbers.keys()].filter((number) => number < 1 || number > last);
    expect(beyond(tested.behaviours, lastBehaviour)).toEqual([]);
    expect(beyond(tested.scenarios, lastScenario)).toEqual([]);
    expect(beyond(tested.packageScenarios, lastScenario)).toEqual([]);
  });
});
