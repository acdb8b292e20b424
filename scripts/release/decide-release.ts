import { compareVersions, parseVersion } from "@landscaper/golang";
import type { Changelog } from "./changelog.ts";

/** What the release of a version depends on. */
export interface ReleaseState {
  /** Semantic version to release. */
  readonly version: string;
  /** Of package.json. */
  readonly packageVersion: string;
  readonly changelog: Changelog;
  /** Paths of files that differ from the commit. */
  readonly changedFiles: readonly string[];
}

/**
 * "prepare": CHANGELOG.md and package.json get the version, as a change to be committed. "publish": the commit is that of the version: its images name the
 * commit, and are the same in each run.
 */
export type ReleaseStep = "prepare" | "publish";

/** As https://semver.org has it, without build metadata: tags of registries have no "+". */
const semantic = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
const shownFiles = 5;

/** What the user has typed. */
export interface ReleaseArguments {
  readonly positionals: readonly string[];
  /** "" if it is missing. */
  readonly registry: string;
}

/** Returns the checked arguments. Throws one Error with a line for each wrong or missing one. */
export function checkArguments({ positionals, registry }: ReleaseArguments): {
  readonly version: string;
  /** HOST/PREFIX, which references of images begin with. */
  readonly place: string;
} {
  const [version = ""] = positionals;
  const problems: string[] = [];
  if (positionals.length > 1) problems.push(`VERSION: expected one, found ${positionals.join(" ")}`);
  else if (!semantic.test(version)) {
    const expected = 'a semantic version without "v" and "+", such as 1.2.0 or 1.2.0-rc.1';
    problems.push(`VERSION: expected ${expected}, found ${quote(version)}`);
  }
  // Without a scheme, a tag and a slash at the end.
  if (!/^[a-z0-9.-]+(:\d+)?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+$/.test(registry)) {
    problems.push(`--registry: expected HOST/PREFIX in lower case, without a scheme, found ${quote(registry)}`);
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return { version, place: registry };
}

const quote = (text: string): string => (text === "" ? "nothing" : `"${text}"`);

/** Throws an error that names the expected state and the remedy. */
export function decideRelease({ version, packageVersion, changelog, changedFiles }: ReleaseState): ReleaseStep {
  if (changedFiles.length > 0) {
    const shown = changedFiles.slice(0, shownFiles).join(", ");
    const more = changedFiles.length > shownFiles ? ` and ${changedFiles.length - shownFiles} more` : "";
    throw new Error(`expected a clean tree, found changes in ${shown}${more}; commit them first`);
  }
  const [newest] = changelog.sections;
  if (newest?.version === version) {
    if (packageVersion === version) return "publish";
    throw new Error(`package.json: expected version ${version}, as CHANGELOG.md has it, found ${packageVersion}`);
  }
  if (newest !== undefined && compareVersions(parseVersion(version), parseVersion(newest.version)) < 0) {
    throw new Error(`VERSION: expected one newer than ${newest.version}, the last in CHANGELOG.md, found ${version}`);
  }
  const [core = version] = version.split("-");
  // A candidate of the version in package.json is older than that.
  if (compareVersions(parseVersion(core), parseVersion(packageVersion)) < 0) {
    throw new Error(
      `VERSION: expected ${packageVersion}, the version in package.json, or a newer one, found ${version}`,
    );
  }
  if (changelog.unreleased === "") throw new Error('CHANGELOG.md: expected changes below "Unreleased", found none');
  return "prepare";
}
