import { describe, expect, it } from "@jest/globals";
import { countAliasing } from "./alias-budget.ts";
import { YamlError } from "../yaml-error.ts";

/** How many nodes under aliases are allowed after so many others, up to a bound. */
function allowedAfter(others: number, bound: number): number {
  const count = countAliasing();
  for (let i = 0; i < others; i++) count(false);
  for (let i = 0; i < bound; i++) {
    try {
      count(true);
    } catch (error) {
      expect(error).toEqual(new YamlError("yaml: document contains excessive aliasing"));
      return i;
    }
  }
  return bound;
}

describe("countAliasing", () => {
  it.each([
    // Up to a thousand nodes anything goes.
    [0, 1000],
    [1, 999],
    // Then 99 of a hundred.
    [20, 1980],
    [100, 9900],
  ])("allows after %d nodes %d from aliases", (others, allowed) => {
    expect(allowedAfter(others, 20_000)).toBe(allowed);
  });

  it("allows large documents a tenth from aliases", () => {
    expect(allowedAfter(4_500_000, 600_000)).toBe(500_000);
  });

  it("lets a document that has no aliases be as large as it is", () => {
    const count = countAliasing();
    expect(() => {
      for (let i = 0; i < 5_000_000; i++) count(false);
    }).not.toThrow();
  });
});
