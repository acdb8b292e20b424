import { expect, it } from "@jest/globals";
import { runProgram } from "../test/program.ts";

it.each([
  ["why installation shop", "write installation/shop"],
  ["why di shop-x", "write di/shop-x"],
  ["reconcile inst shop", "write inst/shop"],
  ["interrupt executions shop", "write executions/shop"],
  ["delete installation shop", "write installation/shop"],
  ["logs deployitem shop-x", "write deployitem/shop-x"],
])("%s suggests one word for kind and name", async (words, remedy) => {
  const { stdout, stderr, exitCode } = await runProgram(words.split(" "));
  const [command = "", ...rest] = words.split(" ");
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: "",
    stderr: `error: too many arguments for '${command}'. Expected 1 argument but got 2: ${rest.join(", ")}.\n${remedy}\n`,
    exitCode: 2,
  });
});

it.each(["why pod shop", "why inst shop other", "tree inst shop"])("%s suggests nothing", async (words) => {
  expect((await runProgram(words.split(" "))).stderr).toMatch(/^error: too many arguments .*\.\n$/);
});
