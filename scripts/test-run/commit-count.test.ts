import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { countCommits, describeShallowClone } from "./commit-count.ts";

const folder = mkdtempSync(join(tmpdir(), "commit-count-"));
const [whole, shallow, none] = ["whole", "shallow", "none"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
afterAll(() => rmSync(folder, { recursive: true }));

const git = (...args: readonly string[]): void => {
  const author = ["-c", "user.name=tester", "-c", "user.email=tester@example.com"];
  const { status, stderr } = spawnSync("git", [...author, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
};

beforeAll(() => {
  git("init", "--quiet", whole);
  for (const subject of ["one", "two", "three"]) git("-C", whole, "commit", "--quiet", "--allow-empty", "-m", subject);
  git("clone", "--quiet", "--depth=1", `file://${whole}`, shallow);
  mkdirSync(none);
});

it("counts the commits of a clone and detects a shallow clone", () => {
  expect([countCommits(whole), describeShallowClone(whole)]).toEqual(["3", undefined]);
  expect(countCommits(shallow)).toBe("1");
  expect(describeShallowClone(shallow)).toContain("git fetch --unshallow");
  expect([countCommits(none), describeShallowClone(none)]).toEqual(["0", undefined]);
});
