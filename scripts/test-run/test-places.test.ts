import { describe, expect, it } from "@jest/globals";
import { checkTestPlaces } from "./test-places.ts";

describe("checkTestPlaces", () => {
  it.each([
    "libs/json/test/thing.spec.ts",
    "libs/json/test/thing.test.mjs",
    "libs/json/src/thing.test.mts",
    "libs/json/src/thing.tests.ts",
    "libs/json/src/thing.test.cts",
    "libs/json/src/thing.test.js",
    "libs/json/src/thing.spec.cjs",
    "libs/json/extra.test.ts",
    "libs/json/testing/thing.test.ts",
    "libs/json/testdata/thing.test.ts",
    "libs/json/src/.hid/thing.test.ts",
    "test-e2e/bench/thing.test.ts",
    "k8s/thing.test.ts",
  ])("refuses %s", (path) => {
    expect(checkTestPlaces([path], ["libs/json/src/thing.test.ts"])).toEqual([
      `${path}: no test run includes this file; name it *.test.ts and move it to ` +
        "src/ or test/ of a package, scripts/ or test-e2e/suites/, outside hidden folders, dist/ and node_modules/",
    ]);
  });

  it("lets test files that run, and files that are not named like tests, be anywhere", () => {
    const tests = ["libs/json/src/thing.test.ts"];
    const others = ["scripts/test-run/test-files.ts", "libs/a/src/spec.ts", "libs/a/testdata/a.test.json"];
    expect(checkTestPlaces([...tests, ...others], tests)).toEqual([]);
  });
});
