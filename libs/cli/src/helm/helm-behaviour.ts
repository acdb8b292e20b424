import { loadDialect, type HelmDialect, type HelmVersion } from "@landscaper/helm";
import type { CommandContext } from "../command.ts";
import type { ParsedFlags } from "../flags/parse-flags.ts";
import { versionOfFlags } from "./helm-flag.ts";
import { HelmFailure } from "./helm-failure.ts";
import { type HelmProblem, type HelmWords, loadWords } from "./words/helm-words.ts";

/** Dialect and texts of the chosen version of Helm. */
export interface HelmBehaviour {
  readonly dialect: HelmDialect;
  readonly words: HelmWords;
}

/** Loads the behaviour of a version, by default of the one that --helm names. */
export async function loadBehaviour(
  parsed: ParsedFlags,
  version: HelmVersion = versionOfFlags(parsed),
): Promise<HelmBehaviour> {
  const [dialect, words] = await Promise.all([loadDialect(version), loadWords(version)]);
  return { dialect, words };
}

/** Writes the line that Helm logs before a failure, and returns the failure. */
export function helmFailure(
  { logLine, message }: HelmProblem,
  { writeError }: Pick<CommandContext, "writeError">,
): HelmFailure {
  if (logLine !== undefined) writeError(logLine);
  return new HelmFailure(message);
}
