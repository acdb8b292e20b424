import { describe, expect, it } from "@jest/globals";
import { assert, jsonValue, property } from "fast-check";
import { isDeepEqual } from "./is-deep-equal.ts";
import { isJsonObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";
import { applyMergePatch, createMergePatch } from "./merge-patch.ts";

/** JSON documents without null, which a merge patch cannot express. */
const documents = jsonValue({ maxDepth: 4 }).map((value) => ({ root: withoutNull(value) }) satisfies JsonObject);

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutNull);
  }
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withoutNull(field)]));
  }
  return value ?? "null";
}

describe("applyMergePatch", () => {
  it("replaces the document by a patch that is no object", () => {
    expect(applyMergePatch({ a: 1 }, [1])).toEqual([1]);
  });

  it("starts from an empty object when the document is none", () => {
    expect(applyMergePatch("x", { a: { b: null }, c: 1 })).toEqual({ a: {}, c: 1 });
  });

  it("ignores undefined fields of the patch", () => {
    expect(applyMergePatch({ a: 1 }, { a: undefined })).toEqual({ a: 1 });
  });

  it("shares nothing with its arguments", () => {
    const target = { keep: { a: [1] } };
    const patch = { add: { b: [2] } };
    const result = applyMergePatch(target, patch) as { keep: { a: number[] }; add: { b: number[] } };
    result.keep.a.push(0);
    result.add.b.push(0);
    expect({ target, patch }).toEqual({ target: { keep: { a: [1] } }, patch: { add: { b: [2] } } });
  });

  it("does not touch the prototype of objects", () => {
    const patch: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    const result = applyMergePatch({}, patch) as JsonObject;
    expect(({} as JsonObject)["polluted"]).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
  });
});

describe("createMergePatch", () => {
  it("gives a patch that turns one document into the other", () => {
    assert(
      property(documents, documents, (from, to) => {
        expect(isDeepEqual(applyMergePatch(from, createMergePatch(from, to)), to)).toBe(true);
      }),
    );
  });

  it("gives an empty patch for equal documents only", () => {
    assert(
      property(documents, documents, (from, to) => {
        expect(Object.keys(createMergePatch(from, to)).length === 0).toBe(isDeepEqual(from, to));
      }),
    );
  });

  it("treats undefined fields as absent", () => {
    expect(createMergePatch({ a: 1, b: undefined }, { a: undefined, c: undefined })).toEqual({ a: null });
  });
});
