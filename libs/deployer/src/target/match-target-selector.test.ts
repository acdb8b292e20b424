import { describe, expect, it } from "@jest/globals";
import type { SelectorRequirement, Target, TargetSelector } from "@landscaper/api";
import { matchesMissingTarget, matchesTargetSelectors } from "./match-target-selector.ts";

const target: Target = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Target",
  metadata: {
    name: "cluster",
    namespace: "n",
    annotations: { environment: "blue", size: "7", text: "seven", negative: "-3", empty: "" },
    labels: { region: "eu" },
  },
  spec: { type: "landscaper.gardener.cloud/kubernetes-cluster" },
};

describe("a requirement on annotations", () => {
  it.each<readonly [string, string, string[] | undefined, boolean]>([
    ["environment", "exists", undefined, true],
    ["missing", "exists", undefined, false],
    ["empty", "exists", undefined, true],
    ["environment", "!", undefined, false],
    ["missing", "!", undefined, true],
    ["environment", "=", ["blue"], true],
    ["environment", "==", ["blue"], true],
    ["environment", "==", ["green"], false],
    ["missing", "==", ["blue"], false],
    ["empty", "==", [""], true],
    ["environment", "!=", ["green"], true],
    ["environment", "!=", ["blue"], false],
    ["missing", "!=", ["blue"], true],
    ["environment", "in", ["green", "blue"], true],
    ["environment", "in", ["green"], false],
    ["missing", "in", ["green"], false],
    ["environment", "notin", ["green"], true],
    ["environment", "notin", ["green", "blue"], false],
    ["missing", "notin", ["green"], true],
    ["size", "gt", ["6"], true],
    ["size", "gt", ["7"], false],
    ["size", "lt", ["8"], true],
    ["size", "lt", ["7"], false],
    ["negative", "lt", ["0"], true],
    ["size", "gt", ["10"], false],
    ["text", "gt", ["1"], false],
    ["size", "gt", ["six"], false],
    ["size", "gt", [], false],
    ["size", "gt", ["1", "2"], false],
    ["missing", "lt", ["8"], false],
    ["environment", "~", ["blue"], false],
    ["environment", "==", undefined, false],
  ])("%s %s %j: %j", (...[key, operator, values, want]) => {
    const requirement: SelectorRequirement = { key, operator, ...(values === undefined ? {} : { values }) };
    expect(matchesTargetSelectors([{ annotations: [requirement] }], target)).toBe(want);
  });
});

describe("selectors", () => {
  const byLabel: TargetSelector = { labels: [{ key: "region", operator: "==", values: ["eu"] }] };
  const byName: TargetSelector = { targets: [{ name: "cluster", namespace: "n" }] };
  const other: TargetSelector = { targets: [{ name: "other" }] };
  it.each<readonly [string, readonly TargetSelector[], boolean]>([
    ["none selects every target", [], true],
    ["an empty one selects every target", [{}], true],
    ["by name and namespace", [byName], true],
    ["by name in any namespace", [{ targets: [{ name: "cluster" }] }], true],
    ["by name with empty namespace", [{ targets: [{ name: "cluster", namespace: "" }] }], true],
    ["by name in another namespace", [{ targets: [{ name: "cluster", namespace: "m" }] }], false],
    ["one of several names", [{ targets: [{ name: "other" }, { name: "cluster" }] }], true],
    ["by another name", [other], false],
    ["by label", [byLabel], true],
    ["of a list one is enough", [other, byLabel], true],
    ["of one all parts must hold", [{ ...other, ...byLabel }], false],
    [
      "of one all requirements must hold",
      [{ labels: [...byLabel.labels!, { key: "missing", operator: "exists" }] }],
      false,
    ],
    ["empty parts hold", [{ targets: [], annotations: [], labels: [] }], true],
  ])("%s", (_name, selectors, want) => {
    expect(matchesTargetSelectors(selectors, target)).toBe(want);
  });
});

describe("selectors and a target that does not exist", () => {
  it.each<readonly [string, readonly TargetSelector[], boolean]>([
    ["none: everything is ours", [], true],
    ["its name", [{ targets: [{ name: "cluster" }] }], true],
    ["another name", [{ targets: [{ name: "other" }] }], false],
    [
      "its name and more that nobody can check",
      [{ targets: [{ name: "cluster" }], labels: [{ key: "a", operator: "!" }] }],
      false,
    ],
    ["annotations that nobody can check", [{ annotations: [{ key: "a", operator: "!" }] }], false],
    ["an empty one among others", [{}], false],
    [
      "its name in the second one",
      [{ labels: [{ key: "a", operator: "!" }] }, { targets: [{ name: "cluster" }] }],
      true,
    ],
  ])("%s", (_name, selectors, want) => {
    expect(matchesMissingTarget(selectors, { namespace: "n", name: "cluster" })).toBe(want);
  });
});
