import { describe, expect, it } from "@jest/globals";
import { annotations } from "../objects/annotations.ts";
import { boundPaths, parsePaths, sensitiveAnnotations, sensitivePathsOf, valuesAt } from "./sensitive-paths.ts";

describe("valuesAt", () => {
  it.each([
    ["the whole", [""], [{ a: [1, { "b/c~d": 2 }] }]],
    ["elements and keys with special characters", ["/a/0", "/a/1/b~1c~0d"], [1, 2]],
    ["nothing at paths that lead nowhere", ["/a/7", "/b", "/a/0/x", "/__proto__/x"], []],
  ])("gives %s", (_, paths, want) => {
    expect(valuesAt({ a: [1, { "b/c~d": 2 }] }, paths)).toEqual(want);
  });
});

describe("boundPaths", () => {
  it("bounds number and length, by what paths start with", () => {
    expect(boundPaths(["/a/b", "/a", "/c"])).toEqual(["/a", "/c"]);
    const deep = Array.from({ length: 100 }, (_, index) => `/manifests/${index % 3}/data/${index}`);
    expect(boundPaths(deep)).toEqual(["/manifests/0/data", "/manifests/1/data", "/manifests/2/data"]);
    expect(boundPaths([`/${"x".repeat(5000)}`])).toEqual([""]);
  });

  it("does not go through the levels of a deep path one by one", () => {
    expect(boundPaths(["/a".repeat(60_000)])).toEqual(["/a".repeat(16)]);
    expect(boundPaths(["/a".repeat(100)])).toEqual(["/a".repeat(100)]);
  });

  it("is done to what an annotation says, which users can write", () => {
    const many = Array.from({ length: 5000 }, (_, index) => `/manifests/0/data/${index}`);
    expect(parsePaths(JSON.stringify(many))).toEqual(["/manifests/0/data"]);
  });
});

describe("annotations of data objects", () => {
  const of = (sensitive: string | undefined, paths?: string): unknown =>
    sensitivePathsOf({
      annotations: {
        ...(sensitive === undefined ? {} : { [annotations.sensitive]: sensitive }),
        ...(paths === undefined ? {} : { [annotations.sensitivePaths]: paths }),
      },
    });

  it.each([
    ["nothing without annotation", of(undefined), []],
    ["nothing for another value", of("false"), []],
    ["all for true", of("true"), [""]],
    ["parts that are named", of("true", '["/a"]'), ["/a"]],
    ["all for parts that cannot be read", of("true", "a"), [""]],
    ["nothing for parts alone", of(undefined, '["/a"]'), []],
  ])("say %s", (_, got, want) => {
    expect(got).toEqual(want);
  });

  it("are read as they are written", () => {
    expect(sensitivePathsOf({ annotations: sensitiveAnnotations(["/a/b", "/c"]) })).toEqual(["/a/b", "/c"]);
    expect(sensitiveAnnotations([])).toEqual({});
    expect(parsePaths('["/a", 1]')).toBeUndefined();
  });
});
