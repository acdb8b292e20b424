import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { findSampleFolder } from "../../src/examples/sample-folder.ts";

const find = (folder: string): string | undefined => findSampleFolder({ LANDSCAPER_SAMPLES: folder });

describe("findSampleFolder", () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "landscaper-samples-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (path: string): void => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), "");
  };
  const parts = {
    "samples/charts": ["cases.json", "golden"],
    "samples/ocm": ["ctf-signed", "keys", "normalized-leaf.json"],
    "samples/gotemplate": ["data.json", "snippets.jsonl"],
    "examples/guided-tour": ["basics", "hello-world", "import-export"],
    spec: ["helm.md", "seed-000-blueprints.txt", "seed-001-installations.txt"],
  };
  const files = Object.entries(parts).flatMap(([part, names]) => names.map((name) => `${part}/${name}`));

  it.each([{}, { LANDSCAPER_SAMPLES: "" }])("finds none where none is named: %j", (env) => {
    expect(findSampleFolder(env)).toBeUndefined();
  });

  it("takes a folder that has all parts", () => {
    for (const file of files) write(file);
    expect(find(folder)).toBe(folder);
  });

  it("refuses a folder that is not there", () => {
    expect(() => find(join(folder, "none"))).toThrow(
      `LANDSCAPER_SAMPLES: ${join(folder, "none")}: expected a folder, found nothing`,
    );
  });

  it.each(files)("refuses a folder that lacks %s, and says what is there", (missing) => {
    for (const file of files) if (file !== missing) write(file);
    const [part = ""] = Object.entries(parts).find(([name]) => missing.startsWith(`${name}/`)) ?? [];
    expect(() => find(folder)).toThrow(`LANDSCAPER_SAMPLES: ${join(folder, part)}: expected `);
  });

  it("names the part's folder where it is missing", () => {
    write("samples/readme");
    expect(() => find(folder)).toThrow(
      new Error(`LANDSCAPER_SAMPLES: ${folder}/samples/charts: expected cases.json, found no such folder`),
    );
  });
});
