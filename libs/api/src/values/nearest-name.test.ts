import { expect, it } from "@jest/globals";
import { didYouMean, findNearestName, suggestName } from "./nearest-name.ts";

it.each([
  ["a missing letter", { misspelt: "mange", names: ["manage", "keep"] }, "manage"],
  ["another case", { misspelt: "GOTEMPLATE", names: ["GoTemplate", "Spiff"] }, "GoTemplate"],
  ["a swapped pair of letters", { misspelt: "GoTempalte", names: ["GoTemplate", "Spiff"] }, "GoTemplate"],
  ["a swapped pair of letters in a short name", { misspelt: "onw", names: ["own"] }, "own"],
  ["a short name with other letters", { misspelt: "abc", names: ["axy"] }, undefined],
  [
    "the first half of a name",
    { misspelt: "ProviderConfig", names: ["ProviderConfiguration"] },
    "ProviderConfiguration",
  ],
  ["a name that was continued", { misspelt: "deployItemsList", names: ["deployItems"] }, "deployItems"],
  ["less than half of a name", { misspelt: "Prov", names: ["ProviderConfiguration"] }, undefined],
  ["another word", { misspelt: "ignore", names: ["manage", "keep"] }, undefined],
  ["the name itself", { misspelt: "manage", names: ["manage"] }, "manage"],
  ["nothing", { misspelt: "", names: ["a", "manage"] }, undefined],
  ["a name that is too long", { misspelt: "x".repeat(65), names: ["x".repeat(66)] }, undefined],
])("finds the name for %s", (_what, { misspelt, names }, nearest) => {
  expect(findNearestName(misspelt, names)).toBe(nearest);
});

it("suggests the nearest name after a separator, and nothing if no name is near", () => {
  expect([
    suggestName("mange", ["manage"]),
    suggestName("manage", ["manage"]),
    suggestName("x", ["manage"]),
    didYouMean("a", ","),
  ]).toEqual([': did you mean "manage"?', "", "", ', did you mean "a"?']);
});

it("compares no name that is much longer than the misspelt one", () => {
  const names = Array.from({ length: 100 }, (_, index) => `${"a".repeat(1_000_000)}${index}`);
  const before = process.cpuUsage();
  expect(findNearestName("aaaaaaaaaab", names)).toBeUndefined();
  // Comparing all of them takes five seconds of processor time.
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});
