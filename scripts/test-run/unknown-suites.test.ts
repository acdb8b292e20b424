import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { explainUnknownSuites } from "./unknown-suites.ts";

const files = ["libs/api/src/a.test.ts", "ha", "hostile/claims", "charts-rendering"].map((name) =>
  name.endsWith(".ts") ? name : `test-e2e/suites/${name}.test.ts`,
);

describe("explainUnknownSuites", () => {
  it.each([
    [[]],
    [["ha"]],
    [["hostile"]],
    [["hostile/claims", "HA"]],
    [["charts-.*", "-t", "scenario 8"]],
    [["--listTests", "nosuchsuite"]],
    [["suites/ha"]],
    [["/clone/test-e2e/suites/ha.test.ts"]],
  ])("takes %j", (words) => {
    expect(explainUnknownSuites(words, files)).toBeUndefined();
  });

  it.each([
    [["nosuchsuite"], "no suite is called nosuchsuite; the suites are in test-e2e/suites/"],
    [["hostle"], "no suite is called hostle; did you mean hostile?"],
    [["hostile/claim5", "ha"], "no suite is called hostile/claim5; did you mean hostile/claims?"],
    [["clams"], "no suite is called clams; did you mean claims?"],
    [["libs/api"], "no suite is called libs/api; the suites are in test-e2e/suites/"],
    [
      ["charts-rendring", "["],
      "no suite is called charts-rendring; did you mean charts-rendering?\nno suite is called [; the suites are in test-e2e/suites/",
    ],
  ])("refuses %j", (words, message) => {
    expect(explainUnknownSuites(words, files)).toBe(message);
  });
});

it("npm run e2e exits with 2 for an unknown suite before it builds", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "../e2e.ts"), "hostle"], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^no suite is called hostle; did you mean hostile\?\nusage: npm run e2e -- /),
  });
});
