import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { newFolder } from "../../test/index.ts";
import { closeEntry, openBelow, OpenFolder } from "./open-folder.ts";

let root = "";
let shared: OpenFolder;
beforeEach(async () => {
  root = newFolder();
  mkdirSync(join(root, "shared"));
  shared = await OpenFolder.openRoot(join(root, "shared"));
});
afterEach(async () => {
  await shared.close();
  rmSync(root, { recursive: true, force: true });
});

/** Until it is terminated, lets the name be in turns what `make` makes, and a link to `target`. */
function startSwapping(name: string, make: "file" | "folder", target: string): Worker {
  const code = `
    const fs = require("node:fs");
    const { workerData: [name, make, target] } = require("node:worker_threads");
    const own = name + ".own", link = name + ".link";
    if (make === "file") fs.writeFileSync(own, "own"); else fs.mkdirSync(own);
    fs.symlinkSync(target, link);
    for (;;) {
      fs.renameSync(own, name); fs.renameSync(name, own);
      fs.renameSync(link, name); fs.renameSync(name, link);
    }`;
  return new Worker(code, { eval: true, workerData: [name, make, target] });
}

/** What is found under a name while it is swapped: kinds, and whether it was the target of the link. */
async function lookOften(path: string, target: string): Promise<{ kinds: Set<string>; reached: number }> {
  const { ino } = statSync(target);
  const kinds = new Set<string>();
  let reached = 0;
  for (let look = 0; look < 10_000; look += 1) {
    const found = await openBelow(shared, path);
    kinds.add(found.kind);
    if ((found.kind === "file" || found.kind === "folder") && found.stats.ino === ino) reached += 1;
    await closeEntry(found);
  }
  return { kinds, reached };
}

describe("a program that swaps a name for a link all the time", () => {
  it("does not have the target of the link opened in place of its file", async () => {
    const target = join(root, "token");
    writeFileSync(target, "a secret token");
    const worker = startSwapping(join(root, "shared/x"), "file", target);
    try {
      const { kinds, reached } = await lookOften("x", target);
      expect(reached).toBe(0);
      // It did look at both.
      expect([...kinds]).toEqual(expect.arrayContaining(["file", "other"]));
    } finally {
      await worker.terminate();
    }
  });

  it("does not have a file below the target of the link opened in place of that in its folder", async () => {
    const folder = join(root, "elsewhere");
    mkdirSync(folder);
    writeFileSync(join(folder, "values"), "a secret token");
    const worker = startSwapping(join(root, "shared/x"), "folder", folder);
    try {
      const found = await lookOften("x/values", join(folder, "values"));
      expect(found.reached).toBe(0);
    } finally {
      await worker.terminate();
    }
  });
});

it("finds what lies at a path, and nothing below a link or a file", async () => {
  mkdirSync(join(root, "shared/a/b"), { recursive: true });
  writeFileSync(join(root, "shared/a/b/c"), "x");
  symlinkSync("a", join(root, "shared/link"));
  const kindAt = async (path: string): Promise<unknown> => {
    const found = await openBelow(shared, path);
    await closeEntry(found);
    return found.kind === "other" ? found.what : found.kind;
  };
  expect(await kindAt("a/b/c")).toBe("file");
  expect(await kindAt("./a//b/")).toBe("folder");
  expect(await kindAt("a/x/c")).toBe("absent");
  expect(await kindAt("a/b/c/d")).toBe("below a file");
  expect(await kindAt("link")).toBe("a link");
  expect(await kindAt("link/b/c")).toBe("a link");
});

/** Kinds and words of what a process without privileges finds. Root can read everything. */
function lookWithoutPrivileges(folder: string, names: readonly string[]): readonly string[] {
  const source = readFileSync(join(import.meta.dirname, "open-folder.ts"), "utf8");
  const script = `${source}
    const [folder, names] = ${JSON.stringify([folder, names])};
    const shared = await OpenFolder.openRoot(folder);
    const found = [];
    for (const name of names) found.push(await openBelow(shared, name));
    console.log(JSON.stringify(found.map(({ kind, what }) => what ?? kind)));`;
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module-typescript"], {
    input: script,
    encoding: "utf8",
    cwd: "/",
    ...user,
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as readonly string[];
}

it("names the mode of files and folders that it must not read, and no path of /proc", () => {
  const at = (name: string): string => join(root, "shared", name);
  writeFileSync(at("file"), "x", { mode: 0o000 });
  writeFileSync(at("readable"), "x", { mode: 0o644 });
  mkdirSync(at("folder"), { mode: 0o000 });
  mkdirSync(at("listed"));
  writeFileSync(at("listed/file"), "x");
  chmodSync(at("listed"), 0o444);
  chmodSync(root, 0o755);
  const correct = 'which the program can correct with "chmod -R a+rX"';
  expect(lookWithoutPrivileges(join(root, "shared"), ["file", "readable", "folder", "listed/file"])).toEqual([
    `not readable: it has mode 0000, ${correct}`,
    "file",
    `not readable: it has mode 0000, ${correct}`,
    `not readable: its folder has no execute permission, ${correct}`,
  ]);
  chmodSync(at("listed"), 0o755);
  chmodSync(at("folder"), 0o755);
});
