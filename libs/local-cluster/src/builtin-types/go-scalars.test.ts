import { describe, expect, it } from "@jest/globals";
import { readScalar, zeroScalar } from "./go-scalars.ts";
import type { ScalarKind } from "./parse-builtin-types.ts";

const time = '"2006-01-02T15:04:05Z07:00"';
const micro = '"2006-01-02T15:04:05.000000Z07:00"';

describe("readScalar", () => {
  it("reads a megabyte of padding that does not end the text", () => {
    const text = `${"=".repeat(1_000_000)}AAAA`;
    expect(readScalar("bytes", text)).toEqual({ problem: expect.stringMatching(/^illegal base64 data at input byte/) });
  });

  const cases: readonly (readonly [ScalarKind, unknown, unknown])[] = [
    ["string", "x", { value: "x" }],
    ["string", 1, { mismatch: "number" }],
    ["string", [], { mismatch: "array" }],
    ["string", {}, { mismatch: "object" }],
    ["string", true, { mismatch: "bool" }],
    ["bool", true, { value: true }],
    ["bool", "true", { mismatch: "string" }],
    ["int32", 5, { value: 5 }],
    ["int32", 1.5, { mismatch: "number 1.5" }],
    ["int32", 2_147_483_647, { value: 2_147_483_647 }],
    ["int32", 2_147_483_648, { mismatch: "number 2147483648" }],
    ["int32", -2_147_483_649, { mismatch: "number -2147483649" }],
    ["int32", 9_007_199_254_740_993n, { mismatch: "number 9007199254740993" }],
    ["int64", 9_223_372_036_854_775_807n, { value: 9_223_372_036_854_775_807n }],
    ["int64", -(2n ** 63n), { value: -(2n ** 63n) }],
    ["int64", 1e20, { mismatch: "number 100000000000000000000" }],
    ["int64", Infinity, { mismatch: "number Infinity" }],
    ["int64", "5", { mismatch: "string" }],
    ["float64", 1.5, { value: 1.5 }],
    ["intOrString", 5, { value: 5 }],
    ["intOrString", "http", { value: "http" }],
    ["intOrString", true, { mismatch: "bool" }],
    ["quantity", "1024Mi", { value: "1Gi" }],
    ["quantity", 2, { value: "2" }],
    [
      "quantity",
      "much",
      { problem: "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" },
    ],
    ["bytes", "eA==", { value: "eA==" }],
    ["bytes", "e\nA==", { value: "eA==" }],
    ["bytes", "!", { problem: "illegal base64 data at input byte 0" }],
    ["bytes", "eA=", { problem: "illegal base64 data at input byte 3" }],
    ["bytes", "eA", { problem: "illegal base64 data at input byte 0" }],
    ["bytes", "eAAAe", { problem: "illegal base64 data at input byte 4" }],
    ["bytes", "eAAA\neA", { problem: "illegal base64 data at input byte 5" }],
    ["bytes", "eA==e", { problem: "illegal base64 data at input byte 4" }],
    ["bytes", "eA==\n\nA", { problem: "illegal base64 data at input byte 6" }],
    ["bytes", "e=AA", { problem: "illegal base64 data at input byte 1" }],
    ["bytes", "eA=A", { problem: "illegal base64 data at input byte 2" }],
    ["bytes", "eAAA=", { problem: "illegal base64 data at input byte 4" }],
    ["bytes", "eAA=eAA=", { problem: "illegal base64 data at input byte 4" }],
    ["bytes", "=", { problem: "illegal base64 data at input byte 0" }],
    ["bytes", "eAAA eA==", { problem: "illegal base64 data at input byte 4" }],
    ["bytes", "eA=\n=\n", { value: "eA==" }],
    ["bytes", "eAA=", { value: "eAA=" }],
    ["bytes", "", { value: "" }],
    ["bytes", 1, { mismatch: "number" }],
    ["time", "2026-01-02T03:04:05Z", { value: "2026-01-02T03:04:05Z" }],
    ["time", "2026-01-02T03:04:05.999Z", { value: "2026-01-02T03:04:05Z" }],
    ["time", "2026-01-02T03:04:05+02:00", { value: "2026-01-02T01:04:05Z" }],
    ["time", "x", { problem: `parsing time "x" as ${time}: cannot parse "x" as "2006"` }],
    ["time", "2026-01-02", { problem: `parsing time "2026-01-02" as ${time}: cannot parse "" as "T"` }],
    [
      "time",
      "2026-01-02T03:04:05",
      { problem: `parsing time "2026-01-02T03:04:05" as ${time}: cannot parse "" as "Z07:00"` },
    ],
    ["time", "2026-13-02T03:04:05Z", { problem: 'parsing time "2026-13-02T03:04:05Z": day out of range' }],
    ["microtime", "2026-01-02T03:04:05.123456Z", { value: "2026-01-02T03:04:05.123456Z" }],
    ["microtime", "2026-01-02T03:04:05.123456+02:00", { value: "2026-01-02T01:04:05.123456Z" }],
    [
      "microtime",
      "2026-01-02T03:04:05.123Z",
      { problem: `parsing time "2026-01-02T03:04:05.123Z" as ${micro}: cannot parse ".123Z" as ".000000"` },
    ],
    [
      "microtime",
      "2026-01-02T03:04:05.1234567Z",
      { problem: `parsing time "2026-01-02T03:04:05.1234567Z" as ${micro}: cannot parse "7Z" as "Z07:00"` },
    ],
    ["any", { a: [1] }, { value: { a: [1] } }],
    ["raw", 1, { value: 1 }],
    ["duration", "5s", { value: "5s" }],
  ];
  for (const [scalar, value, want] of cases) {
    it(`answers ${JSON.stringify(want)} to ${JSON.stringify(value)} as ${scalar}`, () => {
      expect(readScalar(scalar, value)).toEqual(want);
    });
  }
});

describe("zeroScalar", () => {
  it("is what Go writes for fields that were never set", () => {
    const scalars: readonly ScalarKind[] = [
      "string",
      "bool",
      "int32",
      "intOrString",
      "quantity",
      "duration",
      "time",
      "bytes",
    ];
    expect(scalars.map((scalar) => zeroScalar(scalar))).toEqual(["", false, 0, 0, "0", "0s", null, null]);
  });
});
