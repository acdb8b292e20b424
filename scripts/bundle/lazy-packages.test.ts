import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { build } from "esbuild";
import { lazyPackages } from "./lazy-packages.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "lazy-packages-"));
  mkdirSync(join(root, "node_modules/late"), { recursive: true });
  writeFileSync(join(root, "node_modules/late/package.json"), '{ "type": "module", "exports": "./index.js" }');
  writeFileSync(
    join(root, "node_modules/late/index.js"),
    '(globalThis.order ??= []).push("evaluated");\nexport const late = "late";\n',
  );
  writeFileSync(
    join(root, "main.js"),
    'import { late } from "late";\nglobalThis.order = [];\norder.push("started");\norder.push(late, late);\n',
  );
});
afterEach(() => rmSync(root, { recursive: true }));

describe("lazyPackages", () => {
  it("evaluates a package once, when one of its exports is first used", async () => {
    const plugins = [lazyPackages(["late"])];
    const outfile = join(root, "out.mjs");
    await build({ absWorkingDir: root, entryPoints: ["main.js"], outfile, bundle: true, format: "esm", plugins });
    await import(outfile);
    expect(Reflect.get(globalThis, "order")).toEqual(["started", "evaluated", "late", "late"]);
  });
});
