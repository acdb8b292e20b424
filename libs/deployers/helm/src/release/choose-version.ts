import type { Warning } from "@landscaper/api";
import type { HelmVersion } from "@landscaper/helm";
import { workedVersion, type ReleaseRecord } from "@landscaper/helm-release";
import type { HelmConfig } from "../helm-config.ts";
import { isSameRelease, type HelmStatus } from "../helm-status.ts";

type Versions = Pick<HelmConfig, "name" | "namespace" | "helmVersion" | "defaultHelmVersion">;

/** Version of Helm of items without a setting, and of items that a deployer without versions has deployed. */
const firstVersion: HelmVersion = "3";

/** Returns the version that the item keeps or sets, for items without a release, and where there is no revision yet. */
export function versionOfItem(
  { helmVersion, defaultHelmVersion = firstVersion }: Versions,
  status: Pick<HelmStatus, "mode" | "helmVersion">,
): HelmVersion {
  if (helmVersion !== undefined) return helmVersion;
  // An item that was deployed keeps its version whatever the default of the deployer is.
  return status.mode === undefined ? defaultHelmVersion : (status.helmVersion ?? firstVersion);
}

export interface ReleaseState {
  /** All revisions, the oldest first. */
  readonly history: readonly ReleaseRecord[];
  readonly status: HelmStatus;
}

/**
 * Returns the version of Helm that the next revision is made as: the setting of the item, else the version of the newest revision. If another
 * client wrote this revision, the release keeps the last version that the deployer used (docs/reference/helm-versions.md#which-version). Pure.
 */
export function chooseVersion(config: Versions, { history, status }: ReleaseState): HelmVersion {
  const newest = newestRevision(history);
  if (config.helmVersion !== undefined || newest === undefined) return versionOfItem(config, status);
  return newest.helmVersion ?? lastVersion(config, { history, status }) ?? workedVersion(newest);
}

/** Returns a warning if another client made the newest revision with another version of Helm than the release keeps. Pure. */
export function warnOfOtherVersion(config: Versions, state: ReleaseState): Warning | undefined {
  const newest = newestRevision(state.history);
  if (newest === undefined || isOwn(newest, config, state.status)) return undefined;
  const last = lastVersion(config, state);
  const other = workedVersion(newest);
  if (last === undefined || other === chooseVersion(config, state)) return undefined;
  const release = `release ${config.namespace}/${config.name}`;
  const chosen = chooseVersion(config, state);
  return {
    reason: "OtherHelmVersion",
    message: `${release}: another client made revision ${newest.version} with Helm ${other}, and this item works as Helm ${chosen}. Set helmVersion: "${other}" to follow it, or use Helm ${chosen} for this release`,
  };
}

/** Returns the version that the deployer used last for the release; undefined if it has made no revision of it. */
function lastVersion(config: Versions, { history, status }: ReleaseState): HelmVersion | undefined {
  const annotated = history.findLast(({ helmVersion }) => helmVersion !== undefined);
  const { release } = status;
  const known = release !== undefined && isSameRelease(release, config) ? release.revision : undefined;
  if (annotated === undefined) return known === undefined ? undefined : (status.helmVersion ?? firstVersion);
  // Helm removes annotations of a revision when it marks it as superseded. The status may then know a newer one than the annotations.
  const isStatusNewer = known !== undefined && known > annotated.version;
  return isStatusNewer ? (status.helmVersion ?? annotated.helmVersion) : annotated.helmVersion;
}

function isOwn({ helmVersion, version }: ReleaseRecord, config: Versions, { release }: HelmStatus): boolean {
  if (helmVersion !== undefined) return true;
  return release !== undefined && isSameRelease(release, config) && release.revision === version;
}

/** What decides the version of Helm of the next job. */
export type VersionSource = "item" | "release" | "lastJob" | "default";

export interface DescribedVersion {
  readonly version: HelmVersion;
  readonly source: VersionSource;
  /** Version that made what is deployed; undefined if nothing is. */
  readonly recorded: HelmVersion | undefined;
}

/** Returns the version of the next job, why it is this one, and the recorded one. Pure. */
export function describeVersion(config: Versions, state: ReleaseState): DescribedVersion {
  const version = chooseVersion(config, state);
  const newest = newestRevision(state.history);
  const { mode, helmVersion = firstVersion } = state.status;
  if (newest === undefined) {
    const recorded = mode === undefined ? undefined : helmVersion;
    return { version, source: sourceOf(config, mode === undefined ? "default" : "lastJob"), recorded };
  }
  const isWithoutNote = newest.helmVersion === undefined && isOwn(newest, config, state.status);
  const recorded = isWithoutNote ? helmVersion : workedVersion(newest);
  return { version, source: sourceOf(config, "release"), recorded };
}

function sourceOf({ helmVersion }: Versions, otherwise: VersionSource): VersionSource {
  return helmVersion === undefined ? otherwise : "item";
}

function newestRevision(history: readonly ReleaseRecord[]): ReleaseRecord | undefined {
  const newest = history.findLast(({ unreadable }) => unreadable === undefined);
  return newest?.info.status === "uninstalled" ? undefined : newest;
}

/** Whether the newest revision was made as the version that the next one would be made as. Revisions of others are replaced anyway. Pure. */
export function isMadeAsWanted(config: Versions, state: ReleaseState): boolean {
  const newest = newestRevision(state.history);
  if (newest === undefined || !isOwn(newest, config, state.status)) return true;
  return (newest.helmVersion ?? state.status.helmVersion ?? firstVersion) === chooseVersion(config, state);
}
