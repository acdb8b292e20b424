import { describe, expect, it } from "@jest/globals";
import { areOwnSelectors, maxOwnSelectors, ownTargetSelectors } from "./own-target-selectors.ts";
import type { TargetSelector } from "./target-selector.ts";

const key = "landscaper.gardener.cloud/environment";
const named = (...names: string[]): TargetSelector => ({ targets: names.map((name) => ({ name })) });
const annotated = (operator: string, ...values: string[]): TargetSelector => ({
  annotations: [{ key, operator, values }],
});

describe("areOwnSelectors", () => {
  it.each<[string, readonly TargetSelector[]]>([
    ["the defaults", ownTargetSelectors("edge")],
    ["the name", [named("edge")]],
    ["the annotation", [annotated("=", "edge"), annotated("==", "edge"), annotated("in", "edge")]],
    ["the name, with further conditions", [{ ...named("edge"), labels: [{ key: "a", operator: "exists" }] }]],
    [
      "the annotation beside another one",
      [{ annotations: [{ key: "a", operator: "!" }, ...(annotated("=", "edge").annotations ?? [])] }],
    ],
    ["the name, as often as permitted", Array.from({ length: maxOwnSelectors }, () => named("edge"))],
  ])("accepts %s", (_, selectors) => {
    expect(areOwnSelectors(selectors, "edge")).toBe(true);
  });

  it.each<[string, readonly TargetSelector[]]>([
    ["no selectors, which select all Targets", []],
    ["an empty selector beside its own", [named("edge"), {}]],
    ["empty lists", [{ targets: [], annotations: [] }]],
    ["another name", [named("other")]],
    ["two names", [named("edge", "other")]],
    ["Targets without the annotation", [{ annotations: [{ key, operator: "!" }] }]],
    ["another annotation", [{ annotations: [{ key: "other", operator: "=", values: ["edge"] }] }]],
    ["two values", [annotated("in", "edge", "other")]],
    ["all other values", [annotated("!=", "edge")]],
    ["labels alone", [{ labels: [{ key, operator: "=", values: ["edge"] }] }]],
    ["too many", Array.from({ length: maxOwnSelectors + 1 }, () => named("edge"))],
  ])("refuses %s", (_, selectors) => {
    expect(areOwnSelectors(selectors, "edge")).toBe(false);
  });
});
