import { describe, expect, it } from "@jest/globals";
import { chooseTests, type ChosenTests } from "./changed-tests.ts";

const importOf = (...specifiers: readonly string[]): string =>
  specifiers.map((specifier) => `import { x } from "${specifier}";\n`).join("");
const files = {
  "libs/a/src/index.ts": 'export { x } from "./x.ts";',
  "libs/a/src/x.ts": "",
  "libs/a/src/y.ts": "",
  "libs/a/src/x.test.ts": importOf("./x.ts"),
  "libs/a/src/y.test.ts": importOf("./y.ts"),
  "libs/b/src/b.ts": importOf("@landscaper/a"),
  "libs/b/src/b.test.ts": importOf("./b.ts"),
  "libs/deployers/c/src/c.test.ts": importOf("@landscaper/a"),
  "test-e2e/suites/ha.test.ts": importOf("@landscaper/a"),
  "test-e2e/suites/guide.test.ts": 'readGuideExamples("helm.md")',
};

function choose(changed: readonly string[], budgetSeconds = 100): ChosenTests {
  return chooseTests({
    modules: { files: new Map(Object.entries(files)), exported: new Map([["@landscaper/a", "libs/a/src/index.ts"]]) },
    tests: Object.keys(files).filter((path) => path.endsWith(".test.ts")),
    changed,
    secondsOf: () => 10,
    budgetSeconds,
  });
}

describe("chooseTests", () => {
  it("chooses the tests of the package, then tests of other packages by import distance, and omits suites", () => {
    expect(choose(["libs/a/src/x.ts"])).toEqual({
      chosen: ["libs/a/src/x.test.ts", "libs/deployers/c/src/c.test.ts", "libs/b/src/b.test.ts"],
      omitted: ["test-e2e/suites/ha.test.ts"],
    });
  });

  it("omits tests that exceed the budget", () => {
    expect(choose(["libs/a/src/x.ts"], 20)).toEqual({
      chosen: ["libs/a/src/x.test.ts", "libs/deployers/c/src/c.test.ts"],
      omitted: ["test-e2e/suites/ha.test.ts", "libs/b/src/b.test.ts"],
    });
  });

  it("chooses a changed test or suite even if it exceeds the budget", () => {
    expect(choose(["test-e2e/suites/ha.test.ts"], 1)).toEqual({ chosen: ["test-e2e/suites/ha.test.ts"], omitted: [] });
    expect(choose(["libs/a/src/y.test.ts"], 1)).toEqual({ chosen: ["libs/a/src/y.test.ts"], omitted: [] });
  });

  it("chooses all tests of a package if its data has changed", () => {
    expect(choose(["libs/a/testdata/cases.json"]).chosen).toEqual(["libs/a/src/x.test.ts", "libs/a/src/y.test.ts"]);
  });

  it("omits the suites that name a changed page", () => {
    expect(choose(["docs/guide/helm.md"])).toEqual({ chosen: [], omitted: ["test-e2e/suites/guide.test.ts"] });
  });

  it.each(["crds/installations.yaml", "pnpm-lock.yaml", "jest.config.mjs", "scripts/test-run/run-natively.mjs"])(
    "counts every test as one that %s can break",
    (path) => {
      const { chosen, omitted } = choose([path]);
      const tests = Object.keys(files).filter((file) => file.endsWith(".test.ts"));
      expect([...chosen, ...omitted].toSorted()).toEqual(tests.toSorted());
    },
  );

  it("chooses no test for a change that no test depends on", () => {
    expect(choose(["docs/guide/unseen.md"])).toEqual({ chosen: [], omitted: [] });
  });
});
