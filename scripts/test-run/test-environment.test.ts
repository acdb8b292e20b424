import { describe, expect, it } from "@jest/globals";
import { testEnvironment } from "./test-environment.ts";
import { parseTestOptions } from "./test-options.ts";

const find = (env: Record<string, string>, ...words: readonly string[]): Record<string, string> =>
  testEnvironment(env, { options: parseTestOptions(words), commits: "7", profile: "/p" });

describe("testEnvironment", () => {
  it("takes its turn from the commit count, and builds no Go program on a developer's machine", () => {
    expect(find({})).toEqual({ E2E_TURN: "7", E2E_BUILD: "never" });
    expect(find({ CI: "false" })).toEqual({ E2E_TURN: "7", E2E_BUILD: "never" });
  });

  it.each([
    { name: "in CI", env: { CI: "true" }, words: [] },
    { name: "if the real API server is required", env: { E2E_REAL: "required" }, words: [] },
    { name: "if a node is required", env: { E2E_NODE: "required" }, words: [] },
    { name: "with --all-tools", env: {}, words: ["--all-tools"] },
  ])("builds Go programs $name", ({ env, words }) => {
    expect(find({ ...env }, ...words)).toEqual({ E2E_TURN: "7" });
  });

  it("runs named files even if it is not their turn, and writes a profile", () => {
    expect(find({}, "suites/ha", "--profile")).toEqual({
      E2E_TURN: "7",
      E2E_BUILD: "never",
      E2E_SELECTED: "1",
      TEST_PROFILE: "/p",
    });
  });

  it("runs changed suites even if it is not their turn", () => {
    expect(find({}, "--changed")).toEqual({ E2E_TURN: "7", E2E_BUILD: "never", E2E_SELECTED: "1" });
  });

  it("keeps variables of the environment", () => {
    expect(find({ E2E_TURN: "", E2E_BUILD: "demand" })).toEqual({ E2E_TURN: "", E2E_BUILD: "demand" });
  });
});
