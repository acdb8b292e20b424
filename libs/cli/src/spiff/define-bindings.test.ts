import { describe, expect, it } from "@jest/globals";
import { defineBindings, parseDefinition } from "./define-bindings.ts";

const define = (...texts: readonly string[]): unknown => defineBindings(new Map(), texts.map(parseDefinition));

// In the original it is chance which of two definitions comes first; everything else is recorded (merge.test.ts).
describe("definitions of -D", () => {
  it("take effect in their order", () => {
    expect(define("q.z=1", "q=2")).toEqual(new Map([["q", 2n]]));
    expect(define("q=1", "q=2")).toEqual(new Map([["q", 2n]]));
  });

  it("do not look into values that are no maps", () => {
    expect(() => define("q=1", "q.z=2")).toThrow('error in value definitions (-D): field "q" in q.z is no map\n');
  });
});
