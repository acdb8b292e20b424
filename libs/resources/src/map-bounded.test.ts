import { describe, expect, it } from "@jest/globals";
import { mapBounded } from "./map-bounded.ts";

const { signal } = new AbortController();

describe("mapBounded", () => {
  it("keeps the order of the items and never exceeds the limit", async () => {
    let running = 0;
    let most = 0;
    const results = await mapBounded([5, 1, 4, 2, 3], { limit: 2, signal }, async (turns) => {
      running++;
      most = Math.max(most, running);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      running--;
      return turns * 10;
    });
    expect(results).toEqual([50, 10, 40, 20, 30]);
    expect(most).toBe(2);
  });

  it("does nothing for no items", async () => {
    expect(await mapBounded([], { limit: 3, signal }, () => Promise.reject(new Error("never")))).toEqual([]);
  });

  it("rejects with the first failure, after what is in flight, and starts nothing more", async () => {
    const started: number[] = [];
    const ended: number[] = [];
    const failing = mapBounded([1, 2, 3, 4], { limit: 2, signal }, async (item) => {
      started.push(item);
      if (item === 1) throw new Error("first");
      await new Promise((resolve) => setImmediate(resolve));
      ended.push(item);
    });
    await expect(failing).rejects.toThrow("first");
    expect([started, ended]).toEqual([[1, 2], [2]]);
  });

  it("rejects with the reason of an abort", async () => {
    const controller = new AbortController();
    const aborted = mapBounded([1, 2, 3], { limit: 1, signal: controller.signal }, (item) => {
      if (item === 2) controller.abort(new Error("interrupted"));
      return Promise.resolve(item);
    });
    await expect(aborted).rejects.toThrow("interrupted");
  });
});
