import { describe, expect, it } from "@jest/globals";
import { runProgram } from "../test/program.ts";
import type { ProgramContext } from "./command.ts";
import { createOutput } from "./output/create-output.ts";
import { createProgram } from "./program.ts";

const ignore = (): void => undefined;
const context: ProgramContext = {
  ...createOutput({ out: ignore, outBytes: async () => Promise.resolve(), err: ignore, environment: {} }),
  readStdin: async () => Promise.resolve(""),
  signal: new AbortController().signal,
  environment: {},
  now: () => 0,
  schedule: () => ignore,
};

const namesFor = (...words: string[]): string[] => createProgram(context, words).commands.map((one) => one.name());

describe("createProgram", () => {
  it("creates only the command that the first word names", () => {
    expect(namesFor("tree", "inst/app")).toEqual(["tree"]);
  });

  it("creates only the called command of a group", () => {
    const [group] = createProgram(context, ["helm", "template", "chart"]).commands;
    expect(group?.commands.map((one) => one.name())).toEqual(["template"]);
  });

  it("creates all commands of a group if the second word names none of them", () => {
    const [group] = createProgram(context, ["helm", "--help"]).commands;
    expect(group?.commands.map((one) => one.name())).toEqual(["template", "diff", "versions"]);
  });

  it.each([[["--help"]], [["help", "tree"]], [["tre"]], [[]]])("creates all commands for %j", (words) => {
    expect(namesFor(...words)).toEqual(expect.arrayContaining(["tree", "why", "helm", "version"]));
  });

  it("suggests a command for a misspelt name", async () => {
    expect((await runProgram(["tre"])).stderr).toContain("(Did you mean tree?)");
    expect((await runProgram(["helm", "templat"])).stderr).toContain("(Did you mean template?)");
  });

  it("says where an option belongs that precedes the command of a group", async () => {
    const { stderr, exitCode } = await runProgram(["helm", "--helm", "4", "template", "chart"]);
    expect(stderr).toBe(
      "error: unknown option '--helm'\nWrite the option after the command, as in: landscaper helm template --helm\n",
    );
    expect(exitCode).toBe(2);
    expect((await runProgram(["helm", "--nope", "template"])).stderr).toBe("error: unknown option '--nope'\n");
  });
});
