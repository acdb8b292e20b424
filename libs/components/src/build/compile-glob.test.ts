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
    ["a[!b-d]", "aa ae a!", "ab ac ad a"],
    ["a[^b-d]", "aa ae a^", "ab ac ad a"],
    ["[]a]", "] a", "b"],
    ["[[]a", "[a", "a"],
    ["[a-]", "a -", "b"],
    ["a[*]", "a*", "ab"],
    ["{a,b/*}.md", "a.md b/c.md", "b.md"],
    ["{a,{b,c}}d", "ad bd cd", "d"],
    ["{a}{", "{a}{", "a{"],
    ["{a,b", "{a,b", "a b"],
    ["[a/b]c", "ac bc", "c a/bc"],
    ["x/[/a]", "x/a", "x/ x"],
    ["[!a]*", "b ba", ".b a"],
    ["[.-z]*", "ab z", ".a"],
    ["[.a]b", "ab", ".b"],
    ["?a", "aa", ".a"],
    ["[.]a", ".a", "a"],
    [".*", ".a", "a"],
    ["a**b", "ab axb", "a/b"],
    ["a//b", "a/b", "a"],
    ["a/b//c", "a/b/c", "a/b"],
    ["[a-a]", "a", "b"],
    ["[/-1]", "0 1", "2"],
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
    ["[z-a]", 'where: includeFiles[0]: pattern "[z-a]": never matches: its range z-a has no characters. Write a-z'],
    ["x[az-y]", "its range z-y has no characters. Write y-z"],
    ["[!z-a]", "its range z-a has no characters"],
    ["[a", 'never matches: it has "[" without "]". Close the bracket, or write [[] for a bracket in a name'],
    [
      "[]",
      'never matches: the "]" directly behind "[" is a character of the class, and no other "]" closes it. Close the bracket, or write [[] for a bracket in a name',
    ],
    ["a[!]b", 'the "]" directly behind "[!" is a character of the class, and no other "]" closes it. Close'],
    ["[^]", 'the "]" directly behind "[^" is a character of the class'],
    ["[!", 'it has "[" without "]"'],
    ["/a", "it begins with a slash, but paths are relative to the folder of the input. Remove the slash"],
    ["//a", "it begins with a slash"],
    ["dir/", "it ends with a slash, but a path does not. Remove the slash, or write /** for all files in a folder"],
    ["./a", 'it has the name ".", but a path below the folder does not. Write the path from the folder on'],
    ["../x", 'it has the name "..", but a path below the folder does not.'],
    ["a/[.]./b", 'it has the name ".."'],
    ["**/.", 'it has the name "."'],
    ["", "it is empty, but a path is not. Remove it"],
    ["{,a}", 'pattern "{,a}": its alternative "" never matches: it is empty'],
    ["{a,b/}", 'its alternative "b/" never matches: it ends with a slash'],
    ["a[/]b", "its brackets have only slashes. Write the slash without brackets"],
    ["a\0", "it has a zero character, but a file name does not. Remove the character"],
  ])("refuses %.20s", (pattern, problem) => {
    expect(() => compileGlob(pattern, "where: includeFiles[0]")).toThrow(problem);
  });

  // Each level multiplies the alternatives of the next one.
  it("refuses nested braces before they fill the memory", () => {
    const hundred = `{${",".repeat(99)}}`;
    const nest = (depth: number): string => (depth === 0 ? "a" : `${hundred}{${nest(depth - 1)},x}`);
    expect(() => compileGlob(nest(9), "where")).toThrow("expected at most 100 alternatives in braces");
  });

  // With backtracking to all stars, these take hours.
  it("does not take exponential time for many stars", () => {
    expect(compileGlob(`${"*a".repeat(100)}b`, "where")("a".repeat(250))).toBe(false);
    expect(compileGlob(`${"**/a/".repeat(100)}b`, "where")("a/".repeat(1000).slice(0, -1))).toBe(false);
    expect(compileGlob("{".repeat(512) + "a,b".repeat(100), "where")("a")).toBe(false);
  });
});
