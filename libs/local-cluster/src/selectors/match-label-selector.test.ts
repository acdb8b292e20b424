import { describe, expect, it } from "@jest/globals";
import { matchesLabelSelector } from "./match-label-selector.ts";

describe("matchesLabelSelector", () => {
  const labels = { a: "1", b: "2" };
  const cases: readonly (readonly [string, unknown, boolean])[] = [
    ["an empty selector", {}, true],
    ["a label that fits", { matchLabels: { a: "1" } }, true],
    ["a label with another value", { matchLabels: { a: "2" } }, false],
    ["a label that is not there", { matchLabels: { c: "1" } }, false],
    ["In", { matchExpressions: [{ key: "a", operator: "In", values: ["1", "5"] }] }, true],
    ["NotIn", { matchExpressions: [{ key: "a", operator: "NotIn", values: ["1"] }] }, false],
    ["Exists", { matchExpressions: [{ key: "b", operator: "Exists" }] }, true],
    ["DoesNotExist", { matchExpressions: [{ key: "b", operator: "DoesNotExist" }] }, false],
    ["both forms", { matchLabels: { a: "1" }, matchExpressions: [{ key: "c", operator: "Exists" }] }, false],
  ];
  for (const [name, selector, want] of cases) {
    it(`says ${want} to ${name}`, () => {
      expect(matchesLabelSelector(selector, labels)).toBe(want);
    });
  }
});
