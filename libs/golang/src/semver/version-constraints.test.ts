import { describe, expect, it } from "@jest/globals";
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
