import { describe, expect, it } from "@jest/globals";
import { GoRegExp } from "./go-regexp.ts";
import { expandTemplate, replaceMatches, splitByMatches } from "./replace-matches.ts";

describe("expandTemplate", () => {
  const re = GoRegExp.compile("(?P<first>a)(b)?");
  it.each([
    ["<$0>", "<ab>"],
    ["$1x", ""],
    ["${1}x", "ax"],
    ["${first}-$first", "a-a"],
    ["$2$1", "ba"],
    ["$$1", "$1"],
    ["$9${nosuch}", ""],
    ["$", "$"],
    ["${1", "${1"],
    ["plain", "plain"],
  ])("makes of %s", (template, expected) => {
    const [match] = re.findAll("ab");
    expect(match === undefined ? undefined : expandTemplate(template, match, re)).toBe(expected);
  });

  it("takes groups without a part in the match as empty", () => {
    const [match] = re.findAll("a");
    expect(match === undefined ? undefined : expandTemplate("[$2]", match, re)).toBe("[]");
  });
});

describe("replaceMatches", () => {
  it.each([
    { pattern: "b*", text: "abbc", limit: -1, expected: "-a-c-" },
    { pattern: "b", text: "abbc", limit: 1, expected: "a-bc" },
    { pattern: "b", text: "abbc", limit: 0, expected: "abbc" },
    { pattern: "", text: "äb", limit: -1, expected: "-ä-b-" },
  ])("of $pattern in $text, $limit times", ({ pattern, text, limit, expected }) => {
    expect(replaceMatches({ re: GoRegExp.compile(pattern), text, limit }, () => "-")).toBe(expected);
  });
});

describe("splitByMatches", () => {
  it.each([
    { pattern: ",", text: "a,b,,c", limit: -1, parts: ["a", "b", "", "c"] },
    { pattern: ",", text: "a,b,c", limit: 2, parts: ["a", "b,c"] },
    { pattern: ",", text: "a,b,c", limit: 1, parts: ["a,b,c"] },
    { pattern: ",", text: "a", limit: 0, parts: [] },
    { pattern: ",", text: "", limit: -1, parts: [""] },
    { pattern: "", text: "", limit: -1, parts: [] },
    { pattern: "", text: "aä", limit: -1, parts: ["a", "ä"] },
    { pattern: "b*", text: "abbbc", limit: -1, parts: ["a", "c"] },
  ])("$pattern in $text, at most $limit parts", ({ pattern, text, limit, parts }) => {
    expect([...splitByMatches(GoRegExp.compile(pattern), text, limit)]).toEqual(parts);
  });
});
