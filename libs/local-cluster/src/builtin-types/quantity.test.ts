import { describe, expect, it } from "@jest/globals";
import { assert, integer, property } from "fast-check";
import { canonicalQuantity } from "./quantity.ts";

describe("canonicalQuantity", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["0", "0"],
    ["0Gi", "0"],
    ["-0", "0"],
    ["1", "1"],
    ["+1", "1"],
    ["-1", "-1"],
    ["1000", "1k"],
    ["1500", "1500"],
    ["0.5", "500m"],
    [".5", "500m"],
    ["1.", "1"],
    ["1000m", "1"],
    ["1500m", "1500m"],
    ["0.1", "100m"],
    ["100u", "100u"],
    ["0.0001", "100u"],
    ["1n", "1n"],
    ["0.5n", "1n"],
    ["1k", "1k"],
    ["1000k", "1M"],
    ["1M", "1M"],
    ["1G", "1G"],
    ["1T", "1T"],
    ["1P", "1P"],
    ["1E", "1E"],
    ["1Ki", "1Ki"],
    ["1024Ki", "1Mi"],
    ["1024Mi", "1Gi"],
    ["0.5Gi", "512Mi"],
    ["1.5Gi", "1536Mi"],
    ["0.5Ki", "512"],
    ["0.1Ki", "102400m"],
    ["1e3", "1e3"],
    ["1E3", "1e3"],
    ["5e-1", "500e-3"],
    ["12e6", "12e6"],
    ["1073741824", "1073741824"],
    ["1e19", "10e18"],
    ["1e30", "1e30"],
    ["1e-30", "1e-9"],
    ["20E", "20E"],
    ["8Ei", "9223372036854775807"],
    ["9223372036854775807Ei", "9223372036854775807"],
    ["9223372036854775808", "9223372036854775808"],
    ["1e1000000000", undefined],
    ["1e-1000000000", undefined],
    ["x", undefined],
    ["", undefined],
    ["1 Gi", undefined],
    ["1KI", undefined],
    ["1e", undefined],
    ["--1", undefined],
    ["1.2.3", undefined],
  ];
  for (const [text, want] of cases) {
    it(`makes ${JSON.stringify(want)} of ${JSON.stringify(text)}`, () => {
      expect(canonicalQuantity(text)).toBe(want);
    });
  }

  it("leaves canonical quantities as they are", () => {
    assert(
      property(integer({ min: -1_000_000_000, max: 1_000_000_000 }), (milli) => {
        const once = canonicalQuantity(`${milli}m`) ?? "";
        expect(canonicalQuantity(once)).toBe(once);
      }),
    );
  });
});
