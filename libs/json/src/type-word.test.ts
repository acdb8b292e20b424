import { expect, it } from "@jest/globals";
import { isNumeric } from "./is-numeric.ts";
import { isRecord } from "./is-record.ts";
import { typeWord } from "./type-word.ts";

it.each<[value: unknown, word: string, isRecordValue: boolean]>([
  [1, "number", false],
  [1n, "number", false],
  ["a", "string", false],
  [true, "boolean", false],
  [undefined, "undefined", false],
  [null, "object", false],
  [[], "object", false],
  [{}, "object", true],
])("%p has the type word %s; is an object with keys: %p", (value, word, isRecordValue) => {
  expect(typeWord(value)).toBe(word);
  expect(isNumeric(value)).toBe(word === "number");
  expect(isRecord(value)).toBe(isRecordValue);
});
