import { describe, expect, it } from "@jest/globals";
import { classifyForDeletion, classifyForInstall } from "./classify-deploy-items.ts";
import { itemNameOf } from "./deploy-item-identity.ts";
import { deployItem, itemTemplate, type ItemState } from "../../test/deploy-items.ts";

function names(classes: object): Record<string, string[]> {
  const entries = Object.entries(classes).map(([key, list]) => [
    key,
    (list as (ReturnType<typeof deployItem> | { name: string })[]).map((one) =>
      "name" in one ? one.name : itemNameOf(one),
    ),
  ]);
  return Object.fromEntries(entries.filter(([, list]) => list!.length > 0));
}

describe("install (core.md §2.6)", () => {
  const templates = [itemTemplate("a"), itemTemplate("b", "a")];
  const rows: readonly (readonly [name: string, items: readonly ItemState[], want: Record<string, string[]>])[] = [
    ["objects that are not there", [], { missing: ["a", "b"] }],
    ["new objects", [{ name: "a" }, { name: "b" }], { runnable: ["a"], pending: ["b"] }],
    [
      "objects of the last job",
      [
        { name: "a", jobID: "1", jobIDFinished: "1", phase: "Succeeded" },
        { name: "b", jobID: "1", jobIDFinished: "1", phase: "Succeeded" },
      ],
      { runnable: ["a"], pending: ["b"] },
    ],
    [
      "a triggered item",
      [{ name: "a", jobID: "2", jobIDFinished: "1", phase: "Succeeded" }, { name: "b" }],
      { running: ["a"], pending: ["b"] },
    ],
    [
      "an item whose dependency has succeeded",
      [{ name: "a", jobID: "2", jobIDFinished: "2", phase: "Succeeded" }, { name: "b" }],
      { succeeded: ["a"], runnable: ["b"] },
    ],
    [
      "an item whose dependency has failed: finished all the same",
      [{ name: "a", jobID: "2", jobIDFinished: "2", phase: "Failed" }, { name: "b" }],
      { failed: ["a"], runnable: ["b"] },
    ],
    [
      "an item that was deleted while it was installed",
      [{ name: "a", jobID: "2", jobIDFinished: "2", phase: "DeleteFailed" }, { name: "b" }],
      { failed: ["a"], runnable: ["b"] },
    ],
    ["an item whose dependency is not there", [{ name: "b" }], { missing: ["a"], pending: ["b"] }],
  ];
  it.each(rows)("%s", (_name, items, want) => {
    expect(names(classifyForInstall(templates, items.map(deployItem), "2"))).toEqual(want);
  });
});

describe("deletion (core.md §2.6, §4.12 fixed)", () => {
  const a = { name: "a", isDeleting: true };
  const b = { name: "b", dependsOn: ["a"], isDeleting: true };
  const rows: readonly (readonly [name: string, items: readonly ItemState[], want: Record<string, string[]>])[] = [
    ["nothing", [], {}],
    ["an item that another depends on waits", [a, b], { runnable: ["b"], pending: ["a"] }],
    ["an item is free when the other is gone", [a], { runnable: ["a"] }],
    ["a triggered item", [{ ...b, jobID: "2" }, a], { running: ["b"], pending: ["a"] }],
    ["an item that is about to go", [{ ...b, jobID: "2", jobIDFinished: "2", phase: "Succeeded" }], { running: ["b"] }],
    ["a failed item", [{ ...b, jobID: "2", jobIDFinished: "2", phase: "DeleteFailed" }], { failed: ["b"] }],
    [
      "an item that was failed by interruption",
      [{ ...b, jobID: "2", jobIDFinished: "2", phase: "Failed" }],
      { failed: ["b"] },
    ],
    [
      "a failure of the last job does not count",
      [{ ...b, jobID: "1", jobIDFinished: "1", phase: "DeleteFailed" }],
      { runnable: ["b"] },
    ],
  ];
  it.each(rows)("%s", (_name, items, want) => {
    expect(names(classifyForDeletion(items.map(deployItem), "2"))).toEqual(want);
  });
});
