import type { Warning } from "@landscaper/api";
import type { HelmVersion } from "@landscaper/helm";
import { helmVersionOf, type ReleaseRecord } from "@landscaper/helm-release";
import type { HelmConfig } from "../helm-config.ts";
import { isSameRelease, type HelmStatus } from "../helm-status.ts";

type Versions = Pick<HelmConfig, "name" | "namespace" | "helmVersion" | "defaultHelmVersion">;

/** Version of Helm of items that an older deployer has deployed. */
const firstVersion: HelmVersion = "3";
/** Version of Helm of new items if nothing sets one. */
const newestVersion: HelmVersion = "4";

/** Returns the version of Helm of an item without a release, or of a release without revisions. Pure. */
export function versionOfItem(
  { helmVersion, defaultHelmVersion = newestVersion }: Versions,
  status: Pick<HelmStatus, "mode" | "helmVersion" | "managedResources">,
): HelmVersion {
  if (helmVersion !== undefined) return helmVersion;
  // An item that was deployed keeps its version, even if the default of the deployer changes. The original writes an inventory, but no mode.
  const isNew = status.mode === undefined && status.managedResources.length === 0;
  return isNew ? defaultHelmVersion : (status.helmVersion ?? firstVersion);
}

export interface ReleaseState {
  /** All revisions, the oldest first. */
  readonly history: readonly ReleaseRecord[];
  readonly status: HelmStatus;
}

/**
 * Returns the version of Helm that the next revision is made as: the setting of the item, else the version of the newest revision. If another
 * client made this revision, the release keeps the last version that the deployer used (docs/reference/helm-versions.md#which-version). Pure.
 */
export function chooseVersion(config: Versions, { history, status }: ReleaseState): HelmVersion {
  const newest = newestRevision(history);
  if (config.helmVersion !== undefined || newest === undefined) return versionOfItem(config, status);
  return newest.helmVersion ?? lastVersion(config, { history, status }) ?? helmVersionOf(newest);
}

/** Returns a warning if another client made the newest revision with a version of Helm that differs from the version of the release. Pure. */
export function warnOfOtherVersion(config: Versions, state: ReleaseState): Warning | undefined {
  const newest = newestRevision(state.history);
  if (newest === undefined || isOwn(newest, config, state.status)) return undefined;
  if (lastVersion(config, state) === undefined) return undefined;
  const other = helmVersionOf(newest);
  const chosen = chooseVersion(config, state);
  if (other === chosen) return undefined;
  const release = `release ${config.namespace}/${config.name}`;
  return {
    reason: "OtherHelmVersion",
    message: `${release}: another client made revision ${newest.version} with Helm ${other}, and this item works as Helm ${chosen}. Set helmVersion: "${other}" to follow it, or use Helm ${chosen} for this release`,
  };
}

/** Returns the version that the deployer used last for the release; undefined if the deployer has never made a revision of it. */
function lastVersion(config: Versions, { history, status }: ReleaseState): HelmVersion | undefined {
  const annotated = history.findLast(({ helmVersion }) => helmVersion !== undefined);
  const { release } = status;
  const known = release !== undefined && isSameRelease(release, config) ? release.revision : undefined;
  if (annotated === undefined) return known === undefined ? undefined : (status.helmVersion ?? firstVersion);
  // Helm removes the annotations of a revision when it marks the revision as superseded. The status may then know a newer revision than the annotations.
  const isStatusNewer = known !== undefined && known > annotated.version;
  return isStatusNewer ? (status.helmVersion ?? annotated.helmVersion) : annotated.helmVersion;
}

function isOwn({ helmVersion, version }: ReleaseRecord, config: Versions, { release }: HelmStatus): boolean {
  if (helmVersion !== undefined) return true;
  return release !== undefined && isSameRelease(release, config) && release.revision === version;
}

/** Source of the version of Helm of the next job. */
export type VersionSource = "item" | "release" | "lastJob" | "default";

export interface DescribedVersion {
  readonly version: HelmVersion;
  readonly source: VersionSource;
  /** Version of the deployed revision or of the last job; undefined if nothing is deployed. */
  readonly recorded: HelmVersion | undefined;
}

/** Returns the version of the next job, why it is this one, and the recorded one. Pure. */
export function describeVersion(config: Versions, state: ReleaseState): DescribedVersion {
  const version = chooseVersion(config, state);
  const newest = newestRevision(state.history);
  if (newest !== undefined) {
    const recorded = ownVersion(newest, config, state.status) ?? helmVersionOf(newest);
    return { version, source: sourceOf(config, "release"), recorded };
  }
  const { mode, helmVersion = firstVersion } = state.status;
  const recorded = mode === undefined ? undefined : helmVersion;
  return { version, source: sourceOf(config, mode === undefined ? "default" : "lastJob"), recorded };
}

/** Returns the version of Helm of a revision that this deployer made; undefined for a revision of another client. */
function ownVersion(record: ReleaseRecord, config: Versions, status: HelmStatus): HelmVersion | undefined {
  if (!isOwn(record, config, status)) return undefined;
  return record.helmVersion ?? status.helmVersion ?? firstVersion;
}

function sourceOf({ helmVersion }: Versions, otherwise: VersionSource): VersionSource {
  return helmVersion === undefined ? otherwise : "item";
}

function newestRevision(history: readonly ReleaseRecord[]): ReleaseRecord | undefined {
  const newest = history.findLast(({ unreadable }) => unreadable === undefined);
  return newest?.info.status === "uninstalled" ? undefined : newest;
}

/** Whether the next revision would have the same version of Helm as the newest one. True for revisions of other clients: the next job replaces them anyway. Pure. */
export function isMadeAsWanted(config: Versions, state: ReleaseState): boolean {
  const newest = newestRevision(state.history);
  const own = newest && ownVersion(newest, config, state.status);
  return own === undefined || own === chooseVersion(config, state);
}
