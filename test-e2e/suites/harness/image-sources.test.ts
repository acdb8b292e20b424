import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { hashImageSources } from "../../images/image-sources.ts";

const root = join(import.meta.dirname, "../../..");

describe("the hash of what images are built from", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "image-sources-"));
    for (const file of ["package.json", "pnpm-lock.yaml", ".dockerignore"])
      cpSync(join(root, file), join(folder, file));
    write("libs/api/src/index.ts", "export {};\n");
    write("services/mock-deployer/Dockerfile", "FROM scratch\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  it.each([
    ["a source", "libs/api/src/index.ts"],
    ["a new source", "libs/new/src/index.ts"],
    ["a Dockerfile", "services/mock-deployer/Dockerfile"],
    ["the lock file", "pnpm-lock.yaml"],
    ["a script", "scripts/images/node.Dockerfile"],
  ])("is another one with another text of %s", (_title, path) => {
    const before = hashImageSources(folder);
    write(path, "another\n");
    expect(hashImageSources(folder)).not.toBe(before);
  });

  it.each([
    ["a test", "libs/api/src/index.test.ts"],
    ["what was compiled", "libs/api/dist/index.d.ts"],
    ["a package", "libs/api/node_modules/typebox/index.js"],
    ["a suite", "test-e2e/suites/new.test.ts"],
    ["the documentation", "docs/guide/images.md"],
  ])("stays with another text of %s, which no build sees", (_title, path) => {
    const before = hashImageSources(folder);
    write(path, "another\n");
    expect(hashImageSources(folder)).toBe(before);
  });

  it("knows all that .dockerignore lets into a build", () => {
    const lines = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
    const sources = lines.filter((line) => line.startsWith("!") && !line.startsWith("!.cache/"));
    expect(sources.map((line) => line.slice(1)).filter((name) => !changes(name))).toEqual([]);
  });

  function changes(name: string): boolean {
    const before = hashImageSources(folder);
    write(/\.\w+$/.test(name) ? name : `${name}/new/file.ts`, "another\n");
    return hashImageSources(folder) !== before;
  }
});
