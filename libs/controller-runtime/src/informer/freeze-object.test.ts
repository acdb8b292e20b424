import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { copyJson, prepareForStore } from "./freeze-object.ts";

describe("prepareForStore", () => {
  it("drops managed fields and freezes the object and its members", () => {
    const object = { apiVersion: "v1", kind: "X", metadata: { name: "a", managedFields: [{}] }, spec: { a: { b: 1 } } };
    const stored = prepareForStore(object);
    expect(stored).toBe(object);
    expect(stored).toEqual({ apiVersion: "v1", kind: "X", metadata: { name: "a" }, spec: { a: { b: 1 } } });
    expect([stored, stored.metadata, stored.spec].map((value) => Object.isFrozen(value))).toEqual([true, true, true]);
  });
});

describe("copyJson", () => {
  it("copies any JSON value, sharing nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = copyJson(value);
        expect(copy).toEqual(value);
        if (typeof value === "object" && value !== null) expect(copy).not.toBe(value);
      }),
    );
  });

  it("keeps a field that is named like the prototype", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
    const copy = copyJson(value);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1}}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });
});
