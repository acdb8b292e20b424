import { expect, it } from "@jest/globals";
import { findNearestName } from "./nearest-name.ts";

it.each([
  ["a missing letter", { misspelt: "mange", names: ["manage", "keep"] }, "manage"],
  ["another case", { misspelt: "GOTEMPLATE", names: ["GoTemplate", "Spiff"] }, "GoTemplate"],
  ["a swapped pair of letters", { misspelt: "GoTempalte", names: ["GoTemplate", "Spiff"] }, "GoTemplate"],
  [
    "the first half of a name",
    { misspelt: "ProviderConfig", names: ["ProviderConfiguration"] },
    "ProviderConfiguration",
  ],
  ["a name that was continued", { misspelt: "deployItemsList", names: ["deployItems"] }, "deployItems"],
  ["less than half of a name", { misspelt: "Prov", names: ["ProviderConfiguration"] }, undefined],
  ["another word", { misspelt: "ignore", names: ["manage", "keep"] }, undefined],
  ["nothing", { misspelt: "", names: ["a", "manage"] }, undefined],
  ["a name that is too long", { misspelt: "x".repeat(65), names: ["x".repeat(66)] }, undefined],
])("finds the name for %s", (_what, { misspelt, names }, nearest) => {
  expect(findNearestName(misspelt, names)).toBe(nearest);
});
