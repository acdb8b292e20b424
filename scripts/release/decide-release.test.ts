import { describe, expect, it } from "@jest/globals";
import { checkRegistry, decideRelease, type ReleaseState } from "./decide-release.ts";

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
    ...["v1.2.0", "1.2", "1.2.0+build", "01.2.0", ""].map((version): [string, Partial<ReleaseState>, string] => [
      `the version "${version}"`,
      { version },
      `VERSION: expected a semantic version without "v" and "+", such as 1.2.0 or 1.2.0-rc.1, found "${version}"`,
    ]),
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

describe("checkRegistry", () => {
  it.each(["registry.example/team", "127.0.0.1:5000/a/b-c.d_e"])("takes %s", (registry) => {
    expect(checkRegistry(registry)).toBe(registry);
  });

  it.each(["", "registry.example", "https://registry.example/team", "registry.example/team/", "registry.example/A"])(
    'refuses "%s"',
    (registry) => {
      const message = `--registry: expected HOST/PREFIX in lower case, without a scheme, found "${registry}"`;
      expect(() => checkRegistry(registry)).toThrow(new Error(message));
    },
  );
});
