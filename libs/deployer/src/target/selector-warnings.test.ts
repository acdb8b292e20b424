import { describe, expect, it } from "@jest/globals";
import type { SelectorRequirement, TargetSelector } from "@landscaper/api";
import { matchesTargetSelectors } from "./match-target-selector.ts";
import { listSelectorWarnings } from "./selector-warnings.ts";

const messagesOf = (selectors: readonly TargetSelector[]): readonly string[] =>
  listSelectorWarnings(selectors, "targetSelector").map(({ message }) => message);

const at = "targetSelector[0].labels[0]";
const requirements: readonly (readonly [requirement: SelectorRequirement, message: string | undefined])[] = [
  [{ key: "a", operator: "exists" }, undefined],
  [{ key: "a", operator: "in", values: ["b", "c"] }, undefined],
  [{ key: "a", operator: "gt", values: ["-1"] }, undefined],
  [
    { key: "", operator: "exists" },
    `${at}.key: expected the key of an annotation or label, found "": no Target fulfils it`,
  ],
  [
    { key: "", operator: "notin", values: ["b"] },
    `${at}.key: expected the key of an annotation or label, found "": every Target fulfils it`,
  ],
  [
    { key: "a", operator: "Equals", values: ["b"] },
    `${at}.operator: expected one of = == != in notin exists ! gt lt, found "Equals": no Target fulfils it`,
  ],
  [{ key: "a", operator: "==" }, `${at}.values: expected values for the operator ==, found []: no Target fulfils it`],
  [
    { key: "a", operator: "!=", values: [] },
    `${at}.values: expected values for the operator !=, found []: every Target fulfils it`,
  ],
  [
    { key: "a", operator: "lt", values: ["b"] },
    `${at}.values: expected one integer for the operator lt, found ["b"]: no Target fulfils it`,
  ],
  [
    { key: "a", operator: "exists", values: ["b"] },
    `${at}.values: expected none for the operator exists, found ["b"]: they have no effect`,
  ],
];

describe("listSelectorWarnings", () => {
  it.each(requirements)("judges the requirement %j", (requirement, message) => {
    expect(messagesOf([{ labels: [requirement] }])).toEqual(message === undefined ? [] : [message]);
    const metadata = { name: "t", labels: { a: "5" } };
    const targets = [{ metadata }, { metadata: { name: "t" } }].map(
      ({ metadata: given }) => ({ apiVersion: "a/v1", kind: "Target", metadata: given, spec: { type: "t" } }) as never, // of its type
    );
    const selected = targets.map((target) => matchesTargetSelectors([{ labels: [requirement] }], target));
    // What the warnings say of Targets is what the selector does.
    if (message?.endsWith("no Target fulfils it") === true) expect(selected).toEqual([false, false]);
    if (message?.endsWith("every Target fulfils it") === true) expect(selected).toEqual([true, true]);
  });

  it("names the place of each part", () => {
    const selectors = [{ labels: [] }, { targets: [{ name: "" }], annotations: [{ key: "", operator: "!" }] }];
    expect(messagesOf(selectors)).toEqual([
      'targetSelector[1].targets[0].name: expected a name, found "": no Target has it',
      'targetSelector[1].annotations[0].key: expected the key of an annotation or label, found "": every Target fulfils it',
    ]);
  });
});
