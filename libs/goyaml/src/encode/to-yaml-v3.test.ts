import { describe, expect, it } from "@jest/globals";
import { OrderedEntries } from "../plain-value.ts";
import { toYaml, toYamlV3 } from "./to-yaml.ts";
import { YamlError } from "../yaml-error.ts";
import { VerbatimScalar } from "../scalars/verbatim-scalar.ts";

/** What go-yaml v3 gives; more of it is in the golden cases of toYamlPretty in libs/helm. */
const cases: readonly (readonly [name: string, value: unknown, yaml: string])[] = [
  ["lists under keys", { l: [{ a: 1n, b: [1n, 2n] }] }, "l:\n  - a: 1\n    b:\n      - 1\n      - 2\n"],
  ["lists in lists", [[1n, 2n], [["a"]], [{ a: 1n, b: [1n] }]], "- - 1\n  - 2\n- - - a\n- - a: 1\n    b:\n      - 1\n"],
  [
    "whole floats and integers",
    { a: 1e6, b: 1_000_000n, c: 1e21, d: 123456789.5 },
    "a: 1e+06\nb: 1000000\nc: 1e+21\nd: 1.234567895e+08\n",
  ],
  [
    "floats that are no numbers",
    [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    "- .nan\n- .inf\n- -.inf\n",
  ],
  ["long lines", { s: "word ".repeat(40).trim() }, `s: ${"word ".repeat(40).trim()}\n`],
  ["long lines in quotes", { s: `${"w ".repeat(50)}'x: y` }, `s: '${"w ".repeat(50)}''x: y'\n`],
  ["words of YAML 1.1 and octal numbers", ["yes", "y", "0o17", "010"], '- "yes"\n- "y"\n- "0o17"\n- "010"\n'],
  ["block scalars", ["a\nb", { c: "d\ne" }], "- |-\n  a\n  b\n- c: |-\n    d\n    e\n"],
  ["natural order of keys", { a10: 1n, a2: 2n, b: 3n }, "a2: 2\na10: 1\nb: 3\n"],
  [
    "fields in their order",
    new OrderedEntries([
      ["z", 1n],
      ["a", []],
      ["m", {}],
    ]),
    "z: 1\na: []\nm: {}\n",
  ],
  ["scalars as they are", { t: new VerbatimScalar("2024-02-29T00:00:00Z") }, "t: 2024-02-29T00:00:00Z\n"],
  ["tabs", ["a\tb", "a\tb\n"], '- "a\\tb"\n- |\n  a\tb\n'],
  ["bytes", new Map([["a", Buffer.from("hi")]]), "a: aGk=\n"],
  ["nothing", [null, undefined], "- null\n- null\n"],
];

describe("toYamlV3", () => {
  it.each(cases)("writes %s", (_, value, yaml) => {
    expect(toYamlV3(value)).toBe(yaml);
  });

  it("writes keys that toYaml cannot read back from JSON", () => {
    const long = "k".repeat(1023);
    expect(toYamlV3({ [long]: 1n, "a\u0085b": 2n })).toBe(`? "a\\Nb"\n: 2\n? ${long}\n: 1\n`);
    expect(() => toYaml({ [long]: 1n })).toThrow(new YamlError("yaml: did not find expected ',' or '}'"));
    expect(() => toYaml({ "a\u0085b": 1n })).toThrow(new YamlError("yaml: line 1: did not find expected ',' or '}'"));
    expect(toYaml({ [long.slice(1)]: 1n })).toBe(`? ${long.slice(1)}\n: 1\n`);
  });

  it("leaves toYaml as it is", () => {
    expect(toYaml({ l: [{ a: 1e6 }], b: "a\tb\n" })).toBe('b: "a\\tb\\n"\nl:\n- a: 1000000\n');
    expect(
      toYaml(
        new OrderedEntries([
          ["b", Buffer.from("hi")],
          ["a", 1],
        ]),
      ),
    ).toBe("a: 1\nb: aGk=\n");
  });
});
