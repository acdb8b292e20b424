import { describe, expect, it } from "@jest/globals";
import { changeLabels, customLabels, mergeLabels, type LabelChanges, type ReleaseLabels } from "./release-labels.ts";

it("labels of a release are those that Helm does not set itself", () => {
  const all = {
    name: "a",
    owner: "helm",
    status: "deployed",
    version: "1",
    createdAt: "1",
    modifiedAt: "2",
    team: "x",
  };
  expect(customLabels(all)).toEqual({ team: "x" });
});

describe("the labels of the next revision", () => {
  it.each<[ReleaseLabels | undefined, LabelChanges | undefined, ReleaseLabels]>([
    [undefined, undefined, {}],
    [{ team: "x" }, undefined, { team: "x" }],
    [{ team: "x" }, { env: "prod" }, { team: "x", env: "prod" }],
    [{ team: "x" }, { team: "y" }, { team: "y" }],
    [{ team: "x", env: "prod" }, { team: null, other: null }, { env: "prod" }],
    [{}, { owner: "me" }, {}],
  ])("after %j with %j are %j", (before, changes, expected) => {
    expect(changeLabels(before, changes)).toEqual(expected);
  });
});

describe("the labels of an object", () => {
  const seen = { name: "app", team: "x", env: "prod" };

  it.each<[string, ReleaseLabels | undefined, ReleaseLabels, ReleaseLabels]>([
    ["stay if the caller changes none", undefined, { ...seen, env: "test" }, { name: "app", team: "x", env: "test" }],
    ["have the changes of the caller", { team: "y" }, seen, { name: "app", team: "y" }],
    ["keep the changes of others", { team: "x", env: "prod" }, { name: "app", own: "1" }, { name: "app", own: "1" }],
  ])("%s", (...[, wanted, live, expected]) => {
    expect(mergeLabels({ wanted, seen, live })).toEqual(expected);
  });
});
