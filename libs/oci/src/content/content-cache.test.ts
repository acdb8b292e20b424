import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createContentCache, type ContentCache } from "./content-cache.ts";
import { digestOf } from "./digest.ts";

const content = Buffer.from("content");
const digest = digestOf(content);
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "cache-"));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

function open(maxBytes = 1_000_000): ContentCache {
  return createContentCache({ directory: join(directory, "cache"), maxBytes });
}

/** Counts how often it is asked. */
function source(bytes: Uint8Array = content): { fetch: () => Promise<Uint8Array>; readonly count: number } {
  let count = 0;
  return {
    fetch: async () => {
      count++;
      return await Promise.resolve(bytes);
    },
    get count() {
      return count;
    },
  };
}

async function files(): Promise<string[]> {
  const entries = await readdir(join(directory, "cache"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== "key")
    .map((entry) => join(entry.parentPath, entry.name));
}

describe("createContentCache", () => {
  it("fetches once, also for the next process", async () => {
    const asked = source();
    await open().get({ digest, owner: "a" }, asked.fetch);
    expect(Buffer.from(await open().get({ digest, owner: "a" }, asked.fetch)).toString()).toBe("content");
    expect(asked.count).toBe(1);
  });

  it("does not show content to those who may not have it", async () => {
    const cache = open();
    const first = source();
    const second = source();
    await cache.get({ digest, owner: { host: "example.org", password: "a" } }, first.fetch);
    await cache.get({ digest, owner: { host: "example.org", password: "b" } }, second.fetch);
    expect(second.count).toBe(1);
    const refused = cache.get({ digest, owner: "c" }, () => Promise.reject(new Error("forbidden")));
    await expect(refused).rejects.toThrow("forbidden");
  });

  it("keeps files to itself, under names that tell nothing", async () => {
    await open().get({ digest, owner: "hunter2" }, source().fetch);
    const [file = ""] = await files();
    expect(file).not.toContain("hunter2");
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect((await stat(join(directory, "cache"))).mode & 0o077).toBe(0);
  });

  it("fetches damaged content again", async () => {
    const asked = source();
    await open().get({ digest, owner: "a" }, asked.fetch);
    const [file = ""] = await files();
    await writeFile(file, "contenX");
    expect(Buffer.from(await open().get({ digest, owner: "a" }, asked.fetch)).toString()).toBe("content");
    expect([asked.count, await readFile(file, "utf8")]).toEqual([2, "content"]);
  });

  it("keeps nothing that is not what the digest names", async () => {
    const work = open().get({ digest, owner: "a" }, source(Buffer.from("other")).fetch);
    await expect(work).rejects.toMatchObject({ reason: "DigestMismatch" });
    expect(await files()).toEqual([]);
  });

  it("fetches once for those who ask at the same time, and each for itself when that fails", async () => {
    const cache = open();
    const asked = source();
    await Promise.all([1, 2, 3].map(async () => cache.get({ digest, owner: "a" }, asked.fetch)));
    expect(asked.count).toBe(1);
    let calls = 0;
    const failing = async (): Promise<Uint8Array> => {
      calls++;
      await Promise.resolve();
      throw new Error(`failure ${calls}`);
    };
    const key = { digest: digestOf(Buffer.from("absent")), owner: "a" };
    const results = await Promise.allSettled([cache.get(key, failing), cache.get(key, failing)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(calls).toBe(2);
    await cache.get({ digest, owner: "b" }, asked.fetch);
    expect(asked.count).toBe(2);
  });

  it("drops what was not used for longest", async () => {
    const cache = open(250);
    const blobs = ["a", "b", "c"].map((letter) => Buffer.from(letter.repeat(100)));
    const get = async (bytes: Buffer): Promise<number> => {
      const asked = source(bytes);
      await cache.get({ digest: digestOf(bytes), owner: "x" }, asked.fetch);
      await new Promise((resolve) => setTimeout(resolve, 15));
      return asked.count;
    };
    const [a, b, c] = blobs as [Buffer, Buffer, Buffer];
    await get(a);
    await get(b);
    expect(await get(a)).toBe(0);
    await get(c);
    expect([await get(a), await get(c), await get(b)]).toEqual([0, 0, 1]);
  });

  it("works without a disk", async () => {
    const problems: unknown[] = [];
    await writeFile(join(directory, "file"), "");
    const cache = createContentCache({
      directory: join(directory, "file", "below"),
      maxBytes: 1000,
      onProblem: (error) => problems.push(error),
    });
    expect(Buffer.from(await cache.get({ digest, owner: "a" }, source().fetch)).toString()).toBe("content");
    expect(problems).toHaveLength(1);
  });

  it("takes no text for a digest", async () => {
    const work = open().get({ digest: "sha256:../../etc", owner: "a" }, source().fetch);
    await expect(work).rejects.toMatchObject({ reason: "DigestMismatch" });
  });
});
