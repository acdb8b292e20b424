import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { FieldSet } from "./field-set.ts";
import {
  emptyFieldSet,
  fieldPath,
  formatFieldPaths,
  hasPath,
  intersectSets,
  parseFieldsV1,
  subtractSets,
  subtractTrees,
  unionSets,
} from "./field-set.ts";

function setOf(paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => unionSets(set, fieldPath(...path)), emptyFieldSet);
}

const names = fc.constantFrom("a", "b", "c");
const paths = fc.array(fc.array(names, { minLength: 1, maxLength: 3 }), { maxLength: 6 });

function texts(set: FieldSet): readonly string[] {
  return formatFieldPaths(set).toSorted();
}

describe("sets of fields", () => {
  it("are the sets of their paths", () => {
    fc.assert(
      fc.property(paths, paths, (left, right) => {
        const [a, b] = [new Set(texts(setOf(left))), new Set(texts(setOf(right)))];
        expect([...a].toSorted()).toEqual([...new Set(left.map((path) => `.${path.join(".")}`))].toSorted());
        expect(texts(unionSets(setOf(left), setOf(right)))).toEqual([...new Set([...a, ...b])].toSorted());
        expect(texts(intersectSets(setOf(left), setOf(right)))).toEqual(
          [...a].filter((text) => b.has(text)).toSorted(),
        );
        expect(texts(subtractSets(setOf(left), setOf(right)))).toEqual(
          [...a].filter((text) => !b.has(text)).toSorted(),
        );
        const isBelow = (text: string): boolean => [...b].some((tree) => text === tree || text.startsWith(`${tree}.`));
        expect(texts(subtractTrees(setOf(left), setOf(right)))).toEqual([...a].filter((t) => !isBelow(t)).toSorted());
        expect(
          left.every((path) =>
            hasPath(
              setOf(left),
              path.map((name) => `f:${name}`),
            ),
          ),
        ).toBe(true);
      }),
      { seed: 6, numRuns: 300 },
    );
  });

  it("answer the same object when nothing changes", () => {
    const set = setOf([["a"], ["a", "b"], ["c"]]);
    expect(subtractSets(set, setOf([["x"]]))).toBe(set);
    expect(unionSets(set, emptyFieldSet)).toBe(set);
    expect(set).toEqual({ "f:a": { ".": {}, "f:b": {} }, "f:c": {} });
  });

  it("show their paths as the API server does, each level before what is below it", () => {
    const set = {
      "f:spec": {
        "f:z": { "f:a": {} },
        "f:list": { ".": {}, 'k:{"name":"a","port":1}': { ".": {}, "f:image": {} } },
        "f:set": { 'v:"x"': {}, "i:3": {} },
      },
      "f:data": {},
    };
    expect(formatFieldPaths(set)).toEqual([
      ".data",
      ".spec.list",
      '.spec.list[name="a",port=1]',
      '.spec.list[name="a",port=1].image',
      '.spec.set[="x"]',
      ".spec.set[3]",
      ".spec.z.a",
    ]);
  });
});

describe("parseFieldsV1", () => {
  it("puts keys and values into one form", () => {
    expect(parseFieldsV1({ 'k:{ "b": 1, "a": "x" }': { ".": {} }, 'v: "y"': {}, "f:__proto__": {} })).toEqual({
      'k:{"a":"x","b":1}': { ".": {} },
      'v:"y"': {},
      ["f:__proto__"]: {},
    });
  });

  const bad: readonly unknown[] = [
    null,
    "x",
    [],
    { x: {} },
    { "f:a": 1 },
    { "k:{": {} },
    { "k:[]": {} },
    { "i:x": {} },
  ];
  it.each(bad)("does not read %j", (value) => {
    expect(parseFieldsV1(value)).toBeUndefined();
  });
});
