import { describe, expect, it } from "@jest/globals";
import { parseGoDuration } from "./parse-go-duration.ts";

describe("parseGoDuration", () => {
  const cases: [string, bigint | undefined][] = [
    ["0", 0n],
    ["1s", 1_000_000_000n],
    ["1h2m3s", 3_723_000_000_000n],
    ["1.5h", 5_400_000_000_000n],
    [".5s", 500_000_000n],
    ["-1m", -60_000_000_000n],
    ["+1ms", 1_000_000n],
    ["1us1µs1ns", 2001n],
    ["0.000000001s", 1n],
    ["2 days", 172_800_000_000_000n],
    ["1w", 604_800_000_000_000n],
    ["3 hours 5 min", 11_100_000_000_000n],
    ["5 Seconds", 5_000_000_000n],
    ["1hr", 3_600_000_000_000n],
    ["", undefined],
    ["1", undefined],
    ["s", undefined],
    [".s", undefined],
    ["1x", undefined],
    ["none", undefined],
    ["12 34h", 122_400_000_000_000n],
    ["1x 2h", 7_200_000_000_000n],
    ["1 day 99999999999999999999 hours", undefined],
    ["99999999999999999999h", undefined],
  ];
  for (const [text, want] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(parseGoDuration(text)).toBe(want);
    });
  }

  it("reads a million digits, and a million spaces", () => {
    expect(parseGoDuration("1".repeat(1_000_000))).toBeUndefined();
    expect(parseGoDuration(`1${" ".repeat(1_000_000)}`)).toBeUndefined();
    expect(parseGoDuration(`${"1 ".repeat(1_000_000)}day`)).toBe(86_400_000_000_000n);
  });
});
