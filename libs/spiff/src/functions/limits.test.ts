import { describe, expect, it } from "@jest/globals";
import { createSpiff, SpiffError } from "../index.ts";

/** A text of 200,000 characters, 20,000 numbers, and ten lists of each other that are ten billion numbers when written out. */
const surroundings = `
big: (( &temporary (join("", map[[1..20000]|x|-> "abcdefghij"])) ))
nums: (( &temporary ([1..20000]) ))
lists: (( &temporary (map[[1..400]|x|-> [1..400]]) ))
l0: (( &temporary ([1..10]) ))
${Array.from({ length: 9 }, (_, i) => `l${i + 1}: (( &temporary ([${Array(10).fill(`l${i}`).join(", ")}]) ))`).join("\n")}
`;

function evaluate(expression: string): unknown {
  const text = `${surroundings}out: |-\n  (( ${expression} ))\n`;
  const { output } = createSpiff().merge({ template: { name: "t", text } });
  return (output as Record<string, unknown>)["out"];
}

function limitOf(expression: string): string {
  try {
    evaluate(expression);
    return "none";
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    return error.message;
  }
}

describe("results that would be huge", () => {
  it.each([
    'replace(big, "", big)',
    'replace(big, "a", big)',
    'replace_match(big, ".", |m|-> big)',
    "join(big, nums)",
    'match(".", big, -1)',
    `format("${"%999999d".repeat(60)}", 1)`,
    'format(join("", map[[1..2000]|x|-> "%[1]s"]), big)',
    'ipset("10.0.0.0/8", 16000000)',
    'ipset("::/0", 16000000)',
    'archive({"a"=map[nums|x|-> big]})',
    "l9",
    "asjson(l9)",
    "asyaml(l9)",
    'format("%s", l9)',
    'merge({"a"=l9})',
  ])("are refused before they are made: %s", (expression) => {
    expect(limitOf(expression)).toMatch(/^t: (out: )?results of more than 50000000 characters or entries$/);
  });
});

describe("work that would take long", () => {
  it.each([
    ["intersect(nums, nums)", "comparing values"],
    ["uniq(map[nums|x|-> [x]])", "comparing values"],
    ["map[nums|x|-> substr(big, 5, 6)]", "substr"],
    ['trim(map[nums|x|-> big], "abcdefghij")', "trim"],
    ["map[nums|x|-> hash(big)]", "hash"],
    ['map[nums|x|-> match("(a*)*b", big)]', "match"],
    ['map[nums|x|-> check(big, ["match", "(a*)*b"])]', "match"],
  ])("ends at the limit: %s", (expression, name) => {
    expect(limitOf(expression)).toBe(`t: out: ${name}: more than 5000000 steps`);
  });
});

describe("values that contain each other", () => {
  it.each([
    ["length(l9)", 10],
    ["contains([l9], l9)", true],
    ["length(uniq([l9, l9]))", 1],
    ["l9 == l9", true],
    ["l9 == [l8, l8, l8, l8, l8, l8, l8, l8, l8, l8]", true],
    ["l9 == l8", false],
  ])("are compared without writing them out: %s", (expression, expected) => {
    expect(evaluate(expression)).toBe(expected);
  });

  it("are left out of messages", () => {
    expect(limitOf("sort([l9, l8], |a,b|-> 1 / 0)")).toContain("{a: ..., b: ...}");
  });
});

describe("ordinary work", () => {
  it.each([
    ['length(split("", big))', 200_000],
    ['length(split("a", big))', 20_001],
    ["length(uniq(nums))", 20_000],
    ["length(sort(nums, |a,b|-> a > b))", 20_000],
    ["length(base64(big))", 266_668],
  ])("is done: %s", (expression, length) => {
    expect(evaluate(expression)).toBe(length);
  });
});
