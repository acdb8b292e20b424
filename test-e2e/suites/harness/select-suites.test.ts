import { describe, expect, it } from "@jest/globals";
import { isNamedAlone, selectSuites } from "../../src/runs/select-suites.ts";

const paths = ["ha.test.ts", "harness/plan-run.test.ts", "hostile/claims.test.ts", "hostile/tenants.test.ts"];

describe("selectSuites", () => {
  it.each([
    ["a suite, and no other one whose name contains it", ["ha"], [String.raw`/suites/ha\.test\.ts$`], ["ha"]],
    ["a folder of suites", ["hostile"], ["/suites/hostile/"], ["hostile"]],
    ["a suite of a folder", ["hostile/claims"], [String.raw`/suites/hostile/claims\.test\.ts$`], ["hostile/claims"]],
    ["jest's own words", ["host", "-t", "scenario 8"], ["host", "-t", "scenario 8"], []],
    ["nothing", [], [], []],
    ["an empty word", [""], [""], []],
  ])("selects %s", (...[, words, jestArgs, named]) => {
    expect(selectSuites(words, paths)).toEqual({ jestArgs, named });
  });
});

describe("isNamedAlone", () => {
  it.each([
    ["the suite", "ha", "ha", true],
    ["nothing", "", "ha", false],
    ["no name at all", undefined, "ha", false],
    ["another suite", "replicas", "ha", false],
    ["two suites", "ha replicas", "ha", false],
    ["the folder of the suite", "hostile", "hostile/claims", true],
    ["the folder, asked for the folder", "hostile", "hostile", true],
    ["one suite of the folder, asked for the folder", "hostile/claims", "hostile", true],
    ["another suite of the folder", "hostile/tenants", "hostile/claims", false],
    ["a suite of the folder and another one", "hostile/claims ha", "hostile", false],
  ])("knows what was asked for: %s", (...[, named, suite, want]) => {
    expect(isNamedAlone(named, suite)).toBe(want);
  });
});
