import { describe, expect, it } from "@jest/globals";
import { JsonMeter } from "./json-meter.ts";

function measure(text: string, partLength = text.length): readonly [values: number, deepest: number] {
  const bytes = Buffer.from(text);
  const meter = new JsonMeter();
  for (let at = 0; at < bytes.length; at += partLength) meter.add(bytes.subarray(at, at + partLength));
  return [meter.values, meter.deepest];
}

const rows: readonly (readonly [text: string, values: number, deepest: number])[] = [
  ["1", 1, 0],
  ["[1,2,3]", 4, 1],
  ['{"a": {"b": [1, 2]}}', 5, 3],
  ['["[,{", 1]', 3, 1],
  [String.raw`["\"[[[", "\\", [1]]`, 5, 2],
  [`[${"[],".repeat(100)}1]`, 202, 2],
];

describe("JsonMeter", () => {
  it.each(rows)("measures %s", (text, values, deepest) => {
    expect(measure(text)).toEqual([values, deepest]);
  });

  it.each(rows)("measures %s whatever its parts are", (text, values, deepest) => {
    for (let length = 1; length < 5; length++) expect(measure(text, length)).toEqual([values, deepest]);
  });
});
