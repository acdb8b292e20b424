import { describe, expect, it } from "@jest/globals";
import { FairQueue } from "./fair-queue.ts";

describe("a fair queue", () => {
  it("takes from one tenant after the other, in the order of each", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.push(item.slice(0, 1), item);
    expect(queue.size).toBe(6);
    expect([1, 2, 3, 4, 5, 6, 7].map(() => queue.take())).toEqual(["a1", "b1", "c1", "a2", "c2", "a3", undefined]);
  });

  it("passes over tenants that are not ready, which keep their place", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2", "b1", "b2"]) queue.push(item.slice(0, 1), item);
    expect(queue.take((tenant) => tenant !== "a")).toBe("b1");
    expect(queue.take()).toBe("a1");
    expect(queue.take((tenant) => tenant === "c")).toBeUndefined();
  });

  it("takes from the tenant of the lowest rank, of equal ones from the one whose turn it is", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "b1", "b2", "c1"]) queue.push(item.slice(0, 1), item);
    const ranks: Readonly<Record<string, number>> = { a: 2, b: 1, c: 1 };
    const take = (): string | undefined => queue.take(undefined, (tenant) => ranks[tenant] ?? 0);
    expect([take(), take(), take(), take()]).toEqual(["b1", "c1", "b2", "a1"]);
  });

  it("puts back in front, and drops what is not wanted any more", () => {
    const queue = new FairQueue<string>();
    for (const item of ["a1", "a2"]) queue.push("a", item);
    queue.unshift("a", "a0");
    expect(queue.remove("a", "a1")).toBe(true);
    expect(queue.remove("a", "a1")).toBe(false);
    expect(queue.drain()).toEqual(["a0", "a2"]);
    expect(queue.tenants).toEqual([]);
  });
});
