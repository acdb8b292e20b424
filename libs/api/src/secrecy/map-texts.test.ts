import { expect, it } from "@jest/globals";
import { mapTexts, mapTextsAtOnce } from "./map-texts.ts";

const value = { a: ["b", 1, null, true, { c: "d" }], e: "f" };
const upper = (text: string): string => text.toUpperCase();

it("changes every text of a JSON value, and nothing else", () => {
  expect(mapTexts(value, upper)).toEqual({ a: ["B", 1, null, true, { c: "D" }], e: "F" });
  expect(mapTexts("text", upper)).toBe("TEXT");
});

it("changes keys as well where it is told how", () => {
  const key = (text: string): string => `k-${text}`;
  expect(mapTexts(value, upper, { changeKey: key })).toEqual({
    "k-a": ["B", 1, null, true, { "k-c": "D" }],
    "k-e": "F",
  });
});

it("changes all texts at once, each once", () => {
  const asked: (readonly string[])[] = [];
  const change = (texts: readonly string[]): readonly string[] => {
    asked.push(texts);
    return texts.map(upper);
  };
  expect(mapTextsAtOnce({ a: ["b", "b"], c: "d" }, change)).toEqual({ a: ["B", "B"], c: "D" });
  expect(asked).toEqual([["b", "d"]]);
});
