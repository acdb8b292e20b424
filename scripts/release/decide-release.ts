import { compareVersions, parseVersion } from "@landscaper/golang";
import type { Changelog } from "./changelog.ts";

/** What the release of a version depends on. */
export interface ReleaseState {
  /** That is to be released. */
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

/** Throws an error that says what is to be put right. */
export function decideRelease({ version, packageVersion, changelog, changedFiles }: ReleaseState): ReleaseStep {
  if (!semantic.test(version)) {
    throw new Error(
      `VERSION: expected a semantic version without "v" and "+", such as 1.2.0 or 1.2.0-rc.1, found "${version}"`,
    );
  }
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
  if (changelog.unreleased === "") throw new Error('CHANGELOG.md: expected changes below "Unreleased", found none');
  return "prepare";
}

/** HOST/PREFIX, which references of images begin with. Throws an error for a scheme, a tag, or no prefix. */
export function checkRegistry(registry: string): string {
  if (/^[a-z0-9.-]+(:\d+)?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+$/.test(registry)) return registry;
  throw new Error(`--registry: expected HOST/PREFIX in lower case, without a scheme, found "${registry}"`);
}
