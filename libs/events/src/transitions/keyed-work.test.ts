import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { createKeyedWork } from "./keyed-work.ts";

/** Work whose items end when the test says so. */
function createWork(limit: number) {
  const running = new Map<string, () => void>();
  const started: string[] = [];
  const work = createKeyedWork<string>(limit, (key, item) => {
    started.push(`${key}${item}`);
    return new Promise((resolve) => running.set(`${key}${item}`, resolve));
  });
  const end = async (name: string): Promise<void> => {
    running.get(name)?.();
    await turn();
  };
  return { work, started, end };
}

describe("createKeyedWork", () => {
  it("performs the items of a key one after the other, and those of other keys beside them", async () => {
    const { work, started, end } = createWork(10);
    for (const item of ["1", "2", "3"]) work.add("a", item);
    work.add("b", "1");
    expect(started).toEqual(["a1", "b1"]);
    await end("a1");
    expect(started).toEqual(["a1", "b1", "a2"]);
    await end("b1");
    await end("a2");
    await end("a3");
    work.add("a", "4");
    expect(started).toEqual(["a1", "b1", "a2", "a3", "a4"]);
  });

  it("performs as many items at a time as the limit, in the order in which they were added", async () => {
    const { work, started, end } = createWork(2);
    for (const key of ["a", "b", "c", "d"]) work.add(key, "1");
    expect(started).toEqual(["a1", "b1"]);
    await end("b1");
    expect(started).toEqual(["a1", "b1", "c1"]);
    await end("a1");
    expect(started).toEqual(["a1", "b1", "c1", "d1"]);
  });

  it("lets a key with many items wait behind the others", async () => {
    const { work, started, end } = createWork(1);
    work.add("a", "1");
    work.add("a", "2");
    work.add("b", "1");
    await end("a1");
    await end("b1");
    expect(started).toEqual(["a1", "b1", "a2"]);
  });
});

/** A bucket of a landscaper cluster whose first list was interrupted has so many claims. */
const many = 200_000;
/** The time (ms) was 36 s with arrays. */
const limitMs = 5_000;

it("does not slow down the work on many objects", async () => {
  const start = performance.now();
  let done = 0;
  await new Promise<void>((resolve) => {
    const work = createKeyedWork<number>(256, async () => {
      await Promise.resolve();
      if (++done === many) resolve();
    });
    for (let item = 0; item < many; item++) work.add(String(item), item);
  });
  expect(performance.now() - start).toBeLessThan(limitMs);
});
