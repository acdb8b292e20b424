import { describe, expect, it } from "@jest/globals";
import { formatProfile, parseProfile } from "./test-profile.ts";

const text = [
  { testPath: "/root/libs/api/src/a.test.ts", seconds: 1.2, processor: 0.8, worker: 1 },
  { testPath: "/root/libs/api/src/b.test.ts", seconds: 2.9, processor: 3.1, worker: 2 },
  { testPath: "/root/libs/deployers/helm/src/c.test.ts", seconds: 5, processor: 4, worker: 1 },
  { testPath: "/root/test-e2e/suites/long.test.ts", seconds: 100, processor: 20, worker: 1 },
  { testPath: "/root/test-e2e/suites/oracles/short.test.ts", seconds: 10, processor: 2, worker: 1 },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join("");

describe("the profile of a run", () => {
  it("has the areas and the longest files, the longest first", () => {
    expect(formatProfile(parseProfile(text), { root: "/root", longest: 3 }).split("\n")).toEqual([
      " seconds  of CPU",
      "     110      22  test-e2e",
      "       5       4  libs/deployers/helm",
      "       4       4  libs/api",
      "     119      30  all",
      "",
      " seconds  of CPU",
      "     100      20  test-e2e/suites/long.test.ts",
      "      10       2  test-e2e/suites/oracles/short.test.ts",
      "       5       4  libs/deployers/helm/src/c.test.ts",
    ]);
  });

  it("is empty where no file has run", () => {
    expect(formatProfile(parseProfile(""), { root: "/root", longest: 3 })).toContain("       0       0  all");
  });
});
