import { runProgram } from "@landscaper/cli/testing";
import type { HelmVersion } from "@landscaper/helm";
import { plainRendering, type RenderingResult, renderingWords } from "@landscaper/helm/testing";
import type * as fc from "fast-check";
import { inFolderOf, runHelm } from "../../../oracles/helm/rendering-recording.ts";
import type { Agreement, FuzzTarget } from "../run-fuzz.ts";
import type { HelmCommand } from "./helm-command.ts";

/** Compares `helm template` with ours for each case: exit code, output, warnings and errors. A case has one process of Helm for each version. */
export function helmCommandTarget(
  cases: fc.Arbitrary<HelmCommand>,
  versions: readonly HelmVersion[],
): FuzzTarget<HelmCommand> {
  return {
    cases,
    compare: async (commands) => {
      const results: Compared[] = [];
      for (const command of commands) results.push(await differenceOf(command, versions));
      return results;
    },
  };
}

type Compared = string | Agreement | undefined;

async function differenceOf(command: HelmCommand, versions: readonly HelmVersion[]): Promise<Compared> {
  const each = { words: ["rel", ...command.words] };
  return await inFolderOf({ name: "generated", files: command.files, cases: [each] }, async (folder) => {
    for (const version of versions) {
      const real = runHelm(each, folder, version);
      const ours = await runOurs(["--helm", version, ...renderingWords(each, folder)], folder);
      if (isAlike(real, ours)) continue;
      // They differ in each run; see the README of libs/helm.
      if (/0x[0-9a-f]{8,}/.test(real.stdout + real.stderr)) return { known: "addresses in memory" };
      return `${JSON.stringify(command, undefined, 1)}\nHelm ${version}: ${shown(real)}\nours: ${shown(ours)}`;
    }
    return undefined;
  });
}

async function runOurs(words: readonly string[], folder: string): Promise<RenderingResult> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    const { stdout, stderr, exitCode } = await runProgram(["helm", "template", ...words], {
      environment: { HOME: folder },
      now: Date.now,
    });
    // A pipe turns bytes that are not UTF-8 into U+FFFD.
    return plainRendering({ status: exitCode, stdout: stdout.toWellFormed(), stderr: stderr.toWellFormed() }, folder);
  } finally {
    process.chdir(before);
  }
}

/** Errors without a reason: ours have one. */
const withoutReason = /^Error: (?:unable to load chart archive|unable to detect chart .*|.* type loader\.chartBase)\n$/;
/** Helm reports a chain of a thousand inclusions, and may go deeper. */
const endless = /nested reference name|nested too deeply|exceeded maximum template depth/;

function isAlike(real: RenderingResult, ours: RenderingResult): boolean {
  // Helm does not look at the checksum of what it has read as far as the end of the tar.
  if (ours.stderr.endsWith("gzip: invalid checksum\n")) return true;
  if (real.status !== ours.status) return false;
  if (real.stdout === "" && ours.stdout === "") {
    if (withoutReason.test(real.stderr) && /^Error: ./m.test(ours.stderr)) return true;
    if (endless.test(real.stderr)) return endless.test(ours.stderr);
    // Helm reads names of files as URLs.
    if (/^Error: failed parsing --set-file data: parse ".*": first path segment/m.test(real.stderr)) return true;
    // We refuse such a chart before we read the rest of it.
    if (ours.stderr === "Error: invalid chart apiVersion\n") return true;
  }
  return real.stdout === ours.stdout && sortedLines(real.stderr) === sortedLines(ours.stderr);
}

/**
 * Warnings and properties in messages of schemas are in the order of Go's maps, which is random. Only Go names the place in compressed data.
 */
function sortedLines(text: string): string {
  return text
    .replaceAll(/(?<=flate: corrupt input) before offset \d+/g, "")
    .replace(/(?<=additional properties ).*(?= not allowed)/g, (names) => names.split(", ").toSorted().join(", "))
    .split("\n")
    .toSorted()
    .join("\n");
}

function shown({ status, stdout, stderr }: RenderingResult): string {
  return `exit code ${status}\n${stdout}${stderr}`;
}
