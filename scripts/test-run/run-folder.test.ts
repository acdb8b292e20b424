import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it } from "@jest/globals";
import { makeRunFolder } from "./run-folder.ts";

it("removes the folders of ended processes and no others", () => {
  const parent = mkdtempSync(join(tmpdir(), "run-folder-"));
  const others = ["landscaper-test-run-2-b", "landscaper-test-1-c", "landscaper-test-components-1", "x"];
  for (const name of [...others, "landscaper-test-run-1-a"]) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, "results.json"), "");
  }
  const made = makeRunFolder(parent, (pid) => pid !== 1);
  expect(basename(made)).toMatch(new RegExp(`^landscaper-test-run-${process.pid}-`));
  expect(readdirSync(parent).toSorted()).toEqual([...others, basename(made)].toSorted());
  rmSync(parent, { recursive: true });
});

it("keeps its own folders", () => {
  const parent = mkdtempSync(join(tmpdir(), "run-folder-"));
  const made = [makeRunFolder(parent), makeRunFolder(parent)].map((folder) => basename(folder));
  expect(readdirSync(parent).toSorted()).toEqual(made.toSorted());
  rmSync(parent, { recursive: true });
});
