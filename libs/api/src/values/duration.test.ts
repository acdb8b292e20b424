import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { formatDuration, parseConfiguredDuration, parseDuration, parseDurationField } from "./duration.ts";

describe("parseDuration", () => {
  it.each([
    ["none", 0],
    ["0", 0],
    ["0s", 0],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["2h45m", 9_900_000],
    ["300ms", 300],
    ["-1.5h", -5_400_000],
    ["+5m", 300_000],
    [".5s", 500],
    ["1.s", 1000],
    ["1us", 0.001],
    ["1µs", 0.001],
    ["1μs", 0.001],
    ["1h0m0.5s", 3_600_500],
  ])("reads %p as %p ms", (text, want) => {
    expect(parseDuration(text)).toBe(want);
  });

  it.each(["", "abc", "1", "1 h", "h", "-.s", "3x", "5m5", "none ", "-", "1e3s", "10 m"])("refuses %p", (text) => {
    expect(() => parseDuration(text)).toThrow("expected a duration such as 5m30s, or none, found ");
  });

  it.each([
    ["", "an empty text"],
    ["300", "a number without a unit"],
    ["-1.5", "a number without a unit"],
    ["5 minutes", '"5 minutes": did you mean "5m"?'],
    ["5 Min", '"5 Min": did you mean "5m"?'],
    ["90 sec", '"90 sec": did you mean "90s"?'],
    ["10 m", '"10 m": did you mean "10m"?'],
    ["1hour", '"1hour": did you mean "1h"?'],
    ["250 msecs", '"250 msecs": did you mean "250ms"?'],
    ["2 days", '"2 days": did you mean "48h"?'],
    ["0 days", "another text"],
    ["5 parsecs", "another text"],
    ["1234567 minutes", "another text"],
    ["sentinel", "another text"],
  ])("describes %j", (text, found) => {
    expect(() => parseDuration(text)).toThrow(new Error(`expected a duration such as 5m30s, or none, found ${found}`));
  });
});

describe("parseDurationField", () => {
  it("reads a duration", () => {
    expect(["90s", "none"].map((text) => parseDurationField(text, "delay"))).toEqual([90_000, 0]);
  });

  it.each([
    ["soon", "delay: expected a duration such as 5m30s, or none, found another text"],
    ["-5s", "delay: expected a duration of at least 0, found a negative one"],
  ])("refuses %j with its place", (text, message) => {
    expect(() => parseDurationField(text, "delay")).toThrow(
      expect.objectContaining({ message, reason: "InvalidInput", codes: ["ERR_CONFIGURATION_PROBLEM"] }),
    );
  });
});

describe("parseConfiguredDuration", () => {
  it.each([
    ["none", 0],
    ["90s", 90_000],
  ])("reads %p", (text, want) => {
    expect(parseConfiguredDuration(text, "targetWait")).toBe(want);
  });

  it.each([
    ["soon", '"soon"'],
    ["-5s", '"-5s", which is negative'],
  ])("refuses %p with its place", (text, found) => {
    expect(() => parseConfiguredDuration(text, "targetWait")).toThrow(
      new Error(`targetWait: expected a Go duration such as "1h30m" or "90s", or "none", found ${found}`),
    );
  });
});

describe("formatDuration", () => {
  // Go's Duration.String, and "none" for 0 (core.md §3.4).
  it.each([
    [0, "none"],
    [5_400_000, "1h30m0s"],
    [600_000, "10m0s"],
    [1000, "1s"],
    [1500, "1.5s"],
    [300, "300ms"],
    [1.5, "1.5ms"],
    [0.001, "1µs"],
    [0.0015, "1.5µs"],
    [0.000_01, "10ns"],
    [359_999_999, "99h59m59.999s"],
    [-5_400_000, "-1h30m0s"],
    [3_600_500, "1h0m0.5s"],
    [3_600_000, "1h0m0s"],
  ])("writes %p ms as %p", (ms, want) => {
    expect(formatDuration(ms)).toBe(want);
  });

  it("writes what parseDuration reads back", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (ms) => {
        expect(parseDuration(formatDuration(ms))).toBe(ms);
      }),
    );
  });
});
