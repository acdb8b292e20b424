import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { explainParseError, explainTakenFlags } from "./command-line.ts";

const module = join(import.meta.dirname, "command-line.ts");

/** Runs a program with the flag --a that prints its parsed command line. */
function call(acceptsPositionals: boolean, ...words: readonly string[]) {
  return callIn({}, acceptsPositionals, words);
}

function callIn(variables: Readonly<Record<string, string>>, acceptsPositionals: boolean, words: readonly string[]) {
  const program = `const { readCommandLine } = await import(${JSON.stringify(module)});
    const read = readCommandLine({ usage: "usage: p [--a]", options: { a: { type: "boolean" } }, acceptsPositionals: ${acceptsPositionals} });
    console.log(JSON.stringify(read));`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", program, "--", ...words],
    {
      encoding: "utf8",
      env: { ...process.env, ...variables },
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

describe("flags that npm has taken", () => {
  const script = { npm_lifecycle_event: "demo" };
  const flags = ["keep", "dry-run", "registry"];

  it.each<[Readonly<Record<string, string>>, string | undefined]>([
    [{ ...script, npm_config_keep: "true" }, "npm has taken --keep: write npm run demo -- --keep"],
    [
      { ...script, npm_config_keep: "true", npm_config_dry_run: "true" },
      "npm has taken --keep, --dry-run: write npm run demo -- --keep --dry-run",
    ],
    [{ ...script, npm_config_registry: "https://registry.example/", npm_config_yes: "true" }, undefined],
    [{ ...script, npm_config_keep: "", npm_config_dry_run: "false" }, undefined],
    [{ npm_config_keep: "true" }, undefined],
  ])("in %j", (environment, message) => {
    expect(explainTakenFlags(flags, environment)).toBe(message);
  });

  it("end the program with 2", () => {
    expect(callIn({ npm_lifecycle_event: "p", npm_config_a: "true" }, true, ["word"])).toEqual({
      status: 2,
      stdout: "",
      stderr: "npm has taken --a: write npm run p -- --a\nusage: p [--a]\n",
    });
  });
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
  ])("explains %j", (args, message) => {
    expect(messageOf(...args)).toBe(message);
  });

  it("keeps the message of another error", () => {
    expect(explainParseError(new Error("no test file matches x"))).toBe("no test file matches x");
  });
});
