import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { findStaleFiles } from "./stale-files.ts";

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), "stale-files-"));
  const bundles = ["core", "agent", "gone"].flatMap((name) => [
    `${name}.mjs`,
    `bundles/${name}/packages.json`,
    `bundles/${name}/${name}.mjs`,
    `bundles/${name}/chunk-OLD.mjs`,
    `bundles/${name}/chunk-OLD.mjs.map`,
  ]);
  const files = [...bundles, "prettier.config.mjs", "core.mjs.txt", "bundles/mine/tool.mjs", "bundles/core/notes.txt"];
  for (const file of files) {
    mkdirSync(dirname(join(outdir, file)), { recursive: true });
    writeFileSync(join(outdir, file), "");
  }
});
afterEach(() => rmSync(outdir, { recursive: true }));

const writtenOf = (...names: readonly string[]): string[] =>
  names.flatMap((name) => [`${name}.mjs`, `bundles/${name}/packages.json`, `bundles/${name}/${name}.mjs`]);
const oldChunks = (name: string): string[] => [`bundles/${name}/chunk-OLD.mjs`, `bundles/${name}/chunk-OLD.mjs.map`];

describe("findStaleFiles", () => {
  it("finds old chunks and files of removed programs, but no other files", () => {
    const found = findStaleFiles(outdir, { written: new Set(writtenOf("core", "agent")) });
    const gone = [...writtenOf("gone"), ...oldChunks("gone")];
    expect(found.toSorted()).toEqual([...oldChunks("agent"), ...oldChunks("core"), ...gone].toSorted());
  });

  it("finds old chunks of the named programs only", () => {
    const found = findStaleFiles(outdir, { written: new Set(writtenOf("core")), programs: ["core"] });
    expect(found.toSorted()).toEqual(oldChunks("core"));
  });

  it("finds nothing in a folder without bundles", () => {
    rmSync(join(outdir, "bundles"), { recursive: true });
    expect(findStaleFiles(outdir, { written: new Set() })).toEqual([]);
  });
});
