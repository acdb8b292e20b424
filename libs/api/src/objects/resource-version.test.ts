import { describe, expect, it } from "@jest/globals";
import { compareResourceVersions, isOlder } from "./resource-version.ts";

describe("compareResourceVersions", () => {
  it.each([
    ["1", "2", -1],
    ["2", "1", 1],
    ["9", "10", -1],
    ["10", "9", 1],
    ["7", "7", 0],
    // Beyond the integers that a number holds exactly.
    ["9007199254740993", "9007199254740992", 1],
    ["184467440737095516150", "184467440737095516151", -1],
  ])("orders %s against %s", (left, right, want) => {
    expect(Math.sign(compareResourceVersions(left, right) ?? Number.NaN)).toBe(want);
  });

  it.each([
    [undefined, "1"],
    ["1", undefined],
    ["a", "1"],
    ["", "1"],
    ["0", "1"],
    ["01", "1"],
    ["-1", "1"],
    ["1.5", "1"],
  ])("cannot compare %s with %s", (left, right) => {
    expect(compareResourceVersions(left, right)).toBeUndefined();
  });
});

describe("isOlder", () => {
  it("is false for what is equal, newer or cannot be compared", () => {
    expect([isOlder("1", "2"), isOlder("2", "2"), isOlder("3", "2"), isOlder("x", "2")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
