import { describe, expect, it } from "@jest/globals";
import { checkImports, findImports, findSupportFiles } from "./source-imports.ts";

const pkg = {
  name: "@landscaper/a",
  runtime: ["@landscaper/api"],
  all: ["@landscaper/api", "@landscaper/b", "@landscaper/testkit"],
};

describe("findImports", () => {
  it("finds imports, exports of other files, late imports and threads", () => {
    const text = `import { x } from "./x.ts";
import "./y.ts";
export * from "./z.ts";
const late = await import("@landscaper/api");
const thread = new Worker(new URL("./thread.ts", import.meta.url));
const entry = new URL(isSource ? "./entry.ts" : "./entry.mjs", import.meta.url);
`;
    const urls = ["./thread.ts", "./entry.ts", "./entry.mjs"];
    expect(findImports(text)).toEqual(["./x.ts", "./y.ts", "./z.ts", "@landscaper/api", ...urls]);
  });
});

describe("checkImports", () => {
  it.each<readonly [path: string, specifier: string, problem: string | undefined]>([
    ["src/a.ts", "@landscaper/api", undefined],
    ["src/a.ts", "@landscaper/a", undefined],
    ["src/a.ts", "@landscaper/b", "src/a.ts: @landscaper/b is not a runtime dependency of @landscaper/a"],
    ["src/a.test.ts", "@landscaper/b", undefined],
    ["test/a.ts", "@landscaper/b", undefined],
    ["test/a.ts", "@landscaper/c", "test/a.ts: @landscaper/c is not a dependency of @landscaper/a"],
    ["src/a.test.ts", "@landscaper/b/src/x.ts", "src/a.test.ts: import @landscaper/b, not @landscaper/b/src/x.ts"],
    ["src/a.ts", "@landscaper/testkit", "src/a.ts: only tests may import @landscaper/testkit"],
    ["src/a.ts", "@landscaper/api/testing", "src/a.ts: only tests may import @landscaper/api/testing"],
    ["src/a.test.ts", "@landscaper/testkit", undefined],
    ["test/a.ts", "@landscaper/api/testing", undefined],
    ["src/a/b.ts", "../c.ts", undefined],
    ["src/a/b.ts", "../../test/c.ts", "src/a/b.ts: product code in src/ may not import test/c.ts"],
    ["src/a/b.ts", "../c.test.ts", "src/a/b.ts: product code may not import the tests in src/c.test.ts"],
    ["src/a/b.test.ts", "../../test/c.ts", undefined],
  ])("of %s, %s: %s", (path, specifier, problem) => {
    expect(checkImports(pkg, path, `import { x } from "${specifier}";\n`)).toEqual(
      problem === undefined ? [] : [problem],
    );
  });

  it("lets the sources of the testkit import what tests may import", () => {
    const testkit = { ...pkg, name: "@landscaper/testkit" };
    const text = 'import { x } from "@landscaper/b/testing";\n';
    expect(checkImports(testkit, "src/a.ts", text)).toEqual([]);
  });
});

describe("findSupportFiles", () => {
  it("names the files of src/ that only tests reach", () => {
    const sources = new Map([
      ["src/index.ts", 'export { a } from "./a/a.ts";'],
      ["src/a/a.ts", 'import { b } from "../b.ts"; new URL("./a-thread.ts", import.meta.url);'],
      ["src/b.ts", ""],
      ["src/a/a-thread.ts", ""],
      ["src/modules.d.ts", ""],
      ["src/a/a.test.ts", 'import { c } from "../c.ts"; import { d } from "../../test/d.ts";'],
      ["src/c.ts", ""],
      ["test/d.ts", ""],
    ]);
    expect(findSupportFiles(sources, ["src/index.ts"])).toEqual(["src/c.ts"]);
  });
});
