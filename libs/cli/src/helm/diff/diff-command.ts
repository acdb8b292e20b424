import { parseDiffWords } from "./diff-flags.ts";
import { runHelmCommand } from "../helm-command.ts";
import { runDiff } from "./run-diff.ts";

/** `landscaper helm diff`. */
export const runDiffCommand = runHelmCommand({
  parse: parseDiffWords,
  run: runDiff,
  // Differences have 1, as of `landscaper diff`.
  failureCode: 2,
});
