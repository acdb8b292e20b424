import { describe, expect, it } from "@jest/globals";
import { testProgram } from "./run-test-files.ts";

describe("testProgram", () => {
  const shared = ["--ci", "--json", "--outputFile=/run/results.json"];
  const withClusters = ["scripts/e2e.ts", "--all", "--summary", "/run/clusters.txt", ...shared];
  const suite = "test-e2e/suites/ha.test.ts";

  it.each([
    { name: "starts clusters for all files", files: undefined, want: withClusters },
    { name: "starts clusters for a suite", files: [suite], want: [...withClusters, "--runTestsByPath", suite] },
    {
      name: "starts jest alone for tests of packages",
      files: ["libs/api/src/a.test.ts"],
      want: [
        "node_modules/jest/bin/jest.js",
        "--testTimeout=150000",
        "--maxWorkers=3",
        ...shared,
        "--runTestsByPath",
        "libs/api/src/a.test.ts",
      ],
    },
  ])("$name, and lets no test write a snapshot", ({ files, want }) => {
    expect(testProgram(files, "/run")).toEqual(want);
  });
});
