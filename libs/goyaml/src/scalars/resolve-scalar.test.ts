import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { scalarSyntax } from "../decode/go-syntax.ts";
import { parseYamlNodes } from "../nodes/parse-yaml-nodes.ts";
import { resolvePlainScalar, smallInteger } from "./resolve-scalar.ts";
import { resolveScalar } from "./tagged-scalar.ts";
import { YamlError } from "../yaml-error.ts";

describe("resolvePlainScalar", () => {
  it.each([
    ["", { type: "null" }],
    ["~", { type: "null" }],
    ["Yes", { type: "bool", value: true }],
    ["off", { type: "bool", value: false }],
    ["tRue", { type: "string", value: "tRue" }],
    ["12", { type: "int", value: 12n }],
    ["-0x1F", { type: "int", value: -31n }],
    ["1_000", { type: "int", value: 1000n }],
    ["18446744073709551616", { type: "float", value: 18446744073709552000 }],
    ["08", { type: "float", value: 8 }],
    [".5", { type: "float", value: 0.5 }],
    ["-.Inf", { type: "float", value: Number.NEGATIVE_INFINITY }],
    ["1e400", { type: "string", value: "1e400" }],
    ["2024-02-29", { type: "timestamp", value: "2024-02-29" }],
    ["2023-02-29", { type: "string", value: "2023-02-29" }],
  ])("resolves %j", (text, expected) => {
    expect(resolvePlainScalar(text)).toEqual(expected);
  });
});

describe("smallInteger", () => {
  it.each(["", "-1", "+1", "01", "00", "1.0", "1_0", "0x1", " 1", "1234567890123456"])(
    "leaves %j to others",
    (text) => {
      expect(smallInteger(text)).toBeUndefined();
    },
  );

  it("is what a plain scalar means", () => {
    fc.assert(
      fc.property(fc.nat({ max: 999_999_999_999_999 }), (value) => {
        expect(smallInteger(String(value))).toBe(value);
        expect(resolvePlainScalar(String(value))).toEqual({ type: "int", value: BigInt(value) });
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});

function resolve(text: string): unknown {
  const [root] = parseYamlNodes(text);
  return root?.kind === "scalar" ? resolveScalar(root) : undefined;
}

describe("resolveScalar", () => {
  it.each([
    ["12", { type: "int", value: 12n }],
    ["'12'", { type: "string", value: "12" }],
    ["|\n 12", { type: "string", value: "12" }],
    ["! 12", { type: "string", value: "12" }],
    ["!!int '12'", { type: "int", value: 12n }],
    ["!!float 12", { type: "float", value: 12 }],
    ["!!str 12", { type: "string", value: "12" }],
    ["!mine 12", { type: "string", value: "12" }],
    ["!!binary aGk=", { type: "string", value: "hi" }],
    ["!!binary 4pg=", { type: "string", value: "\ufffd\ufffd" }],
    ["!!null ''", { type: "null" }],
  ])("resolves %j", (text, expected) => {
    expect(resolve(text)).toEqual(expected);
  });

  it.each([
    ["!!int x", "yaml: cannot decode !!str `x` as a !!int"],
    ["!!int 2024-02-29", "yaml: cannot decode !!str `2024-02-29` as a !!int"],
    ["!!bool 1", "yaml: cannot decode !!int `1` as a !!bool"],
    ["!!float 18446744073709551615", "yaml: cannot decode !!int `18446744073709551615` as a !!float"],
    ["!!binary x", "yaml: !!binary value contains invalid base64 data"],
  ])("refuses %j", (text, message) => {
    expect(() => resolve(text)).toThrow(new YamlError(message));
  });
});

describe("scalarSyntax", () => {
  it.each([
    ["~", "<nil>"],
    ["yes", "true"],
    ["-12", "-12"],
    ["18446744073709551615", "0xffffffffffffffff"],
    ["1e6", "1e+06"],
    ["2024-02-29", '"2024-02-29"'],
    [
      '"q\\"\\\\\\n\\x07\\x01\\u00e9\\u0085\\u200b\\U0001F600\\U000E0001"',
      String.raw`"q\"\\\n\a\x01é\u0085\u200b😀\U000e0001"`,
    ],
  ])("writes %j as Go does", (text, expected) => {
    const [root] = parseYamlNodes(text);
    expect(root?.kind === "scalar" && scalarSyntax(resolveScalar(root))).toBe(expected);
  });
});
