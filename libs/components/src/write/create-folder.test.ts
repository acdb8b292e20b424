import { afterAll, expect, it } from "@jest/globals";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFolder } from "./create-folder.ts";

const scratch = mkdtempSync(join(tmpdir(), "create-folder-"));
afterAll(() => rmSync(scratch, { recursive: true }));
const file = join(scratch, "file");
writeFileSync(file, "");
const link = join(scratch, "link");
symlinkSync(join(scratch, "absent"), link);

it("creates a folder and those above it, and leaves existing ones", () => {
  const folder = join(scratch, "a/b/c");
  createFolder(folder);
  createFolder(folder);
  expect(statSync(folder).isDirectory()).toBe(true);
});

it.each([
  ["/proc/landscaper-test/new", "its file system does not allow new folders"],
  [file, "a file or a broken link is in the way"],
  [join(file, "below"), "a file or a broken link is in the way"],
  [link, "a file or a broken link is in the way"],
])("refuses %s", (path, problem) => {
  expect(() => createFolder(path)).toThrow(
    expect.objectContaining({
      message: `cannot create the folder ${path}: ${problem}`,
      hint: "choose a folder that you may write to",
    }),
  );
});
