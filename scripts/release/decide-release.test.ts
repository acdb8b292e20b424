import { describe, expect, it } from "@jest/globals";
import { checkArguments, decideRelease, type ReleaseState } from "./decide-release.ts";

const section = (version: string) => ({ version, date: "2026-01-01", body: "- Change." });
const state: ReleaseState = {
  version: "1.2.0",
  packageVersion: "1.1.0",
  changelog: { introduction: "", unreleased: "- New.", sections: [section("1.1.0"), section("1.0.0")] },
  changedFiles: [],
};
const released = { ...state.changelog, unreleased: "", sections: [section("1.2.0"), section("1.1.0")] };

describe("decideRelease", () => {
  it.each<[string, Partial<ReleaseState>, string]>([
    ["prepares a newer version", {}, "prepare"],
    ["prepares a version before it", { version: "1.2.0-rc.1" }, "prepare"],
    [
      "prepares a candidate of the version of the product",
      { version: "1.1.0-rc.1", changelog: { ...state.changelog, sections: [] } },
      "prepare",
    ],
    ["prepares the first version", { changelog: { ...state.changelog, sections: [] } }, "prepare"],
    ["publishes the version of the commit", { packageVersion: "1.2.0", changelog: released }, "publish"],
    [
      "publishes it again when the next changes are there already",
      { packageVersion: "1.2.0", changelog: { ...released, unreleased: "- Next." } },
      "publish",
    ],
  ])("%s", (_, change, step) => {
    expect(decideRelease({ ...state, ...change })).toBe(step);
  });

  it.each<[string, Partial<ReleaseState>, string]>([
    [
      "a tree with changes",
      { changedFiles: ["a", "b", "c", "d", "e", "f", "g"] },
      "expected a clean tree, found changes in a, b, c, d, e and 2 more; commit them first",
    ],
    [
      "a version that was released before the last",
      { version: "1.0.0" },
      "VERSION: expected one newer than 1.1.0, the last in CHANGELOG.md, found 1.0.0",
    ],
    [
      "a release candidate of the last version",
      { version: "1.1.0-rc.1" },
      "VERSION: expected one newer than 1.1.0, the last in CHANGELOG.md, found 1.1.0-rc.1",
    ],
    [
      "a version that is older than the product",
      { version: "0.0.1", changelog: { ...state.changelog, sections: [] } },
      "VERSION: expected 1.1.0, the version in package.json, or a newer one, found 0.0.1",
    ],
    [
      "a version without changes",
      { changelog: { ...state.changelog, unreleased: "" } },
      'CHANGELOG.md: expected changes below "Unreleased", found none',
    ],
    [
      "a changelog that is ahead of the product",
      { changelog: released },
      "package.json: expected version 1.2.0, as CHANGELOG.md has it, found 1.1.0",
    ],
  ])("refuses %s", (_, change, message) => {
    expect(() => decideRelease({ ...state, ...change })).toThrow(new Error(message));
  });
});

describe("checkArguments", () => {
  const version = "1.2.0";
  const registry = "registry.example/team";
  const versionProblem = (found: string): string =>
    `VERSION: expected a semantic version without "v" and "+", such as 1.2.0 or 1.2.0-rc.1, found ${found}`;
  const registryProblem = (found: string): string =>
    `--registry: expected HOST/PREFIX in lower case, without a scheme, found ${found}`;

  it.each(["registry.example/team", "127.0.0.1:5000/a/b-c.d_e"])("takes the registry %s", (place) => {
    expect(checkArguments({ positionals: [version], registry: place })).toEqual({ version, place });
  });

  it.each(["1.2.0", "1.2.0-rc.1"])("takes the version %s", (each) => {
    expect(checkArguments({ positionals: [each], registry })).toEqual({ version: each, place: registry });
  });

  it.each<[readonly string[], string, readonly string[]]>([
    [[], "", [versionProblem("nothing"), registryProblem("nothing")]],
    [["1.2"], "A", [versionProblem('"1.2"'), registryProblem('"A"')]],
    [["1.2.0", "1.3.0"], registry, ["VERSION: expected one, found 1.2.0 1.3.0"]],
    ...["v1.2.0", "1.2.0+build", "01.2.0"].map((each): [readonly string[], string, readonly string[]] => [
      [each],
      registry,
      [versionProblem(`"${each}"`)],
    ]),
    ...["registry.example", "https://registry.example/team", "registry.example/team/", "registry.example/A"].map(
      (each): [readonly string[], string, readonly string[]] => [[version], each, [registryProblem(`"${each}"`)]],
    ),
  ])("refuses %j with the registry %j", (positionals, place, problems) => {
    expect(() => checkArguments({ positionals, registry: place })).toThrow(new Error(problems.join("\n")));
  });
});
