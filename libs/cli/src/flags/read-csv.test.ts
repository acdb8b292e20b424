import { describe, expect, it } from "@jest/globals";
import { readCsv } from "./read-csv.ts";

describe("readCsv", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["a,b", ["a", "b"]],
    ["a,", ["a", ""]],
    [",", ["", ""]],
    ['a,"b,c"', ["a", "b,c"]],
    ['"a""b",c', ['a"b', "c"]],
  ])("reads %j", (line, fields) => {
    expect(readCsv(line)).toEqual(fields);
  });

  // As Go's encoding/csv says it.
  it.each([
    ['x"y', 'parse error on line 1, column 2: bare " in non-quoted-field'],
    ['"a', 'parse error on line 1, column 3: extraneous or missing " in quoted-field'],
    ['"a"b', 'parse error on line 1, column 3: extraneous or missing " in quoted-field'],
  ])("refuses %j", (line, message) => {
    expect(() => readCsv(line)).toThrow(message);
  });
});
