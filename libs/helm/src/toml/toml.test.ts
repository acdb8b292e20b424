import { describe, expect, it } from "@jest/globals";
import { processorClock } from "@landscaper/budget";
import { fromPlain, int64, type Value } from "@landscaper/golang";
import * as fc from "fast-check";
import { fromToml } from "./from-toml.ts";
import { toToml } from "./to-toml.ts";
import { TomlError } from "./toml-error.ts";

const key = fc.string({ maxLength: 5, unit: "grapheme" });
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ maxLength: 8, unit: "grapheme" }),
    fc.boolean(),
    fc.double({ noNaN: true }).map((number) => number + 0),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(int64),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
}));
const table = fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries) => new Map(entries));

describe("TOML", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(table, (map) => {
        const text = toToml(map);
        expect(toToml(fromToml(text))).toBe(text);
      }),
      { numRuns: 500, seed: 11 },
    );
  });

  it("is read, or refused with a line, whatever it is", () => {
    const piece = fc.constantFrom(
      "[",
      "]",
      "{",
      "}",
      "=",
      ",",
      ".",
      '"',
      "'",
      '"""',
      "'''",
      "\n",
      "\\",
      "a",
      "b",
      "1",
      "-",
      "e",
      " ",
      "#",
      "2024-01-01",
      "t",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          expect(fromToml(pieces.join(""))).toBeInstanceOf(Map);
        } catch (error) {
          expect(error).toBeInstanceOf(TomlError);
          expect(String(error)).toMatch(/^TomlError: toml: line \d+/);
        }
      }),
      { numRuns: 3000, seed: 12 },
    );
  });

  it("takes time in proportion to the text", () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `[a.b${i}]\nk = "${"x".repeat(20)}" # c\n`).join("");
    const start = processorClock();
    expect(fromToml(text).size).toBe(1);
    expect(processorClock() - start).toBeLessThan(3000);
  });

  it("writes nothing of what has no text", () => {
    expect(() => toToml(fromPlain({ a: [null] }))).toThrow(new TomlError("toml: cannot encode array with nil element"));
  });
});
