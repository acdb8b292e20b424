import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { toYaml } from "./to-yaml.ts";
import { YamlError } from "../yaml-error.ts";

/** Made by sigs.k8s.io/yaml 1.6.0 from our values. */
const cases = JSON.parse(readFileSync(join(import.meta.dirname, "../../testdata/to-yaml.json"), "utf8")) as {
  value: unknown;
  out: string;
}[];

function shortJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

describe("toYaml", () => {
  it.each(cases.map(({ value, out }, i) => [`${i} ${shortJson(value)}`, value, out] as const))(
    "writes %s as Go does",
    (_, value, out) => {
      expect(toYaml(value)).toBe(out);
    },
  );

  it("writes undefined, functions and nil as null, and leaves out fields without a value", () => {
    expect(toYaml(undefined)).toBe("null\n");
    expect(toYaml([undefined, () => 1])).toBe("- null\n- null\n");
    expect(toYaml({ a: undefined, b: 1 })).toBe("b: 1\n");
  });

  it("writes Maps like objects", () => {
    const map = new Map<string, unknown>([
      ["b", new Map([["x", 1]])],
      ["a", []],
    ]);
    expect(toYaml(map)).toBe("a: []\nb:\n  x: 1\n");
  });

  it("writes integers of any size", () => {
    expect(toYaml(9007199254740993n)).toBe("9007199254740993\n");
    expect(toYaml(-9223372036854775808n)).toBe("-9223372036854775808\n");
    expect(toYaml(18446744073709551616n)).toBe("1.8446744073709552e+19\n");
  });

  it("writes bytes as base64", () => {
    expect(toYaml({ data: Uint8Array.from([104, 105]) })).toBe("data: aGk=\n");
  });

  it("asks objects with toJSON for what to write", () => {
    expect(toYaml({ at: new Date(Date.UTC(2024, 0, 2, 3, 4, 5)) })).toBe('at: "2024-01-02T03:04:05.000Z"\n');
  });

  it("writes a key called __proto__ like any other", () => {
    expect(toYaml(JSON.parse('{"__proto__": 1, "b": 2}'))).toBe("__proto__: 1\nb: 2\n");
  });

  it("replaces what is no character", () => {
    expect(toYaml("a\ud800b")).toBe("a\ufffdb\n");
  });

  it("folds a next-line character like a line break in a quoted text", () => {
    expect(toYaml("a \u0085 b")).toBe("a b\n");
    expect(toYaml("a\u0085\u0085b")).toBe("|-\n  a\n  b\n");
  });

  it("refuses control characters that YAML does not allow", () => {
    expect(() => toYaml("a\u007fb")).toThrow(new YamlError("yaml: control characters are not allowed"));
  });

  it("refuses numbers that JSON does not have", () => {
    expect(() => toYaml(Number.NaN)).toThrow(new RangeError("json: unsupported value: NaN"));
    expect(() => toYaml([Number.NEGATIVE_INFINITY])).toThrow(new RangeError("json: unsupported value: -Inf"));
  });
});
