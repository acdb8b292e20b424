import { expect, it } from "@jest/globals";
import { sizeOfJson } from "./json-object.ts";

it.each([
  [null],
  [true],
  [-1.5],
  ['quote " and ä'],
  [[]],
  [{}],
  [[1, [], "a"]],
  [{ a: 1, ä: { b: [null, false] } }],
  [{ a: undefined, b: 1 }],
])("sizeOfJson(%j) is the number of bytes of the JSON text", (value) => {
  expect(sizeOfJson(value)).toBe(Buffer.byteLength(JSON.stringify(value)));
});

it("sizeOfJson counts the digits of a bigint", () => {
  expect(sizeOfJson({ a: 2n ** 63n })).toBe('{"a":9223372036854775808}'.length);
});
