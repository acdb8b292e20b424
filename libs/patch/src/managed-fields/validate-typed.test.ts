import { describe, expect, it } from "@jest/globals";
import { testSchema } from "../../test/kind.ts";
import { formatTypeProblems, typeProblems } from "./validate-typed.ts";

describe("typeProblems", () => {
  // The texts are those of the API server, see the recordings of libs/local-cluster.
  const cases: readonly (readonly [spec: unknown, problem: string])[] = [
    [{ size: "1" }, ".spec.size: expected numeric (int or float), got string"],
    [{ size: [1] }, ".spec.size: expected numeric (int or float), got []interface {}"],
    [{ on: "no" }, ".spec.on: expected boolean, got &{no}"],
    [{ quantity: ["1"] }, ".spec.quantity: expected any scalar, got &{[1]}"],
    [{ plain: "a" }, ".spec.plain: expected list, got &{a}"],
    [{ plain: [1] }, ".spec.plain[0]: expected string, got &value.valueUnstructured{Value:1}"],
    [
      { plain: [{ a: [true] }] },
      '.spec.plain[0]: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":[]interface {}{true}}}',
    ],
    [{ whole: ["x"] }, ".spec.whole: expected map, got &{[x]}"],
    [{ other: 1 }, ".spec.other: field not declared in schema"],
    [{ items: ["a"] }, ".spec.items: element 0: associative list with keys may not have non-map elements"],
    [{ items: [{ name: "a" }, { name: "a" }] }, '.spec.items: duplicate entries for key [name="a"]'],
    [{ items: [{ name: "a", x: 1 }] }, '.spec.items[name="a"].x: field not declared in schema'],
  ];
  it.each(cases)("of %j is %s", (spec, problem) => {
    expect(typeProblems(testSchema, { spec })).toEqual([problem]);
  });

  it("finds nothing in nulls and in what has no schema", () => {
    expect(
      typeProblems(testSchema, { spec: { size: null, items: null, open: { any: [1, { thing: true }] } } }),
    ).toEqual([]);
  });

  it("are put into one text", () => {
    expect(formatTypeProblems([".a: x"])).toBe(".a: x");
    expect(formatTypeProblems([".a: x", ".b: y"])).toBe("errors:\n  .a: x\n  .b: y");
  });
});
