import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { areUnderscoresValid, fitsInt64, fitsUint64, parseGoFloat, parseGoInteger } from "./parse-number.ts";

describe("parseGoInteger", () => {
  it.each<[string, bigint | undefined]>([
    ["0", 0n],
    ["-0", 0n],
    ["+5", 5n],
    ["-12", -12n],
    ["0x1F", 31n],
    ["0XfF", 255n],
    ["-0x10", -16n],
    ["0b101", 5n],
    ["0o17", 15n],
    ["017", 15n],
    ["0_17", 15n],
    ["1_000", 1000n],
    ["0x_ff", 255n],
    ["18446744073709551616", 18446744073709551616n],
    ["08", undefined],
    ["1__0", undefined],
    ["_1", undefined],
    ["1_", undefined],
    ["0x", undefined],
    ["0b2", undefined],
    ["", undefined],
    ["-", undefined],
    ["1.0", undefined],
    ["1e3", undefined],
    [" 1", undefined],
    ["٣", undefined],
  ])("reads %j", (text, value) => {
    expect(parseGoInteger(text)).toBe(value);
  });
});

describe("parseGoFloat", () => {
  it.each<[string, number | undefined]>([
    ["1.5", 1.5],
    [".5", 0.5],
    ["5.", 5],
    ["1e3", 1000],
    ["-1E-2", -0.01],
    ["0x1p4", 16],
    ["0x1.8p1", 3],
    ["-0x.8p0", -0.5],
    ["0x1_0p0", 16],
    ["0x1p-1074", 5e-324],
    ["0x1.fffffffffffff8p0", 2],
    ["inf", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["1e400", undefined],
    ["1_0.5", 10.5],
    ["-1_000.2_5e1_0", -1000.25e10],
    [".1_0", 0.1],
    ["1__0", undefined],
    ["1_.5", undefined],
    ["1._5", undefined],
    ["1_e1", undefined],
    ["0b1_0", undefined],
    ["0x1", undefined],
    ["0xp1", undefined],
    [".", undefined],
    ["e1", undefined],
    ["1e", undefined],
    ["", undefined],
    ["-nan", undefined],
  ])("reads %j", (text, value) => {
    expect(parseGoFloat(text)).toBe(value);
  });

  it("reads nan", () => {
    expect(parseGoFloat("NaN")).toBeNaN();
  });

  it("reads hexadecimal floats exactly", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }),
        fc.integer({ min: -900, max: 900 }),
        (mantissa, exponent) => {
          const expected = exponent >= 0 ? Number(mantissa) * 2 ** exponent : Number(mantissa) / 2 ** -exponent;
          expect(parseGoFloat(`0x${mantissa.toString(16)}p${exponent}`)).toBe(expected);
        },
      ),
      { numRuns: 200, seed: 1 },
    );
  });
});

describe("areUnderscoresValid", () => {
  it.each([
    ["1_000", true],
    ["0x_1", true],
    ["1_", false],
    ["_1", false],
    ["1__0", false],
    ["1_.5", false],
    ["-1_0", true],
  ])("judges %j", (text, isValid) => {
    expect(areUnderscoresValid(text)).toBe(isValid);
  });
});

describe("ranges", () => {
  it("knows the limits of 64 bits", () => {
    expect([
      fitsInt64(2n ** 63n - 1n),
      fitsInt64(2n ** 63n),
      fitsInt64(-(2n ** 63n)),
      fitsInt64(-(2n ** 63n) - 1n),
    ]).toEqual([true, false, true, false]);
    expect([fitsUint64(2n ** 64n - 1n), fitsUint64(2n ** 64n), fitsUint64(-1n)]).toEqual([true, false, false]);
  });
});
