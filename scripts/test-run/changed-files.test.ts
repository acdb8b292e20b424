import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { readChanges } from "./changed-files.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "changes-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], { cwd: root, encoding: "utf8" });
  expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
  return stdout.trim();
}

function commit(path: string, text = ""): string {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
  git("add", "--all");
  git("commit", "--quiet", "--message", path);
  return git("rev-parse", "--short", "HEAD");
}

/** Creates a main branch with one commit, and a branch with a second commit. Returns the first commit. */
function createBranch(): string {
  git("init", "--quiet", "--initial-branch=main");
  const first = commit("first.ts");
  git("checkout", "--quiet", "-b", "work");
  commit("second.ts");
  return first;
}

const pathsOf = (): readonly string[] => readChanges(root).files.map(({ path }) => path);

describe("readChanges", () => {
  it("compares with the main branch if the branch has no upstream", () => {
    const first = createBranch();
    expect([readChanges(root).base, pathsOf()]).toEqual([`${first} (merge base with main)`, ["second.ts"]]);
  });

  it.each([
    ["origin/HEAD", ["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"], "origin/trunk"],
    ["origin/main", ["update-ref", "refs/remotes/origin/main", "refs/remotes/origin/trunk"], "origin/main"],
  ])("compares with %s before the local main branch", (_ref, args, name) => {
    createBranch();
    const second = git("rev-parse", "--short", "HEAD");
    git("update-ref", "refs/remotes/origin/trunk", "HEAD");
    git(...args);
    commit("third.ts");
    expect([readChanges(root).base, pathsOf()]).toEqual([`${second} (merge base with ${name})`, ["third.ts"]]);
  });

  it("compares with the upstream branch before any other", () => {
    createBranch();
    const second = git("rev-parse", "--short", "HEAD");
    git("branch", "shared");
    git("checkout", "--quiet", "-b", "topic", "--track", "shared");
    commit("third.ts");
    expect([readChanges(root).base, pathsOf()]).toEqual([`${second} (merge base with shared)`, ["third.ts"]]);
  });

  it("reads committed, uncommitted and untracked files, even with unusual names", () => {
    createBranch();
    commit("naïve name.md", "committed");
    writeFileSync(join(root, "first.ts"), "uncommitted");
    writeFileSync(join(root, "third.ts"), "untracked");
    expect(readChanges(root).files).toEqual([
      { path: "first.ts", text: "uncommitted", isDeleted: false },
      { path: "naïve name.md", text: "committed", isDeleted: false },
      { path: "second.ts", text: "", isDeleted: false },
      { path: "third.ts", text: "untracked", isDeleted: false },
    ]);
  });

  it("reads the text of a deleted file at the base", () => {
    git("init", "--quiet", "--initial-branch=main");
    commit("libs/gone.ts", "old");
    rmSync(join(root, "libs"), { recursive: true });
    expect(readChanges(root).files).toEqual([{ path: "libs/gone.ts", text: "old", isDeleted: true }]);
  });

  it("refuses a branch without a base", () => {
    git("init", "--quiet", "--initial-branch=work");
    commit("first.ts");
    expect(() => readChanges(root)).toThrow(
      "--changed: expected a commit that HEAD shares with an upstream branch, origin/HEAD, origin/main or main, found none",
    );
  });

  it("refuses a folder outside a git checkout", () => {
    expect(() => readChanges(root)).toThrow("--changed: expected a git checkout, found none");
  });
});
