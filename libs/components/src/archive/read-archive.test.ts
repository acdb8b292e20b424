import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { gzip, headerOf, inParts, newFolder, tarOf, type TestEntry } from "../../test/index.ts";
import { readArchive, readEntries } from "./read-archive.ts";
import { readTree } from "./read-tree.ts";
import { unpackArchive } from "./unpack-archive.ts";

const limits = { entries: 5, fileBytes: 2000, totalBytes: 3000 };
const where = "layer x";

async function textsOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const tree = await readTree(inParts(bytes), { where, limits });
  return Object.fromEntries([...tree].map(([path, content]) => [path, content.toString()]));
}

describe("an archive", () => {
  const entries: readonly TestEntry[] = [
    { name: "./", type: "directory" },
    { name: "./blueprint.yaml", content: "a" },
    { name: "files//deep/./b.txt", content: "b".repeat(1500) },
    { name: "empty", content: "" },
  ];
  const expected = { "blueprint.yaml": "a", "files/deep/b.txt": "b".repeat(1500), empty: "" };

  it("is read as tar", async () => {
    expect(await textsOf(await tarOf(...entries))).toEqual(expected);
  });

  it("is read with gzip, which its first bytes tell", async () => {
    expect(await textsOf(gzip(await tarOf(...entries)))).toEqual(expected);
  });

  it("is read when it comes byte by byte", async () => {
    const bytes = gzip(await tarOf({ name: "a", content: "1" }));
    const tree = await readTree(inParts(bytes, 1), { where, limits });
    expect([...tree.keys()]).toEqual(["a"]);
  });

  it("goes on when content is not wanted", async () => {
    const names: string[] = [];
    const bytes = await tarOf({ name: "a", content: "x".repeat(1000) }, { name: "b", content: "y" });
    for await (const { path } of readArchive(inParts(bytes), { where, limits })) names.push(path);
    expect(names).toEqual(["a", "b"]);
  });

  it("of nothing has no files", async () => {
    expect(await textsOf(await tarOf())).toEqual({});
  });
});

describe("an archive is refused", () => {
  it.each<{ name: string; entries: readonly TestEntry[]; message: string }>([
    {
      name: "with an absolute path",
      entries: [{ name: "/etc/passwd" }],
      message: 'expected a path below the archive, found "/etc/passwd"',
    },
    {
      name: "with a path that leads out of it",
      entries: [{ name: "a/../../b" }],
      message: 'expected a path below the archive, found "a/../../b"',
    },
    {
      name: "with a path of Windows",
      entries: [{ name: String.raw`..\b` }],
      message: String.raw`expected a path below the archive, found "..\\b"`,
    },
    {
      name: "with a link",
      entries: [{ name: "a", type: "symlink", linkname: "/etc/passwd" }],
      message: '"a": expected a file or a folder, found a symlink',
    },
    {
      name: "with a hard link",
      entries: [{ name: "a", type: "link", linkname: "b" }],
      message: '"a": expected a file or a folder, found a link',
    },
    {
      name: "with a device",
      entries: [{ name: "a", type: "character-device" }],
      message: '"a": expected a file or a folder, found a character-device',
    },
    {
      name: "with two files of one name",
      entries: [{ name: "a" }, { name: "./a" }],
      message: '"a": expected one entry, found two',
    },
    {
      name: "with a folder over a file",
      entries: [{ name: "a" }, { name: "./a/", type: "directory" }],
      message: '"a": expected a file as before, found a folder',
    },
    {
      name: "with a file over a folder",
      entries: [{ name: "a/", type: "directory" }, { name: "a" }],
      message: '"a": expected a folder as before, found a file',
    },
    {
      name: "with a file below a file",
      entries: [{ name: "a" }, { name: "a-b" }, { name: "a/b" }],
      message: '"a": expected a folder, because of "a/b", found a file',
    },
    {
      name: "with a file that has entries below it",
      entries: [{ name: "a/b/c" }, { name: "a!" }, { name: "a/b" }],
      message: '"a/b": expected a folder, because of "a/b/c", found a file',
    },
    {
      name: "with a folder below a file",
      entries: [{ name: "a" }, { name: "a/b/", type: "directory" }],
      message: '"a": expected a folder, because of "a/b", found a file',
    },
    {
      name: "with more entries than allowed",
      entries: ["a", "b", "c", "d", "e", "f"].map((name) => ({ name })),
      message: "more than 5 entries",
    },
    {
      name: "with a larger file than allowed",
      entries: [{ name: "a", content: "x".repeat(2001) }],
      message: '"a" has 2001 bytes, more than the allowed 2000',
    },
    {
      name: "with more bytes than allowed",
      entries: [
        { name: "a", content: "x".repeat(1900) },
        { name: "b", content: "x".repeat(1900) },
      ],
      message: "its files have more than the allowed 3000 bytes",
    },
  ])("$name", async ({ entries, message }) => {
    await expect(tarOf(...entries).then(textsOf)).rejects.toThrow(new Error(`${where}: ${message}`));
  });

  it.each([
    {
      name: "that is none",
      problem: "it has an entry with an invalid header",
      make: async () => Buffer.from("just some text, ".repeat(100)),
    },
    {
      name: "that is cut off",
      problem: "it ends too early",
      make: async () => (await tarOf({ name: "a", content: "x".repeat(1000) })).subarray(0, 900),
    },
    {
      name: "with damaged gzip",
      problem: "its compressed data is damaged",
      make: async () => gzip(await tarOf({ name: "a", content: "x" })).fill(0, 15, 40),
    },
    {
      name: "whose gzip is cut off",
      problem: "it ends too early",
      make: async () => gzip(await tarOf({ name: "a", content: "x" })).subarray(0, 40),
    },
  ])("$name", async ({ make, problem }) => {
    await expect(make().then(textsOf)).rejects.toThrow(new Error(`layer x: not a tar archive, or damaged: ${problem}`));
  });

  it("before what is too large is read", async () => {
    // The header alone, of a file that never comes.
    const announced = (async function* () {
      yield await headerOf({ name: "a", size: 5_000_000_000 });
      await new Promise(() => undefined);
    })();
    await expect(readTree(announced, { where, limits })).rejects.toThrow(
      "has 5000000000 bytes, more than the allowed 2000",
    );
  });

  it("with the error of what it comes from", async () => {
    const failing = (async function* () {
      yield (await tarOf({ name: "a", content: "x" })).subarray(0, 600);
      throw new Error("the registry went away");
    })();
    await expect(readTree(failing, { where, limits })).rejects.toThrow(new Error("the registry went away"));
  });
});

describe("unpacking an archive", () => {
  const folder = newFolder();
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("writes its files", async () => {
    const bytes = gzip(await tarOf({ name: "a/b.txt", content: "x" }));
    await unpackArchive(inParts(bytes), { folder, where, limits });
    expect(readFileSync(join(folder, "a/b.txt"), "utf8")).toBe("x");
  });

  it.each<{ name: string; entries: readonly TestEntry[]; message: string }>([
    {
      name: "a file below a file",
      entries: [
        { name: "x", content: "1" },
        { name: "x/y", content: "2" },
      ],
      message: '"x/y": expected a folder at "x", found a file',
    },
    {
      name: "a file far below a file",
      entries: [
        { name: "a/x", content: "1" },
        { name: "a/x/y/z", content: "2" },
      ],
      message: '"a/x/y/z": expected a folder at "a/x", found a file',
    },
    {
      name: "a file over a folder with files",
      entries: [
        { name: "x/y", content: "1" },
        { name: "x", content: "2" },
      ],
      message: '"x": expected a folder, because of "x/y", found a file',
    },
    {
      name: "a link over a folder",
      entries: [
        { name: "x/y", content: "1" },
        { name: "x", type: "symlink", linkname: "/etc" },
      ],
      message: '"x": expected a file or a folder, found a symlink',
    },
    {
      name: "a name that no file can have",
      entries: [{ name: "n".repeat(300), content: "1" }],
      message: `"${"n".repeat(200)}...": expected a path that a file can have, found one that is too long`,
    },
  ])("refuses $name, and names the path", async ({ entries, message }) => {
    const bytes = await tarOf(...entries);
    await expect(unpackArchive(inParts(bytes), { folder, where, limits })).rejects.toMatchObject({
      reason: "InvalidArchive",
      message: `${where}: ${message}`,
    });
  });

  it("reports two names that the file system does not tell apart", async () => {
    // Simulates a file system that ignores case: the file exists already.
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "a"), "");
    const bytes = await tarOf({ name: "a", content: "1" });
    await expect(unpackArchive(inParts(bytes), { folder, where, limits })).rejects.toThrow(
      new Error(`${where}: "a": expected one entry, found another whose name this file system does not tell apart`),
    );
  });

  it("writes nothing outside of the folder", async () => {
    const bytes = await tarOf({ name: "../escaped", content: "x" });
    await expect(unpackArchive(inParts(bytes), { folder, where, limits })).rejects.toThrow("expected a path below");
    expect(existsSync(join(folder, "../escaped"))).toBe(false);
  });
});

describe("the entries of an archive", () => {
  const mtime = new Date(1_700_000_000_000);
  const entriesOf = async (options: object, ...entries: readonly TestEntry[]) => {
    const found: object[] = [];
    for await (const { content, ...entry } of readEntries(inParts(await tarOf(...entries)), {
      where,
      limits,
      ...options,
    })) {
      found.push({ ...entry, isFolder: content === undefined });
    }
    return found;
  };

  it("are its files and folders with their rights and times", async () => {
    const found = await entriesOf(
      {},
      { name: "./", type: "directory", mode: 0o755, mtime },
      { name: "empty/", type: "directory", mode: 0o700, mtime },
      { name: "empty/run", content: "x", mode: 0o555, mtime },
    );
    expect(found).toEqual([
      { path: "", size: 0, mode: 0o755, mtime, isFolder: true },
      { path: "empty", size: 0, mode: 0o700, mtime, isFolder: true },
      { path: "empty/run", size: 1, mode: 0o555, mtime, isFolder: false },
    ]);
  });

  it("are refused for a folder that lies outside", async () => {
    await expect(entriesOf({}, { name: "../x", type: "directory" })).rejects.toThrow(
      new Error(`${where}: expected a path below the archive, found "../x"`),
    );
  });

  it("may have backslashes in their names where that is said", async () => {
    const [found] = await entriesOf({ allowBackslashes: true }, { name: String.raw`a\b`, content: "x" });
    expect(found).toMatchObject({ path: String.raw`a\b` });
  });
});
