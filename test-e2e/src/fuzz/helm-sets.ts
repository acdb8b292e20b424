import type { SetCase } from "@landscaper/helm/testing";
import * as fc from "fast-check";
import { damaged, oneText, repeated, text } from "./text-arbitrary.ts";

const name = oneText("a", "b", "c", "é", "a\\.b", "x y", "");
const index = oneText(
  "[0]",
  "[1]",
  "[2]",
  "[0]",
  "[1]",
  "[-1]",
  "[x]",
  "[+1]",
  "[ 1]",
  "[99999]",
  "[9223372036854775808]",
);
const step = fc.oneof(text`.${name}`, index, oneText(""));
const key = text`${name}${repeated(step, { min: 0, max: 4 })}`;
const item = oneText(
  ..."1 -5 +7 0 00 0x1 9223372036854775807 9223372036854775808 1.5 true False NULL x a=b missing".split(" "),
  "",
  " 1 ",
  "\\,",
  "\\{",
  "a\\",
  "é",
  '"q"',
  "falſe",
  "1_0",
);
const list = text`{${repeated(item, { min: 0, max: 3, between: "," })}}`;
const json = oneText(
  '{"a":1}',
  '[1,null,"x"]',
  "1.50",
  '"a,b"',
  "null",
  "tru",
  "1e400",
  '{"a":',
  "01",
  '"\\ud800"',
  "[1] ",
  "-",
  " true ",
);
const value = fc.oneof(item, list, json);
const pair = text`${key}${oneText("=", "=", "=", "=", "")}${value}`;
const pairs = repeated(pair, { min: 0, max: 3, between: "," });

/** Texts of --set flags, and the values that they meet. */
export const helmSetCase: fc.Arbitrary<SetCase> = fc.record({
  kind: fc.constantFrom("set", "set", "string", "json", "file", "literal"),
  text: fc.oneof(
    { arbitrary: pairs, weight: 3 },
    { arbitrary: damaged(pairs, ["=", ",", ".", "[", "]", "{", "}", "\\", "a", "1", " "]), weight: 2 },
  ),
  into: fc.constantFrom(
    {},
    {},
    { a: { b: 1 }, b: [1, { a: "x" }, null], c: null },
    { a: [[1], "s"], b: "s", c: { a: { b: [] } } },
  ),
});
