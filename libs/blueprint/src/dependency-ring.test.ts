import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { findRing, ringText } from "./dependency-ring.ts";

function graph(edges: Record<string, string[]>): Map<string, string[]> {
  return new Map(Object.entries(edges));
}

describe("findRing", () => {
  it.each<[Record<string, string[]>, string[] | undefined]>([
    [{}, undefined],
    [{ a: [] }, undefined],
    [{ a: ["a"] }, ["a", "a"]],
    [{ a: ["b"], b: ["a"] }, ["a", "b", "a"]],
    [{ a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, undefined],
    [{ x: ["a"], a: ["b"], b: ["c"], c: ["a"] }, ["a", "b", "c", "a"]],
    [{ a: ["nowhere"] }, undefined],
    [{ a: ["b", "c"], b: [], c: ["d"], d: ["c"] }, ["c", "d", "c"]],
  ])("in %j", (edges, ring) => {
    expect(findRing(graph(edges))).toEqual(ring);
  });

  it("goes through long chains", () => {
    const edges = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`n${i}`, i > 0 ? [`n${i - 1}`] : []]));
    expect(findRing(graph(edges))).toBeUndefined();
  });

  it("finds a ring exactly when the graph has no order", () => {
    const names = ["a", "b", "c", "d", "e"];
    const anyGraph = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 })])),
    );
    fc.assert(
      fc.property(anyGraph, (edges) => {
        const ring = findRing(graph(edges));
        const left = new Set(names);
        for (let changed = true; changed;) {
          const free = [...left].filter((name) => !(edges[name] ?? []).some((other) => left.has(other)));
          for (const name of free) left.delete(name);
          changed = free.length > 0;
        }
        expect(ring === undefined).toBe(left.size === 0);
        for (const [i, name] of (ring ?? []).slice(1).entries()) expect(edges[ring![i]!]).toContain(name);
        if (ring !== undefined) expect(ring.at(-1)).toBe(ring[0]);
      }),
      { numRuns: 500, seed: 12 },
    );
  });

  it("prints the ring", () => {
    expect(ringText(["a", "b", "a"])).toBe("a => b => a");
  });
});
