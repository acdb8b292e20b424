import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { formatFloat, formatFloatDefault, type FloatFormat } from "./format-float.ts";

describe("formatFloat", () => {
  const rows: readonly (readonly [value: number, format: FloatFormat, precision: number, text: string])[] = [
    [0, "g", -1, "0"],
    [-0, "g", -1, "-0"],
    [1, "g", -1, "1"],
    [100000, "g", -1, "100000"],
    [1e6, "g", -1, "1e+06"],
    [123456789, "g", -1, "1.23456789e+08"],
    [0.0001, "g", -1, "0.0001"],
    [0.00001, "g", -1, "1e-05"],
    [1e21, "g", -1, "1e+21"],
    [1.5, "G", -1, "1.5"],
    [1e-7, "G", -1, "1E-07"],
    [123456, "g", 3, "1.23e+05"],
    [123.456, "g", 4, "123.5"],
    [100, "g", 0, "1e+02"],
    [0.5, "f", 0, "0"],
    [1.5, "f", 0, "2"],
    [2.5, "f", 0, "2"],
    [0.25, "f", 1, "0.2"],
    [0.35, "f", 1, "0.3"],
    [1.005, "f", 2, "1.00"],
    [9.995, "f", 2, "9.99"],
    [99.95, "f", 1, "100.0"],
    [1e22, "f", -1, "10000000000000000000000"],
    [1.25e-5, "f", -1, "0.0000125"],
    [0, "f", 3, "0.000"],
    [0, "e", 2, "0.00e+00"],
    [12345, "e", 2, "1.23e+04"],
    [9.995, "e", 2, "9.99e+00"],
    [9.9951, "e", 2, "1.00e+01"],
    [1e100, "e", -1, "1e+100"],
    [1e-300, "E", 1, "1.0E-300"],
    [5e-324, "e", 3, "4.941e-324"],
    [0.1, "f", 20, "0.10000000000000000555"],
    [1, "x", -1, "0x1p+00"],
    [1.5, "x", -1, "0x1.8p+00"],
    [0.1, "X", 3, "0X1.99AP-04"],
    [0, "x", -1, "0x0p+00"],
    [1.9999, "x", 0, "0x1p+01"],
    [5e-324, "x", -1, "0x1p-1074"],
    [1, "b", -1, "4503599627370496p-52"],
    [Number.NaN, "g", -1, "NaN"],
    [Number.POSITIVE_INFINITY, "f", 2, "+Inf"],
    [Number.NEGATIVE_INFINITY, "f", 2, "-Inf"],
  ];
  it.each(rows.map((row) => [row.slice(0, 3).join(" "), row] as const))(
    "formats %s",
    (_, [value, format, precision, text]) => {
      expect(formatFloat(value, format, precision)).toBe(text);
    },
  );

  it("gives the shortest text that reads back the same", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        for (const format of ["e", "f", "g"] as const) expect(Number(formatFloat(value, format, -1))).toBe(value);
        expect(Number(formatFloatDefault(value))).toBe(value);
      }),
      { numRuns: 500, seed: 3 },
    );
  });

  it("rounds like an exact decimal, halves to even", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), (eighths) => {
        const value = eighths / 8;
        const rounded = Math.round(value * 100) / 100;
        const isTie = Math.abs(value * 100 - Math.trunc(value * 100)) === 0.5;
        fc.pre(!isTie);
        expect(Number(formatFloat(value, "f", 2))).toBe(rounded);
      }),
      { numRuns: 300, seed: 5 },
    );
  });
});
