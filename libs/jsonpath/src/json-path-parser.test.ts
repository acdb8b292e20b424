import { expect, it } from "@jest/globals";
import { parseJsonPath } from "./json-path-parser.ts";

it.each<[text: string, value: number | bigint]>([
  ["1", 1],
  ["+9007199254740991", 9_007_199_254_740_991],
  ["9007199254740993", 9_007_199_254_740_993n],
  ["-9223372036854775808", -(2n ** 63n)],
  ["18446744073709551616", 2 ** 64],
  ["1".repeat(1000), Infinity],
  ["1.5", 1.5],
])("reads the constant %s in the form that the data has", (text, value) => {
  expect(parseJsonPath(`{${text}}`)).toEqual([{ kind: "list", nodes: [{ kind: "constant", value }] }]);
});

it.each([true, false])("reads the constant %p", (value) => {
  expect(parseJsonPath(`{${value}}`)).toEqual([{ kind: "list", nodes: [{ kind: "constant", value }] }]);
});

it.each(["range", "end"])("reads the keyword %s as an identifier", (name) => {
  expect(parseJsonPath(`{${name}}`)).toEqual([{ kind: "list", nodes: [{ kind: "identifier", name }] }]);
});

it("takes an expression with one brace only as a template", () => {
  expect(() => parseJsonPath("{ab")).toThrow("unclosed action");
  expect(parseJsonPath("ab}")).toEqual([{ kind: "text", text: "ab}" }]);
});

it("refuses a filter that starts with its operator", () => {
  expect(() => parseJsonPath("list[?(==1)]")).toThrow('unrecognized character "=" in action');
});
