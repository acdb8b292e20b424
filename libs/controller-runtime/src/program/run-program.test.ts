import { expect, it } from "@jest/globals";
import { answerArguments } from "./run-program.ts";

const usage = { name: "prepare", version: "1.2.3", purpose: "Prepares files. The deployer starts it." };
const help = "usage: prepare [--help] [--version]\n\nPrepares files. The deployer starts it.\n";

it.each([
  [[], undefined],
  [["--version"], { text: "prepare 1.2.3\n", exitCode: 0 }],
  [["--help"], { text: help, exitCode: 0 }],
  [["-h"], { text: help, exitCode: 0 }],
  [["--verison"], { text: `error: expected no arguments, found "--verison"\n${help}`, exitCode: 2 }],
  [["--version", "x"], { text: `error: expected no arguments, found "--version"\n${help}`, exitCode: 2 }],
])("answers %j", (words, answer) => {
  expect(answerArguments(usage, words)).toEqual(answer);
});
