import { describe, expect, it } from "@jest/globals";
import { yamlText } from "./yaml-text.ts";

// Made by spiff v1.7.0-beta-7.
const cases: readonly (readonly [string, unknown, string])[] = [
  ["keys in the order of their bytes", { b: 1, a10: 2, a9: 3 }, "a10: 2\na9: 3\nb: 1\n"],
  ["lists below their key", { l: [1, [2], { k: [] }] }, "l:\n- 1\n- - 2\n- k: []\n"],
  ["characters beyond ASCII escaped", { ä: "€" }, '"\\xE4": "\\u20AC"\n'],
  ["texts that look like something else", { a: "yes", b: "1", y: "1:30" }, 'a: "yes"\nb: "1"\n"y": 1:30\n'],
  ["lines as a block that keeps its end", { t: "a\nb\n" }, "t: |+\n  a\n  b\n"],
  ["lines without an end", { t: "a\nb" }, "t: |-\n  a\n  b\n"],
  ["keys with line breaks", { "a\nb": { c: [1] } }, "? |-\n  a\n  b\n: c:\n  - 1\n"],
  ["long lines folded", { t: `${"word ".repeat(20)}end` }, `t:${" word".repeat(16)}\n  ${"word ".repeat(4)}end\n`],
  [
    "large and small numbers",
    { a: 1e20, b: 1e-6, c: 6, d: 9_007_199_254_740_993n },
    "a: 1e+20\nb: 1e-06\nc: 6\nd: 9007199254740993\n",
  ],
  ["empty containers and nil", { a: {}, b: [], c: null }, "a: {}\nb: []\nc: null\n"],
];

describe("yamlText", () => {
  it.each(cases)("writes %s as the original does", (_, value, text) => {
    expect(yamlText(value)).toBe(text);
  });
});
