import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { bundledFiles, bundledPackages, licenseOf } from "./bundled-packages.ts";

type Outputs = Parameters<typeof bundledFiles>[0]["outputs"];

/** Outputs of esbuild, by the bytes that each of their inputs has in them. */
function outputsOf(...inputs: readonly Readonly<Record<string, number>>[]): Outputs {
  return Object.fromEntries(
    inputs.map((each, index) => [
      `dist/${index}.mjs`,
      {
        bytes: 1,
        imports: [],
        exports: [],
        inputs: Object.fromEntries(Object.entries(each).map(([file, bytesInOutput]) => [file, { bytesInOutput }])),
      },
    ]),
  );
}

describe("bundledFiles", () => {
  it("names each file once whose code is in an output, by its path without a plugin's namespace", () => {
    const outputs = outputsOf(
      { "src/main.ts": 10, "src/types.ts": 0 },
      { "src/main.ts": 5, "named-exports:/a/b.js": 1 },
    );
    expect(bundledFiles({ outputs })).toEqual(["/a/b.js", "src/main.ts"]);
  });
});

describe("licenseOf", () => {
  it.each([
    [{ license: "MIT" }, "MIT"],
    [{ license: { type: "ISC" } }, "ISC"],
    [{ licenses: [{ type: "MIT" }] }, "MIT"],
    [{ licenses: [{ type: "MIT" }, { type: "Apache-2.0" }] }, "(MIT OR Apache-2.0)"],
    [{}, undefined],
  ])("reads %j", (manifest, license) => {
    expect(licenseOf(manifest)).toBe(license);
  });
});

describe("bundledPackages", () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "bundled-"));
    const files = {
      "package.json": { name: "workspace", version: "1.0.0" },
      "libs/own/package.json": { name: "@landscaper/own" },
      "libs/own/src/index.ts": "",
      "node_modules/.pnpm/ajv@8.20.0/node_modules/ajv/package.json": { name: "ajv", version: "8.20.0", license: "MIT" },
      "node_modules/.pnpm/ajv@8.20.0/node_modules/ajv/dist/package.json": { type: "module" },
      "node_modules/.pnpm/ajv@8.20.0/node_modules/ajv/dist/ajv.js": "",
      "node_modules/.pnpm/bare@1.0.0/node_modules/bare/package.json": { name: "bare", version: "1.0.0" },
      "node_modules/.pnpm/bare@1.0.0/node_modules/bare/index.js": "",
      "node_modules/.pnpm/unused@1.0.0/node_modules/unused/package.json": { name: "unused", version: "1.0.0" },
      "node_modules/.pnpm/unused@1.0.0/node_modules/unused/index.js": "",
    };
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), JSON.stringify(content));
    }
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it("names the packages of others by their package.json, not one of a folder below it, and what has no file not at all", () => {
    const packages = "node_modules/.pnpm";
    const outputs = outputsOf({
      "libs/own/src/index.ts": 1,
      [`named-exports:${join(root, packages, "bare@1.0.0/node_modules/bare/index.js")}`]: 3,
      [`${packages}/ajv@8.20.0/node_modules/ajv/dist/ajv.js`]: 2,
      [`${packages}/unused@1.0.0/node_modules/unused/index.js`]: 0,
      "builtin:node:fs": 4,
    });
    expect(bundledPackages({ outputs }, root)).toEqual([
      { name: "ajv", version: "8.20.0", license: "MIT" },
      { name: "bare", version: "1.0.0" },
    ]);
  });
});
