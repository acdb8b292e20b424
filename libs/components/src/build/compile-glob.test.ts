import { matchesGlob } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { compileGlob } from "./compile-glob.ts";

describe("compileGlob", () => {
  it.each([
    ["*", "a b.md", ".a a/b"],
    ["*.md", "a.md", "a.mdx a/b.md .md"],
    ["**", "a a/b a/b/c", ".a a/.b"],
    ["**/*.md", "a.md a/b.md a/b/c.md", "a/.b/c.md a.txt"],
    ["a/**", "a/b a/b/c", "a b/a"],
    ["a/**/b", "a/b a/x/b a/x/y/b", "a/.x/b"],
    ["a/*/b", "a/x/b", "a/b a/x/y/b"],
    ["?", "a ä 😀", "ab ."],
    ["a[bc]", "ab ac", "ad a"],
    ["a[!b-d]", "aa ae", "ab ac ad a"],
    ["[]a]", "] a", "b"],
    ["[a", "[a", "a"],
    ["[a-]", "a -", "b"],
    ["a[*]", "a*", "ab"],
    ["{a,b/*}.md", "a.md b/c.md", "b.md"],
    ["{a,{b,c}}d", "ad bd cd", "d"],
    ["{a}{", "{a}{", "a{"],
    ["[.]a", ".a", "a"],
    [".*", ".a", "a"],
    ["a**b", "ab axb", "a/b"],
    ["a//b", "a/b", "a"],
    ["!a", "!a", "b"],
  ])("%s matches %s, and not %s", (pattern, matching, others) => {
    const matches = compileGlob(pattern, "where");
    for (const path of matching.split(" ")) expect([path, matches(path)]).toEqual([path, true]);
    for (const path of others.split(" ")) expect([path, matches(path)]).toEqual([path, false]);
  });

  it("agrees with Node's matcher about short patterns", () => {
    const parts = ["a", ".", "*", "**", "?", "/", "{a,*}"];
    const sequences = (length: number): readonly string[] =>
      length === 0 ? [""] : sequences(length - 1).flatMap((begin) => parts.map((part) => begin + part));
    // Node normalises what has no effect on files below a folder: a slash at the end, and names of dots.
    const patterns = [1, 2, 3].flatMap(sequences).filter((one) => !/\/$|^\/|(^|\/)\.{1,2}(\/|$)/.test(one));
    const paths = ["a", "aa", "a.a", ".a", "b", "a/a", "a/.a", ".a/a", "a/b/a", "ab/a", "a/b/.c/a"];
    for (const pattern of patterns) {
      const matches = compileGlob(pattern, "where");
      const found = paths.filter(matches);
      expect([pattern, found]).toEqual([pattern, paths.filter((path) => matchesGlob(path, pattern))]);
    }
  });

  it.each([
    ["a\\*", '"\\\\" is not supported'],
    ["!(a)", '"!(" is not supported'],
    ["{1..3}", '"{1..3}" is not supported'],
    ["[[:alpha:]]", '"[[:" is not supported'],
    ["x".repeat(1025), "expected at most 1024 characters, found 1025"],
    ["{a,b}".repeat(7), "expected at most 100 alternatives in braces. Use several patterns"],
    ["{a,b}".repeat(200), "expected at most 100 alternatives in braces. Use several patterns"],
  ])("refuses %.20s", (pattern, problem) => {
    expect(() => compileGlob(pattern, "input: includeFiles[0]")).toThrow(problem);
  });

  // Backtracking takes hours.
  it("takes linear time for many stars", () => {
    expect(compileGlob(`${"*a".repeat(100)}b`, "where")("a".repeat(250))).toBe(false);
    expect(compileGlob(`${"**/a/".repeat(100)}b`, "where")("a/".repeat(1000).slice(0, -1))).toBe(false);
    expect(compileGlob("{".repeat(512) + "a,b".repeat(100), "where")("a")).toBe(false);
  });
});
