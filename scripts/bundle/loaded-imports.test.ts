import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { build, type BuildOptions, type Metafile } from "esbuild";
import { loadedImports } from "./loaded-imports.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loaded-imports-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

/** Bundles main.ts with the plugin. */
async function bundle(): Promise<Metafile> {
  const options = {
    absWorkingDir: root,
    entryPoints: ["main.ts"],
    outdir: "out",
    bundle: true,
    splitting: true,
    format: "esm",
    metafile: true,
  } as const satisfies BuildOptions;
  const { metafile } = await build({ ...options, write: false });
  const { plugin } = loadedImports({ metafile, started: new Set(["main.ts"]), lean: new Set() }, root);
  return (await build({ ...options, plugins: [plugin] })).metafile;
}

/** Returns the source files of each output file that has code. */
function groupsOf({ outputs }: Metafile): readonly string[] {
  const groups = Object.values(outputs).map(({ inputs }) =>
    Object.entries(inputs).filter(([name, { bytesInOutput }]) => bytesInOutput > 0 && !name.includes(":")),
  );
  return groups
    .map((group) =>
      group
        .map(([name]) => name)
        .toSorted()
        .join(" "),
    )
    .filter((group) => group !== "")
    .toSorted();
}

/** Returns code that is too large to be joined with other code. */
const large = (name: string): string => `export const ${name} = () => ${JSON.stringify("x".repeat(90_000))};\n`;

describe("loadedImports", () => {
  it("keeps the files of a program's start in one file, even if commands use only some of them", async () => {
    write({
      "main.ts":
        'import { one } from "./one.ts";\nimport { two } from "./two.ts";\none(); two();\nawait import("./tree.ts"); await import("./why.ts");\n',
      "one.ts": large("one"),
      "two.ts": large("two"),
      "tree.ts": 'import { one } from "./one.ts";\nexport const tree = one;\n',
      "why.ts": 'import { two } from "./two.ts";\nexport const why = two;\n',
    });
    expect(groupsOf(await bundle())).toEqual(["main.ts", "one.ts two.ts", "tree.ts", "why.ts"]);
  });

  it("does not count a file as loaded if only one of two importers loads it", async () => {
    write({
      "main.ts": 'await import("./tree.ts"); await import("./why.ts");\n',
      "one.ts": large("one"),
      "two.ts": large("two"),
      "tree.ts": 'import { one } from "./one.ts";\nexport const tree = one;\nawait import("./late.ts");\n',
      "why.ts": 'import { two } from "./two.ts";\nexport const why = two;\nawait import("./late.ts");\n',
      "late.ts": 'import { one } from "./one.ts";\nexport const late = one;\n',
    });
    expect(groupsOf(await bundle())).toEqual(["late.ts", "main.ts", "one.ts", "tree.ts", "two.ts why.ts"]);
  });

  it("evaluates CommonJS modules when they are first required, and keeps all exports of an entry", async () => {
    write({
      "main.ts":
        'globalThis.log = ["main"];\nconst { default: tree, why } = await import("./tree.ts");\nlog.push(tree, why);\n',
      "tree.ts": 'import { late } from "./late.ts";\nexport default "tree";\nexport const why = "why";\nlate();\n',
      "late.ts": 'export const late = () => { log.push("late"); require("./common.js"); };\n',
      "common.js": 'log.push("common"); module.exports = {};\n',
    });
    await bundle();
    const program = (await import(join(root, "out/main.js"))) as object;
    expect(program).toBeDefined();
    expect(Reflect.get(globalThis, "log")).toEqual(["main", "late", "common", "tree", "why"]);
  });
});
