import { expect, it } from "@jest/globals";
import { productVersion } from "@landscaper/api";
import { runProgram } from "../../test/program.ts";

it.each([
  [["--version"], `landscaper ${productVersion}\n`],
  [["version"], `landscaper ${productVersion} (node ${process.versions.node})\n`],
])("landscaper %j prints the version", async (words, stdout) => {
  expect(await runProgram(words)).toEqual({ stdout, stderr: "", exitCode: 0 });
});

it("leaves --version behind a command to the command", async () => {
  const outcome = await runProgram(["helm", "template", "web", "./none", "--version", "0.1.0"]);
  expect([outcome.stdout, outcome.exitCode]).toEqual(["", 1]);
});
