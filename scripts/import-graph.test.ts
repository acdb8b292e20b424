import { describe, expect, it } from "@jest/globals";
import { distancesTo, findLoads, findThreads, reachedFrom, type Modules } from "./import-graph.ts";

describe("findLoads", () => {
  it.each<readonly [what: string, text: string, loads: readonly string[]]>([
    ["an import", 'import { x } from "./x.ts";', ["./x.ts"]],
    ["an import of several lines", 'import {\n  x,\n  y,\n} from "./x.ts";', ["./x.ts"]],
    ["an import for its effect", 'import "./x.ts";', ["./x.ts"]],
    ["an export of another file", 'export * from "./x.ts";\nexport { y } from "./y.ts";', ["./x.ts", "./y.ts"]],
    ["a late import", 'const x = await import("./x.ts");', ["./x.ts"]],
    ["a thread", 'new Worker(new URL("./x.ts", import.meta.url));', ["./x.ts"]],
    [
      "a thread with another path in a bundle",
      'new URL(import.meta.url.endsWith(".ts") ? "./x.ts" : "./x.mjs", import.meta.url);',
      ["./x.ts", "./x.mjs"],
    ],
    [
      "a thread over several lines",
      'new URL(\n  isSource() ? "../x.ts" : "./x.mjs",\n  here,\n);',
      ["../x.ts", "./x.mjs"],
    ],
    ["a URL of a server", 'new URL("https://example.com/./x.ts");', []],
    ["a late import of a template", "const x = await import(`./x.ts`);", ["./x.ts"]],
    [
      "a late import behind comments",
      'import(/* x */ "./x.ts");\nimport(\n  // y\n  "./y.ts"\n);',
      ["./x.ts", "./y.ts"],
    ],
    [
      "an import with a comment that has a semicolon",
      'import {\n  // x; y\n  x /* ; */,\n} from "./x.ts";',
      ["./x.ts"],
    ],
    ["an import behind a comment", '/* x */ import "./x.ts";\n/* y */ export * from "./y.ts";', ["./x.ts", "./y.ts"]],
    ["an import of a type behind a URL", 'export const url = "https://x";\nimport type { T } from "./t.ts";', []],
    [
      "an import with a comment before the path",
      'import { a } from /* why */ "./x.ts";\nimport /* y */ "./y.ts";',
      ["./x.ts", "./y.ts"],
    ],
    ["an import behind a comment of several lines", '/* x\n y */ import "./x.ts";', ["./x.ts"]],
    ["an import with the name type", 'import type from "./x.ts";\nimport type { T } from "./t.ts";', ["./x.ts"]],
    ["a late import with a space", 'const x = await import ("./x.ts");', ["./x.ts"]],
    ["a line of many comments", `${"/* a */ ".repeat(2000)}const x = 1;`, []],
    ["an import behind a byte order mark", '\uFEFFimport "./x.ts";', ["./x.ts"]],
    ["a require with a type", 'const load: NodeJS.Require = createRequire(import.meta.url);\nload("x");', ["x"]],
    ["a call of require", 'const x = require("x");\nconst y = createRequire(import.meta.url)("y");', ["x", "y"]],
    [
      "a require of another name",
      'const load = createRequire(file(import.meta.url));\nload("x");\nloaded("y");',
      ["x"],
    ],
    ["an import with one type among values", 'import { type X, y } from "./x.ts";', ["./x.ts"]],
    ["an import of types", 'import type { X } from "./x.ts";\nexport type { Y } from "./y.ts";', []],
    ["an export of its own", 'export const x = 1;\nconst from = "./x.ts";', []],
    ["a text that a generator writes", 'return `import { it } from "@jest/globals";`;', []],
  ])("of %s", (_what, text, loads) => {
    expect(findLoads(text)).toEqual(loads);
  });
});

describe("distancesTo", () => {
  const importOf = (...specifiers: readonly string[]): string =>
    specifiers.map((specifier) => `import { x } from "${specifier}";\n`).join("");
  const modules: Modules = {
    files: new Map([
      ["libs/a/src/index.ts", 'export { x } from "./x.ts";'],
      ["libs/a/src/x.ts", ""],
      ["libs/a/src/x.test.ts", importOf("./x.ts")],
      ["libs/a/src/y.test.ts", importOf("./y.ts")],
      ["libs/a/src/y.ts", importOf("./z.ts")],
      ["libs/a/src/z.ts", importOf("./y.ts")],
      ["libs/b/src/b.test.ts", importOf("@landscaper/a", "yaml")],
    ]),
    exported: new Map([["@landscaper/a", "libs/a/src/index.ts"]]),
  };

  it("counts the imports to the nearest target, through the exports of packages", () => {
    expect(Object.fromEntries(distancesTo(modules, ["libs/a/src/x.ts"]))).toEqual({
      "libs/a/src/x.ts": 0,
      "libs/a/src/x.test.ts": 1,
      "libs/a/src/index.ts": 1,
      "libs/b/src/b.test.ts": 2,
    });
  });

  it("finds the importers of a deleted target", () => {
    const files = new Map([["libs/a/src/x.test.ts", importOf("./gone.ts")]]);
    expect(Object.fromEntries(distancesTo({ files, exported: new Map() }, ["libs/a/src/gone.ts"]))).toEqual({
      "libs/a/src/gone.ts": 0,
      "libs/a/src/x.test.ts": 1,
    });
  });

  it("ends on a cycle of imports", () => {
    expect(Object.fromEntries(distancesTo(modules, ["libs/a/src/z.ts"]))).toEqual({
      "libs/a/src/z.ts": 0,
      "libs/a/src/y.ts": 1,
      "libs/a/src/y.test.ts": 2,
    });
  });
});

describe("reachedFrom", () => {
  it("follows imports, threads and cycles", () => {
    const files = new Map([
      ["scripts/a.ts", 'import "./b.ts";'],
      ["scripts/b.ts", 'import "./a.ts";\nnew URL("./c.ts", here);'],
      ["scripts/c.ts", ""],
      ["scripts/d.ts", 'import "./a.ts";'],
    ]);
    const modules: Modules = { files, exported: new Map() };
    expect([...reachedFrom(modules, ["scripts/a.ts"])]).toEqual(["scripts/a.ts", "scripts/b.ts", "scripts/c.ts"]);
  });
});

describe("findThreads", () => {
  it("returns the modules of the workspace that a URL names", () => {
    const files = new Map([
      [
        "libs/a/src/a.ts",
        'new URL(isSource ? "./a-thread.ts" : "./a-thread.mjs", here);\nnew URL("./page.html", here);',
      ],
      ["libs/a/src/a-thread.ts", ""],
    ]);
    expect(findThreads({ files })).toEqual(["libs/a/src/a-thread.ts"]);
  });
});
