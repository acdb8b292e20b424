import type { HelmVersion } from "@landscaper/helm";
import type { HelmFlag } from "./template/template-flags.ts";

const versionProblem = (value: string): string | undefined =>
  value === "3" || value === "4" ? undefined : "expected 3 or 4, the major version of Helm";

/** Major version of Helm whose charts, output, flags and errors a command follows. */
export const helmFlag = {
  name: "helm",
  kind: "text",
  check: versionProblem,
  treatment: "used",
  help: "<version> 3 or 4: work as this major version of Helm (default: 3)",
} as const satisfies HelmFlag;

const defaultVersion: HelmVersion = "3";

/**
 * Returns the version that the words of a command line choose. Needs unparsed words, because the version decides which other flags exist. An
 * invalid version counts as the default; the parser refuses it later.
 */
export function versionOfWords(words: readonly string[]): HelmVersion {
  const end = words.indexOf("--");
  const flags = end < 0 ? words : words.slice(0, end);
  const at = flags.findLastIndex((word) => word === "--helm" || word.startsWith("--helm="));
  const value = flags[at] === "--helm" ? flags[at + 1] : flags[at]?.slice("--helm=".length);
  return value === "3" || value === "4" ? value : defaultVersion;
}

/** Returns the version that parsed flags choose. */
export function versionOfFlags(parsed: { text(name: string): string | undefined }): HelmVersion {
  return parsed.text(helmFlag.name) === "4" ? "4" : defaultVersion;
}
