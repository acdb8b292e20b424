import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { listWorkingTree } from "./working-tree.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tree-"));
});
afterEach(() => rmSync(root, { recursive: true }));

describe("listWorkingTree", () => {
  it("lists tracked and untracked files, but neither ignored nor removed ones", () => {
    mkdirSync(join(root, ".hidden"));
    for (const path of ["tracked.ts", "removed.ts", ".hidden/naïve name.ts", "ignored.ts"])
      writeFileSync(join(root, path), "");
    writeFileSync(join(root, ".gitignore"), "ignored.ts\n");
    for (const args of [
      ["init", "--quiet"],
      ["add", "tracked.ts", "removed.ts"],
    ])
      expect(spawnSync("git", args, { cwd: root }).status).toBe(0);
    rmSync(join(root, "removed.ts"));
    expect(listWorkingTree(root)?.toSorted()).toEqual([".gitignore", ".hidden/naïve name.ts", "tracked.ts"]);
  });

  it("returns undefined outside a checkout", () => {
    expect(listWorkingTree(root)).toBeUndefined();
  });
});
