import { expect, it } from "@jest/globals";
import { selectorRules } from "./selector-rules.ts";

it.each<[namespace: string, count: number]>([
  ["a", 0],
  ["a".repeat(63), 0],
  ["a".repeat(64), 1],
  ["A", 1],
])("the namespaces of an affinity term must be DNS labels: %j", (namespace, count) => {
  const rule = selectorRules["PodAffinityTerm"]?.fields?.["namespaces"];
  const errors = rule?.([namespace], "spec.namespaces", {}) ?? [];
  expect(errors.map(({ field }) => field)).toEqual(Array.from({ length: count }, () => "spec.namespace"));
});

it.each(["__proto__", "toString", "Between", ""])("refuses the operator %j", (operator) => {
  const errors = selectorRules["LabelSelectorRequirement"]?.whole?.({ key: "a", operator }, "expr", []) ?? [];
  expect(errors.map(({ field }) => field)).toEqual(["expr.operator"]);
});
