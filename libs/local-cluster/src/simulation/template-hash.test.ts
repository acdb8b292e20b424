import { describe, expect, it } from "@jest/globals";
import { hashOf } from "./template-hash.ts";

describe("hashOf", () => {
  it("is the same for equal templates, whatever the order of their fields", () => {
    expect(hashOf({ a: 1, b: { c: [1, 2], d: "x" } })).toBe(hashOf({ b: { d: "x", c: [1, 2] }, a: 1 }));
    expect(hashOf({ a: [1, 2] })).not.toBe(hashOf({ a: [2, 1] }));
  });

  it("is a part of a name", () => {
    expect(hashOf({ a: 1 })).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
  });
});
