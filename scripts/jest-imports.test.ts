import { describe, expect, it } from "@jest/globals";
import { checkJestImports, programGlobs, type Workspace } from "./jest-imports.ts";

const importOf = (specifier: string): string => `import { x } from "${specifier}";\n`;
const withJest = importOf("@jest/globals");

function workspaceOf(files: Readonly<Record<string, string>>, more: Partial<Workspace> = {}): Workspace {
  return { files: new Map(Object.entries(files)), exported: new Map(), programs: [], jestModules: [], ...more };
}

describe("programGlobs", () => {
  it("lists the files that package.json starts, and the entries of knip.json without the tests", () => {
    const scripts = { lint: "node scripts/bootstrap.mjs scripts/lint.ts", types: "node scripts/bootstrap.mjs tsc -b" };
    const entries = {
      ".": ["scripts/*.ts"],
      "services/*": ["src/{main,init}.ts", "{src,test}/**/*.test.ts"],
      "test-e2e": ["bench/main.ts"],
    };
    expect(programGlobs({ scripts, entries })).toEqual([
      "scripts/bootstrap.mjs",
      "scripts/lint.ts",
      "scripts/*.ts",
      "services/*/src/{main,init}.ts",
      "test-e2e/bench/main.ts",
    ]);
  });
});

describe("checkJestImports", () => {
  it.each<readonly [what: string, files: Readonly<Record<string, string>>]>([
    ["a test", { "libs/a/src/a.test.ts": withJest, "scripts/a.test.ts": withJest }],
    ["the test folder of a package", { "libs/deployers/a/test/bench.ts": withJest, "services/a/test/b.ts": withJest }],
    ["a folder of test-e2e that only tests load", { "test-e2e/items/item-suite.ts": withJest }],
    [
      "a file whose types a program imports",
      {
        "test-e2e/bench/main.ts": 'import type { X } from "../items/item-suite.ts";',
        "test-e2e/items/item-suite.ts": withJest,
      },
    ],
  ])("lets %s import jest", (_what, files) => {
    expect(checkJestImports(workspaceOf(files, { programs: ["test-e2e/bench/main.ts"] }))).toEqual([]);
  });

  it("reports the chain from a program through the fixtures of a package", () => {
    const files = {
      "test-e2e/bench/main.ts": importOf("./place.ts"),
      "test-e2e/bench/place.ts": importOf("@landscaper/a/testing"),
      "libs/a/test/index.ts": 'export { useBench } from "./bench.ts";',
      "libs/a/test/bench.ts": withJest,
    };
    const exported = new Map([["@landscaper/a/testing", "libs/a/test/index.ts"]]);
    expect(checkJestImports(workspaceOf(files, { exported, programs: ["test-e2e/bench/main.ts"] }))).toEqual([
      "libs/a/test/index.ts: programs and exports of packages may not load " +
        "libs/a/test/index.ts -> libs/a/test/bench.ts -> @jest/globals",
      "test-e2e/bench/main.ts: programs and exports of packages may not load test-e2e/bench/main.ts -> " +
        "test-e2e/bench/place.ts -> libs/a/test/index.ts -> libs/a/test/bench.ts -> @jest/globals",
    ]);
  });

  it.each<readonly [text: string, specifier: string]>([
    ['createRequire(import.meta.url)("@jest/globals");', "@jest/globals"],
    ['const load = createRequire(import.meta.url);\nload("jest-circus/runner");', "jest-circus/runner"],
    ['const x = require("jest");', "jest"],
    ["await import(`@jest/globals`);", "@jest/globals"],
    ['await import(/* x */ "@jest/globals");', "@jest/globals"],
    [importOf("@jest/fake-timers"), "@jest/fake-timers"],
    [importOf("jest-mock"), "jest-mock"],
  ])("reports %s in a module of a program", (text, specifier) => {
    const files = { "test-e2e/bench/main.ts": 'export * from "./y.mjs";', "test-e2e/bench/y.mjs": text };
    expect(checkJestImports(workspaceOf(files, { programs: ["test-e2e/bench/main.ts"] }))).toEqual([
      "test-e2e/bench/main.ts: programs and exports of packages may not load " +
        `test-e2e/bench/main.ts -> test-e2e/bench/y.mjs -> ${specifier}`,
    ]);
  });

  it("lets jest's own modules import jest, but no program that loads them", () => {
    const files = {
      "scripts/a.ts": importOf("./run/runner.mjs"),
      "scripts/run/runner.mjs": 'new URL("./globals.mjs", here);\nrequire("jest-circus/runner");',
      "scripts/run/globals.mjs": importOf("@jest/fake-timers"),
    };
    const jestModules = ["scripts/run/runner.mjs"];
    const check = (programs: readonly string[]) => checkJestImports(workspaceOf(files, { jestModules, programs }));
    expect(check(["scripts/run/runner.mjs", "scripts/run/globals.mjs"])).toEqual([]);
    expect(check(["scripts/a.ts"])).toEqual([
      "scripts/a.ts: programs and exports of packages may not load scripts/a.ts -> scripts/run/runner.mjs -> jest-circus/runner",
    ]);
  });

  it.each([
    'new URL("../test/a-worker.ts", import.meta.url)',
    'new URL(isSource ? "../test/a-worker.ts" : "./a-worker.mjs", import.meta.url)',
  ])("reports a thread that a test starts by %s", (url) => {
    const files = {
      "libs/a/src/a.test.ts": `${withJest}new Worker(${url});`,
      "libs/a/test/a-worker.ts": withJest,
    };
    expect(checkJestImports(workspaceOf(files))).toEqual([
      "libs/a/test/a-worker.ts: programs and exports of packages may not load libs/a/test/a-worker.ts -> @jest/globals",
    ]);
  });

  it("follows cycles once and reports the shortest chain", () => {
    const files = {
      "scripts/a.ts": importOf("./b.ts"),
      "scripts/b.ts": importOf("./a.ts") + importOf("./c.test.ts"),
      "scripts/c.test.ts": importOf("./b.ts") + withJest,
    };
    expect(checkJestImports(workspaceOf(files, { programs: ["scripts/a.ts"] }))).toEqual([
      "scripts/a.ts: programs and exports of packages may not load " +
        "scripts/a.ts -> scripts/b.ts -> scripts/c.test.ts -> @jest/globals",
    ]);
  });

  it.each(["libs/a/src/a.ts", "libs/testkit/src/a.ts", "scripts/a.ts", "services/a/src/test-bench.ts"])(
    "reports an import of jest in %s",
    (path) => {
      expect(checkJestImports(workspaceOf({ [path]: withJest }))).toEqual([
        `${path}: only *.test.ts files and the test/ folders of packages may import @jest/globals`,
      ]);
    },
  );

  it("reports an import of jest beside a file of a program", () => {
    const files = {
      "test-e2e/bench/main.ts": importOf("../src/items/specs.ts"),
      "test-e2e/src/items/specs.ts": "",
      "test-e2e/src/items/item-suite.ts": withJest,
    };
    expect(checkJestImports(workspaceOf(files, { programs: ["test-e2e/bench/main.ts"] }))).toEqual([
      "test-e2e/src/items/item-suite.ts: test-e2e/src/items/specs.ts beside it is part of test-e2e/bench/main.ts; " +
        "move what imports @jest/globals to a folder that only tests load",
    ]);
  });
});
