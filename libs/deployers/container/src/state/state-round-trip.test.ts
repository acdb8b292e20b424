import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { listTree, newFolder, writeTree, type TreeEntry } from "../../test/index.ts";
import { OpenFolder } from "../program-files/open-folder.ts";
import { cutChunks } from "./cut-chunks.ts";
import { joinChunks } from "./join-chunks.ts";
import { packState, type StateSummary } from "./pack-state.ts";
import { restoreState } from "./restore-state.ts";

const limits = { bytes: 4 * 1024 * 1024, entries: 1000 };

let root = "";
beforeEach(() => {
  root = newFolder();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Packs a folder, cuts the archive, and restores it from the parts into another one. */
async function roundTrip(from: string, to: string, maxChunkBytes: number): Promise<StateSummary> {
  const folder = await OpenFolder.openRoot(from);
  const { content, summary } = packState(folder, limits);
  const parts = new Map<string, Uint8Array>();
  const chunks = [];
  for await (const chunk of cutChunks(content, maxChunkBytes)) {
    const name = `part-${parts.size}`;
    parts.set(name, chunk.content);
    chunks.push({ name, sha256: chunk.sha256, bytes: chunk.content.length });
  }
  await folder.close();
  const { sha256, bytes } = summary();
  const archive = joinChunks({ chunks, sha256, bytes }, async (name) => parts.get(name));
  await restoreState(archive, { folder: to, limits: { ...limits, bytes } });
  return summary();
}

const name = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
    fc.stringMatching(/^[a-z]{200}$/),
  )
  .map((text) => text.replaceAll(/[/\0\uFFFD\uD800-\uDFFF]/gu, "_"))
  .filter((text) => text !== "." && text !== ".." && Buffer.byteLength(text) <= 255);

const entry: fc.Arbitrary<TreeEntry> = fc.record(
  {
    path: fc.array(name, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("/")),
    content: fc.uint8Array({ maxLength: 2000 }),
    mode: fc.integer({ min: 0o400, max: 0o777 }).map((mode) => mode | 0o700),
    mtime: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  },
  { requiredKeys: ["path", "mode", "mtime"] },
);

/** Without entries that lie below a file, or are there twice. */
function withoutClashes(entries: readonly TreeEntry[]): TreeEntry[] {
  const kept: TreeEntry[] = [];
  for (const each of entries) {
    const clashes = kept.some(
      ({ path }) => path === each.path || path.startsWith(`${each.path}/`) || each.path.startsWith(`${path}/`),
    );
    if (!clashes) kept.push(each);
  }
  return kept;
}

describe("a state", () => {
  it("comes back as it was kept: names, contents, rights, times and empty folders", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 12 }),
        fc.integer({ min: 1, max: 3000 }),
        async (entries, maxChunkBytes) => {
          const [from, to] = [join(root, "from"), join(root, "to")];
          writeTree(from, withoutClashes(entries));
          await roundTrip(from, to, maxChunkBytes);
          expect(listTree(to)).toEqual(listTree(from));
          rmSync(from, { recursive: true });
          rmSync(to, { recursive: true });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is described by the hash of the archive, its size as tar, and the number of files", async () => {
    const from = join(root, "from");
    writeTree(from, [
      { path: "a", content: "x".repeat(600), mtime: 0 },
      { path: "b/c", mtime: 0 },
      { path: "b", mtime: 0 },
    ]);
    const summary = await roundTrip(from, join(root, "to"), 100);
    // Headers of three entries, two blocks of content, and the two empty blocks at the end.
    expect(summary).toMatchObject({ bytes: (3 + 2 + 2) * 512, fileCount: 1 });
    expect(await roundTrip(from, join(root, "again"), 7)).toEqual(summary);
  });

  it("of one run replaces what the folder holds", async () => {
    const [from, to] = [join(root, "from"), join(root, "to")];
    writeTree(from, [{ path: "new", content: "1" }]);
    writeTree(to, [{ path: "old", content: "2" }]);
    await roundTrip(from, to, 1000);
    expect(listTree(to).map(({ path }) => path)).toEqual(["new"]);
    expect(listTree(root).map(({ path }) => path)).toEqual(["from", "from/new", "to", "to/new"]);
  });

  it("keeps a folder that may not be written to", async () => {
    const [from, to] = [join(root, "from"), join(root, "to")];
    mkdirSync(join(from, "locked"), { recursive: true });
    writeTree(from, [
      { path: "locked/file", content: "1", mode: 0o400 },
      { path: "locked", mode: 0o500 },
    ]);
    await roundTrip(from, to, 1000);
    expect(listTree(to).map(({ path, mode }) => [path, mode])).toEqual([
      ["locked", 0o500],
      ["locked/file", 0o400],
    ]);
  });
});

describe("cutting a stream", () => {
  const cut = async (parts: readonly string[], maxBytes: number): Promise<string[]> => {
    const texts: string[] = [];
    const stream = (async function* () {
      for (const part of parts) yield Buffer.from(part);
    })();
    for await (const { content } of cutChunks(stream, maxBytes)) texts.push(content.toString());
    return texts;
  };

  it.each([
    { parts: [], expected: [] },
    { parts: ["abc"], expected: ["abc"] },
    { parts: ["ab", "c"], expected: ["abc"] },
    { parts: ["abcdefgh"], expected: ["abc", "def", "gh"] },
    { parts: ["a", "bcde", "", "f"], expected: ["abc", "def"] },
  ])("$parts into three bytes each gives $expected", async ({ parts, expected }) => {
    expect(await cut(parts, 3)).toEqual(expected);
  });
});
