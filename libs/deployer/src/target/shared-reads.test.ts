import { describe, expect, it } from "@jest/globals";
import type { ObjectKey } from "@landscaper/api";
import { createSharedReads } from "./shared-reads.ts";

const key: ObjectKey = { namespace: "ns", name: "a" };

/** Reads that the test ends. */
function setUp() {
  const begun: { readonly key: ObjectKey; readonly settle: (value: number | Error) => void }[] = [];
  const find = async (wanted: ObjectKey): Promise<number> =>
    await new Promise((resolve, reject) => {
      begun.push({ key: wanted, settle: (value) => (value instanceof Error ? reject(value) : resolve(value)) });
    });
  return { reads: createSharedReads(find), begun };
}

/** Lets everything happen that waits for nothing else. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("shared reads", () => {
  it("are one for all who ask before it begins, and another for who asks afterwards", async () => {
    const { reads, begun } = setUp();
    const first = [reads.read(key), reads.read(key)];
    await settled();
    expect(begun).toHaveLength(1);
    const second = [reads.read(key), reads.read(key), reads.read(key)];
    await settled();
    expect(begun).toHaveLength(1);
    begun[0]?.settle(1);
    expect(await Promise.all(first)).toEqual([1, 1]);
    await settled();
    expect(begun).toHaveLength(2);
    const third = reads.read(key);
    begun[1]?.settle(2);
    expect(await Promise.all(second)).toEqual([2, 2, 2]);
    await settled();
    begun[2]?.settle(3);
    expect(await third).toBe(3);
    expect(begun).toHaveLength(3);
  });

  it("of other objects do not wait", async () => {
    const { reads, begun } = setUp();
    void reads.read(key);
    void reads.read({ namespace: "ns", name: "b" });
    void reads.read({ namespace: "other", name: "a" });
    await settled();
    expect(begun.map((read) => read.key)).toEqual([
      key,
      { namespace: "ns", name: "b" },
      { namespace: "other", name: "a" },
    ]);
  });

  it("that fail fail for those who share them, and for nobody else", async () => {
    const { reads, begun } = setUp();
    const failing = reads.read(key);
    await settled();
    const next = reads.read(key);
    begun[0]?.settle(new Error("no"));
    await expect(failing).rejects.toThrow("no");
    await settled();
    begun[1]?.settle(1);
    expect(await next).toBe(1);
  });
});
