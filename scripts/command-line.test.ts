import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";

const module = join(import.meta.dirname, "command-line.ts");

/** What a program with one flag, and words where `takesWords`, makes of a command line. */
function call(takesWords: boolean, ...words: readonly string[]) {
  const program = `const { readCommandLine } = await import(${JSON.stringify(module)});
    const read = readCommandLine({ usage: "usage: p [--a]", options: { a: { type: "boolean" } }, takesWords: ${takesWords} });
    console.log(JSON.stringify(read));`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", program, "--", ...words],
    {
      encoding: "utf8",
    },
  );
  return { status, stdout, stderr };
}

describe("readCommandLine", () => {
  it("reads flags and words", () => {
    const { status, stdout } = call(true, "--a", "word");
    expect({ status, read: JSON.parse(stdout) as unknown }).toEqual({
      status: 0,
      read: { values: { a: true }, positionals: ["word"] },
    });
  });

  it("prints the usage for --help, and ends with 0", () => {
    expect(call(true, "word", "--help")).toEqual({ status: 0, stdout: "usage: p [--a]\n", stderr: "" });
  });

  it.each<[takesWords: boolean, word: string, message: RegExp]>([
    [true, "--b", /^Unknown option '--b'.*\nusage: p \[--a\]\n$/],
    [false, "word", /^Unexpected argument 'word'.*\nusage: p \[--a\]\n$/],
  ])("says what it does not have, and ends with 2 (words: %s)", (takesWords, word, message) => {
    expect(call(takesWords, word)).toEqual({ status: 2, stdout: "", stderr: expect.stringMatching(message) });
  });
});
