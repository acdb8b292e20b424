import { describe, expect, it } from "@jest/globals";
import { isSameJson } from "./is-same-json.ts";

describe("isSameJson", () => {
  it.each<[string, unknown, unknown, boolean]>([
    ["equal members in another order", { a: 1, b: [2] }, { b: [2], a: 1 }, true],
    ["a member without value and none", { a: undefined }, {}, true],
    ["a member that is null and none", { a: null }, {}, false],
    ["nothing and null", undefined, null, true],
    ["lists of another order", [1, 2], [2, 1], false],
    ["half of a surrogate pair and what an API server makes of it", "x\uD83D", "x\uFFFD", true],
    ["other texts of the same length", "x\uD83D", "y\uFFFD", false],
  ])("compares %s", (...[, a, b, want]) => expect(isSameJson(a, b)).toBe(want));
});
