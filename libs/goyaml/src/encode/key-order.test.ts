import { describe, expect, it } from "@jest/globals";
import { compareKeys } from "./key-order.ts";
import { compareStrings } from "../strings/compare-strings.ts";
import { isTimestamp } from "../scalars/timestamp.ts";

describe("compareKeys", () => {
  it.each([
    [
      ["a10", "a9", "a1"],
      ["a1", "a9", "a10"],
    ],
    [
      ["b", "B", "a", "_", "-", "1"],
      ["-", "_", "1", "B", "a", "b"],
    ],
    [
      ["10", "9", "1"],
      ["1", "9", "10"],
    ],
    [
      ["a01", "a1", "a001"],
      ["a1", "a01", "a001"],
    ],
    [
      ["v1.10", "v1.9", "v1.2"],
      ["v1.2", "v1.9", "v1.10"],
    ],
    [
      ["ab", "a", "a-", "a1"],
      ["a", "a-", "a1", "ab"],
    ],
    [
      ["a100b", "a10b", "a10"],
      ["a10", "a100b", "a10b"],
    ],
    [
      ["é", "z", "ü"],
      ["z", "é", "ü"],
    ],
  ])("orders %j", (given, wanted) => {
    expect(given.toSorted(compareKeys)).toEqual(wanted);
  });
});

describe("compareStrings", () => {
  it("orders by UTF-8 bytes, also beyond the first plane", () => {
    expect(["\u{1f600}", "\uffee", "a", "", "ab"].toSorted(compareStrings)).toEqual([
      "",
      "a",
      "ab",
      "\uffee",
      "\u{1f600}",
    ]);
  });
});

describe("isTimestamp", () => {
  it.each([
    ["2001-01-01", true],
    ["2001-1-1", true],
    ["2001-02-29", false],
    ["2000-02-29", true],
    ["1900-02-29", false],
    ["2001-04-31", false],
    ["2001-13-01", false],
    ["2001-01-01T10:00:00Z", true],
    ["2001-01-01t1:2:3.5+02:00", true],
    ["2001-01-01 10:00:00", true],
    ["2001-01-01 10:00:00.123", true],
    ["2001-01-01 10:00:00Z", false],
    ["2001-01-01T10:00:00", false],
    ["2001-01-01T24:00:00Z", false],
    ["2001-01-01T10:60:00Z", false],
    ["2001-01-01T10:00:00+25:00", false],
    ["20010101", false],
    ["x", false],
  ])("judges %j", (text, isOne) => {
    expect(isTimestamp(text)).toBe(isOne);
  });
});
