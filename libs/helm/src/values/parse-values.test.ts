import { describe, expect, it } from "@jest/globals";
import { parseValues } from "./parse-values.ts";

describe("values of several documents", () => {
  it("takes time proportional to the number of documents", () => {
    const count = 30_000;
    // With time that is quadratic in the number, the test would last for many minutes.
    const top = Array.from({ length: count }, (_, index) => `k${index}: 1\n`);
    expect(parseValues(top.join("---\n"), "all").size).toBe(count);
    const nested = Array.from({ length: count }, (_, index) => `a: {k${index}: 1}\n`);
    expect(parseValues(nested.join("---\n"), "all").get("a")).toHaveProperty("size", count);
  });

  it("changes no table that an alias names beside the merged one", () => {
    const values = parseValues("a: &x {k: 1}\nb: *x\n---\na: {k: 2}\n---\na: {l: 3}\n", "all");
    const entries = [
      ["k", 2],
      ["l", 3],
    ] as const;
    expect(values).toEqual(
      new Map([
        ["a", new Map(entries)],
        ["b", new Map([["k", 1]])],
      ]),
    );
  });
});
