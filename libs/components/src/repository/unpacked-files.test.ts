import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { artifactOf, newFolder, withTemporaryFolder, writeTransport } from "../../test/index.ts";
import { transportLimits } from "../archive/archive-limits.ts";
import { openFilesBelow, type FilesBelow } from "./local-repository.ts";
import { UnpackedFiles } from "./unpacked-files.ts";

const { signal } = new AbortController();
const root = newFolder();
const app = { name: "example.com/app", version: "1.0.0" };
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A packed common transport format below the root with this version of the component. */
async function pack(file: string, version = app.version, flags = "-czf"): Promise<void> {
  const folder = newFolder();
  writeTransport(folder, [await artifactOf({ ...app, version })]);
  execFileSync("tar", [flags, join(root, file), "-C", folder, "artifact-index.json", "blobs"]);
  rmSync(folder, { recursive: true });
}

describe("a packed repository below the folder of local ones", () => {
  let files: FilesBelow;
  beforeAll(async () => {
    await pack("app.tgz");
    await pack("app.tar", app.version, "-cf");
    symlinkSync(join(root, "app.tgz"), join(root, "link.tgz"));
    writeFileSync(join(root, "text"), "no archive");
  });
  afterEach(async () => files.close());
  const open = async (filePath: string) => {
    files = openFilesBelow(root);
    return await files.open({ kind: "file", filePath }, "repositoryContext");
  };

  it.each(["app.tgz", "app.tar"])("is opened: %s", async (filePath) => {
    const repository = await open(filePath);
    expect(await repository.listVersions(app.name, { signal })).toEqual([app.version]);
    expect((await repository.find(app, { signal }))?.descriptor.name).toBe(app.name);
    expect(repository.text).toBe(`local repository "${filePath}"`);
  });

  it("is not opened by a link", async () => {
    await expect(open("link.tgz")).rejects.toThrow("expected a path below the folder of local repositories");
  });

  it("is one", async () => {
    await expect(open("text")).rejects.toMatchObject({ message: expect.stringContaining('local repository "text": ') });
  });
});

describe("archives that are unpacked", () => {
  let nowMs = 0;
  let unpacked: UnpackedFiles;
  beforeAll(async () => {
    for (const name of ["a", "b", "c"]) await pack(name);
  });
  afterEach(async () => unpacked.close());
  const start = (maxFiles = 2): UnpackedFiles => {
    unpacked = new UnpackedFiles({ limits: transportLimits, maxFiles, inUseMs: 1000, now: () => nowMs });
    return unpacked;
  };
  const folderOf = async (file: string): Promise<string> => await unpacked.folderOf(join(root, file), file);

  it("are unpacked once, also when several ask at a time", async () => {
    start();
    const [first, second] = await Promise.all([folderOf("a"), folderOf("a")]);
    expect(second).toBe(first);
    expect(await folderOf("a")).toBe(first);
    expect(readdirSync(first).toSorted()).toEqual(["artifact-index.json", "blobs"]);
  });

  it("make room for others when nobody has asked for them for a while", async () => {
    start();
    const first = await folderOf("a");
    nowMs += 500;
    const second = await folderOf("b");
    await expect(folderOf("c")).rejects.toMatchObject({
      reason: "TooManyPackedRepositories",
      message: "c: is packed, and 2 packed repositories are in use already",
    });
    nowMs += 500;
    const third = await folderOf("c");
    expect([first, second, third].map(existsSync)).toEqual([false, true, true]);
    await unpacked.close();
    expect([second, third].map(existsSync)).toEqual([false, false]);
  });

  it("are unpacked anew when they were replaced; who reads the old one can go on", async () => {
    start();
    await pack("moved", "1.0.0");
    const before = await folderOf("moved");
    await pack("moved", "2.0.0");
    const after = await folderOf("moved");
    const indexIn = (folder: string): string => readFileSync(join(folder, "artifact-index.json"), "utf8");
    expect([indexIn(before).includes("1.0.0"), indexIn(after).includes("2.0.0")]).toEqual([true, true]);
    nowMs += 1000;
    await folderOf("a");
    expect([existsSync(before), existsSync(after)]).toEqual([false, true]);
  });

  it("leave nothing when they are damaged, and are tried again", async () => {
    start();
    const temporary = newFolder();
    await pack("damaged");
    const whole = readFileSync(join(root, "damaged"));
    writeFileSync(join(root, "damaged"), whole.subarray(0, whole.length / 2));
    await withTemporaryFolder(temporary, async () => {
      await expect(folderOf("damaged")).rejects.toMatchObject({ reason: "InvalidArchive" });
    });
    expect(readdirSync(temporary)).toEqual([]);
    rmSync(temporary, { recursive: true });
    writeFileSync(join(root, "damaged"), whole);
    expect(existsSync(await folderOf("damaged"))).toBe(true);
  });

  it("need a temporary folder", async () => {
    start();
    await withTemporaryFolder(join(root, "none"), async () => {
      await expect(folderOf("a")).rejects.toMatchObject({
        message: "a: is packed, and there is no temporary folder to unpack it into",
        hint: "ask the operator for a writable temporary folder (TMPDIR), or have the repository unpacked",
      });
    });
  });
});
