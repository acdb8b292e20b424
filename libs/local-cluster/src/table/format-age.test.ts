import { describe, expect, it } from "@jest/globals";
import { formatAge, formatHumanDuration } from "./format-age.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe("formatHumanDuration", () => {
  const cases: readonly (readonly [number, string])[] = [
    [-2 * second, "<invalid>"],
    [-second, "0s"],
    [0, "0s"],
    [119 * second, "119s"],
    [2 * minute, "2m"],
    [2 * minute + 5 * second, "2m5s"],
    [10 * minute, "10m"],
    [179 * minute, "179m"],
    [3 * hour, "3h"],
    [3 * hour + 12 * minute, "3h12m"],
    [8 * hour, "8h"],
    [47 * hour, "47h"],
    [2 * day, "2d"],
    [2 * day + 3 * hour, "2d3h"],
    [8 * day, "8d"],
    [729 * day, "729d"],
    [730 * day, "2y"],
    [740 * day, "2y10d"],
    [9 * 365 * day, "9y"],
  ];
  for (const [ms, want] of cases) {
    it(`writes ${ms / second} seconds as ${want}`, () => {
      expect(formatHumanDuration(ms)).toBe(want);
    });
  }
});

describe("formatAge", () => {
  it("counts from the timestamp", () => {
    expect(formatAge("2026-01-01T00:00:00Z", Date.parse("2026-01-01T00:00:42Z"))).toBe("42s");
  });

  it("says when there is none", () => {
    expect(formatAge(undefined, 0)).toBe("<unknown>");
    expect(formatAge("", 0)).toBe("<unknown>");
  });
});
