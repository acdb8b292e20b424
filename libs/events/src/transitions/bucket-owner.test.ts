import { describe, expect, it } from "@jest/globals";
import { storeValue } from "./bucket-owner.ts";
import type { StoredValue } from "./event-link.ts";
import { TakenOver } from "./nats-problem.ts";

/** A bucket in memory. `losesAnswers`: a put succeeds, and looks like a conflict. */
function createBucket(content: Readonly<Record<string, string>>, losesAnswers = false) {
  const stored = new Map<string, StoredValue>();
  let last = 0;
  const set = (key: string, value: string): number => {
    stored.set(key, { key, value, revision: ++last });
    return last;
  };
  for (const [key, value] of Object.entries(content)) set(key, value);
  const put = (key: string, value: string, revision: number): Promise<number | undefined> => {
    if ((stored.get(key)?.revision ?? 0) !== revision) return Promise.resolve(undefined);
    const written = set(key, value);
    return Promise.resolve(losesAnswers ? undefined : written);
  };
  return { stored, link: { place: "NATS (n:4222)", get: (key: string) => Promise.resolve(stored.get(key)), put } };
}

const owner = { hubId: "hub", by: "me" };
const key = "hub.Installation.u";

describe("storeValue", () => {
  it("replaces the revision that it expects", async () => {
    const { link, stored } = createBucket({ "hub.owner": "me", [key]: "old" });
    expect(await storeValue(link, owner, { key, value: "new", revision: 2 })).toBe(3);
    expect(stored.get(key)?.value).toBe("new");
  });

  it("recognizes its own value when the answer was lost", async () => {
    const { link } = createBucket({ "hub.owner": "me", [key]: "old" }, true);
    expect(await storeValue(link, owner, { key, value: "new", revision: 2 })).toBe(3);
  });

  it("throws TakenOver if another publisher has written the key", async () => {
    const { link, stored } = createBucket({ "hub.owner": "me", [key]: "theirs" });
    await expect(storeValue(link, owner, { key, value: "new", revision: 1 })).rejects.toThrow(TakenOver);
    expect(stored.get(key)?.value).toBe("theirs");
  });

  it("stores a key again if only this key was removed", async () => {
    const { link, stored } = createBucket({ "hub.owner": "me" });
    expect(await storeValue(link, owner, { key, value: "new", revision: 9 })).toBe(2);
    expect(stored.get(key)?.value).toBe("new");
  });

  it("does not store into a bucket that was emptied, or that another publisher owns", async () => {
    const emptied = createBucket({});
    await expect(storeValue(emptied.link, owner, { key, value: "new", revision: 9 })).rejects.toThrow(
      "NATS (n:4222): the bucket of the events was emptied: it is filled again from memory",
    );
    const taken = createBucket({ "hub.owner": "you" });
    await expect(storeValue(taken.link, owner, { key, value: "new", revision: 9 })).rejects.toThrow(
      "another publisher of events has written hub.owner",
    );
    expect([emptied.stored.size, taken.stored.size]).toEqual([0, 1]);
  });
});
