import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { goJsonStringify } from "./go-json.ts";

describe("goJsonStringify", () => {
  // What Go 1.26's encoding/json writes for the same values.
  it.each([
    [null, "null"],
    [true, "true"],
    [0, "0"],
    [-0, "-0"],
    [1.5, "1.5"],
    [1e20, "100000000000000000000"],
    [1e21, "1e+21"],
    [1e-6, "0.000001"],
    [1e-7, "1e-7"],
    [1.5e-9, "1.5e-9"],
    [5e-324, "5e-324"],
    ["", '""'],
    ["<a & b>", String.raw`"\u003ca \u0026 b\u003e"`],
    ["\u2028\u2029", String.raw`"\u2028\u2029"`],
    ["\b\f\n\r\t\v\u0000", String.raw`"\b\f\n\r\t\u000b\u0000"`],
    ["\u007F é 😀", '"\u007F é 😀"'],
    ['a"b\\c/d', String.raw`"a\"b\\c/d"`],
    ["\uD800x", '"\uFFFDx"'],
    [[], "[]"],
    [{}, "{}"],
    [[1, [], {}], "[1,[],{}]"],
    [{ b: 1, a: { d: 2, c: 3 } }, '{"a":{"c":3,"d":2},"b":1}'],
    [{ B: 1, a: 2, A: 3 }, '{"A":3,"B":1,"a":2}'],
    [{ "😀": 1, "\uE000": 2 }, '{"\uE000":2,"😀":1}'],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [123n, "123"],
  ])("writes %p as %s", (value, want) => {
    expect(goJsonStringify(value)).toBe(want);
  });

  it("indents like MarshalIndent, and leaves empty lists and maps on one line", () => {
    expect(goJsonStringify({ b: [1, { c: "x" }], a: {}, d: [] }, { indent: 2 })).toBe(
      ["{", '  "a": {},', '  "b": [', "    1,", "    {", '      "c": "x"', "    }", "  ],", '  "d": []', "}"].join(
        "\n",
      ),
    );
  });

  it("leaves HTML characters as they are when told so", () => {
    expect(goJsonStringify("<&>", { escapeHtml: false })).toBe('"<&>"');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("has no text for %p", (value) => {
    expect(() => goJsonStringify(value)).toThrow(new RangeError(`JSON has no number ${value}`));
  });

  it("writes JSON that reads back as the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        expect(JSON.parse(goJsonStringify(value, { indent }))).toEqual(value);
      }),
    );
  });

  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).toReversed());
        expect(goJsonStringify(reversed)).toBe(goJsonStringify(value));
      }),
    );
  });
});
