import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { type Outcome, runProgram } from "../../test/program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-lent-"));
  mkdirSync(join(folder, "lent/sub"), { recursive: true });
  writeFileSync(join(folder, "lent/a.yaml"), "key: value\n");
  writeFileSync(join(folder, "lent/sub/b.txt"), "text");
  writeFileSync(join(folder, "secret.txt"), "secret");
  symlinkSync("sub/b.txt", join(folder, "lent/inside"));
  symlinkSync("nowhere", join(folder, "lent/dangling"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function evaluate(expression: string, ...words: readonly string[]): Promise<Outcome> {
  const readStdin = async (): Promise<string> => Promise.resolve(`r: (( ${expression} ))\n`);
  return await runProgram(["spiff", "merge", "-", ...words], { readStdin });
}

describe("spiff merge --files", () => {
  it.each([
    ['read("a.yaml").key', "r: value\n"],
    ['read("/sub/b.txt")', "r: text\n"],
    ['read("sub/../a.yaml", "text")', "r: |+\n  key: value\n"],
    ['read("inside", "text")', "r: text\n"],
    ['list_files(".")', "r:\n- a.yaml\n- inside\n"],
    ['list_dirs("/")', "r:\n- sub\n"],
    ['lookup_file("b.txt", ".", "sub")', "r:\n- sub/b.txt\n"],
  ])("lends the files below a folder to %s", async (expression, stdout) => {
    expect(await evaluate(expression, "--files", join(folder, "lent"))).toEqual({ exitCode: 0, stdout, stderr: "" });
  });

  it("lends them to --evaluate", async () => {
    const words = ["--files", join(folder, "lent"), "--evaluate", 'read("a.yaml").key'];
    expect(await evaluate("1", ...words)).toMatchObject({ exitCode: 0, stdout: "value\n" });
  });

  it.each(['read("../secret.txt")', 'read("nowhere")', 'read("dangling")', 'read("sub")'])(
    "finds no file for %s",
    async (expression) => {
      const { exitCode, stdout, stderr } = await evaluate(expression, "--files", join(folder, "lent"));
      expect([exitCode, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/read: error reading \[.*\]: no such file/);
    },
  );

  it.each([
    'read("out")',
    'read("far/secret.txt")',
    'list_files(".")',
    'lookup_file("out", ".")',
    'read("out") || "x"',
  ])("refuses links that lead out of the folder for %s", async (expression) => {
    symlinkSync("../secret.txt", join(folder, "lent/out"));
    symlinkSync(folder, join(folder, "lent/far"));
    const { exitCode, stdout, stderr } = await evaluate(expression, "--files", join(folder, "lent"));
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/--files: (?:far|out|far\/secret\.txt): the link leads out of .*\/lent\n$/);
  });

  it("lends nothing without the flag", async () => {
    expect((await evaluate('read("a.yaml")')).stderr).toMatch("read: there are no files here");
  });

  it("wants a folder", async () => {
    for (const path of ["/nowhere", join(folder, "secret.txt")]) {
      const { exitCode, stderr } = await evaluate("1", "--files", path);
      expect([exitCode, stderr.slice(20)]).toEqual([1, `--files: ${path} is not a folder\n`]);
    }
  });
});
