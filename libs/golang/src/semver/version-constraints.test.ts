import { describe, expect, it } from "@jest/globals";
import { array, assert, constantFrom, property, tuple } from "fast-check";
import { parseVersion } from "./semantic-version.ts";
import { parseConstraints } from "./version-constraints.ts";

describe("problems with constraints", () => {
  it.each<[string, string, string[]]>([
    ["1.2.3", "~1.2", []],
    ["1.2.3", "<1 || >1.2.2", []],
    ["v1.2.3", "=1.2.4", ["1.2.3 is not equal to 1.2.4"]],
    ["1.2.3", "1.3.x", ["1.2.3 is less than 1.3.x"]],
    ["1.2.3", "!=1.2.3", ["1.2.3 is equal to 1.2.3"]],
    ["1.2.3", ">2", ["1.2.3 is less than or equal to 2"]],
    ["1.2.3", "<1", ["1.2.3 is greater than or equal to 1"]],
    ["1.2.3", "<=1.1", ["1.2.3 is greater than 1.1"]],
    ["1.2.3", "~1.1", ["1.2.3 does not have same major and minor version as 1.1"]],
    ["2.0.0", "^1", ["2.0.0 does not have same major version as 1"]],
    ["0.3.0", "^0.2", ["0.3.0 does not have same minor version as 0.2"]],
    ["0.0.4", "^0.0.3", ["0.0.4 does not equal 0.0.3"]],
    ["1.2.3", "<1, >2", ["1.2.3 is greater than or equal to 1", "1.2.3 is less than or equal to 2"]],
    [
      "1.2.3-a",
      ">1 || <3",
      ["1.2.3-a is a prerelease version and the constraint is only looking for release versions"],
    ],
  ])("%s, %s", (version, constraint, problems) => {
    const constraints = parseConstraints(constraint);
    expect(constraints.problemsOf(parseVersion(version))).toEqual(problems);
    expect(constraints.isFulfilledBy(parseVersion(version))).toBe(problems.length === 0);
  });

  it.each([
    ["group", true],
    ["each", false],
  ] as const)("lets a comparison open its %s for prereleases", (rule, expected) => {
    const constraints = parseConstraints(">=1.2.3-0, <2", rule);
    expect(constraints.isFulfilledBy(parseVersion("1.2.4-alpha"))).toBe(expected);
    expect(constraints.isFulfilledBy(parseVersion("1.2.4"))).toBe(true);
  });
});

describe("a constraint of one comparison", () => {
  const part = constantFrom("", ".x", ".*", ".0", ".1", ".12", ".X", ".1|2", ".99999999999999999999");
  const version = tuple(
    constantFrom("", "v"),
    constantFrom("0", "1", "01", "x", "*", "1|"),
    part,
    part,
    constantFrom("", "-0", "-rc.1", "-a-b", "-01"),
    constantFrom("", "+build.5"),
  ).map((parts) => parts.join(""));
  const space = constantFrom("", " ", "\t", "\n ");
  const operator = constantFrom("", "=", "!=", ">", "<", ">=", "=>", "<=", "=<", "~", "~>", "^");
  /** Without "|" at its end: that and the "||" after it are read as "||" and "|", so that the next group begins with it. */
  const comparison = tuple(space, operator, space, version, space)
    .map((parts) => parts.join(""))
    .filter((text) => !text.endsWith("|"));
  const groups = array(comparison, { minLength: 1, maxLength: 3 });
  const versions = [
    "0.0.0",
    "0.1.0",
    "1.0.0",
    "1.0.1",
    "1.1.0",
    "1.12.12",
    "2.0.0",
    "1.0.0-rc.1",
    "1.1.0-0",
    "0.0.0-a",
  ];

  function outcomeOf(text: string): unknown {
    try {
      const constraints = parseConstraints(text);
      return versions.map((each) => constraints.problemsOf(parseVersion(each)));
    } catch (error) {
      return String(error);
    }
  }

  it("means the same as the comparison twice, which is read by the patterns of Masterminds", () => {
    assert(
      property(groups, (given) => {
        const twice = given.map((each) => `${each},${each}`).join("||");
        expect(outcomeOf(given.join("||"))).toEqual(outcomeOf(twice));
      }),
      { numRuns: 2_000 },
    );
  });

  it("is not read as one when its space is none of Go's", () => {
    expect(outcomeOf(">=\u00a01.0")).toEqual('FunctionError: improper constraint: ">=\\u00a01.0"');
  });
});
