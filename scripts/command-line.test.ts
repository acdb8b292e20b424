import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { explainParseError } from "./command-line.ts";

const module = join(import.meta.dirname, "command-line.ts");

/** Runs a program with the flag --a that prints its parsed command line. */
function call(acceptsPositionals: boolean, ...words: readonly string[]) {
  const program = `const { readCommandLine } = await import(${JSON.stringify(module)});
    const read = readCommandLine({ usage: "usage: p [--a]", options: { a: { type: "boolean" } }, acceptsPositionals: ${acceptsPositionals} });
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
  it("parses flags and positional arguments", () => {
    const { status, stdout } = call(true, "--a", "word");
    expect({ status, read: JSON.parse(stdout) as unknown }).toEqual({
      status: 0,
      read: { values: { a: true }, positionals: ["word"] },
    });
  });

  it("prints the usage for --help, and exits with 0", () => {
    expect(call(true, "word", "--help")).toEqual({ status: 0, stdout: "usage: p [--a]\n", stderr: "" });
  });

  it.each<[acceptsPositionals: boolean, word: string, message: RegExp]>([
    [true, "--b", /^unknown flag --b\nusage: p \[--a\]\n$/],
    [false, "word", /^Unexpected argument 'word'.*\nusage: p \[--a\]\n$/],
  ])(
    "exits with 2 for unknown flags and unexpected arguments (accepts positional arguments: %s)",
    (acceptsPositionals, word, message) => {
      expect(call(acceptsPositionals, word)).toEqual({ status: 2, stdout: "", stderr: expect.stringMatching(message) });
    },
  );
});

describe("explainParseError", () => {
  const options = { rounds: { type: "string", short: "r" }, dry: { type: "boolean" } } as const;
  const messageOf = (...args: readonly string[]): string => {
    try {
      parseArgs({ args: [...args], options });
      return "";
    } catch (error) {
      return explainParseError(error);
    }
  };

  it.each([
    [["--rouns"], "unknown flag --rouns"],
    [["--rounds"], "--rounds: expected a value, found none"],
    [["--dry=1"], "Option '--dry' does not take an argument"],
  ])("of %j", (args, message) => {
    expect(messageOf(...args)).toBe(message);
  });

  it("keeps the message of another error", () => {
    expect(explainParseError(new Error("no test file matches x"))).toBe("no test file matches x");
  });
});
