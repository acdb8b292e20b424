import { expect, it } from "@jest/globals";
import { canonicalJson } from "./canonical-json.ts";

it.each([
  {
    name: "keys by their UTF-16 units",
    value: { "\u{1f600}": 1, "\ufb33": 2, b: 3, a: 4 },
    text: '{"a":4,"b":3,"😀":1,"\ufb33":2}',
  },
  { name: "numbers as ECMAScript does", value: [1e21, 0.000001, 1e-7, -0, 12n], text: "[1e+21,0.000001,1e-7,0,12]" },
  { name: "integers beyond 2^53 as float64", value: 9_007_199_254_740_993n, text: "9007199254740992" },
  {
    name: "texts with the shortest escapes",
    value: '\u20ac$\u000f\nA\'B"\\\\"/',
    text: String.raw`"€$\u000f\nA'B\"\\\\\"/"`,
  },
  { name: "literals", value: [null, true, false, ""], text: '[null,true,false,""]' },
])("canonical JSON writes $name", ({ value, text }) => {
  expect(canonicalJson(value)).toBe(text);
});
