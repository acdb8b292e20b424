import { deployerApiVersion, parsePaths, type DeletionGroup, type JsonPath } from "@landscaper/api";
import type { DeployContext, ProviderStatus } from "@landscaper/deployer";
import { readInventory } from "@landscaper/manifest-deployer-lib";
import { isJsonObject, type ManagedResource, type ReadyWithoutStatus } from "@landscaper/resources";
import { helmVersions, type HelmVersion } from "@landscaper/helm";
import { isDeepEqual } from "@landscaper/patch";
import type { ChartOrigin } from "./rendering/chart-store.ts";

export interface ReleaseName {
  readonly name: string;
  readonly namespace: string;
}

/** A release as the last job left it, or wanted to. */
export interface ReleaseStatus extends ReleaseName {
  readonly revision?: number | undefined;
  /** Digest of chart and values: with the same ones no new revision is made. */
  readonly inputs?: string | undefined;
  /** Digest of the manifest of the revision: somebody else's revision of the same number is another one. */
  readonly manifest?: string | undefined;
  /** The revision uses server-side apply because the revision before it did, and not because the item says so. */
  readonly inheritsApply?: boolean | undefined;
  /** Labels of the release that the item has set, by any job. */
  readonly labels?: readonly string[] | undefined;
}

/** The attempts of one job, with the same chart and values, where failures are to be remediated. */
export interface Attempts {
  readonly jobID: string;
  readonly inputs: string;
  /** Those that have failed. */
  readonly failed: number;
  /** When the last of them was begun, as its record says. */
  readonly lastFailure?: string | undefined;
  /** Of the last of them. */
  readonly cause?:
    | { readonly message: string; readonly reason: string; readonly codes?: readonly string[] | undefined }
    | undefined;
  readonly remedy?: Remedy | undefined;
}

/** What undoes the failures. */
export type Remedy =
  | { readonly type: "uninstall" }
  /** `revision`: that of the rollback. */
  | { readonly type: "rollback"; readonly to: number; readonly revision: number };

/** What a helm item keeps in `status.providerStatus`. */
export interface HelmStatus {
  /** How the item was deployed last; undefined: by a deployer that did not say it, or never. */
  readonly mode?: "release" | "manifests" | undefined;
  /** With mode "manifests" the inventory; with "release" the workloads of the release, as the original lists them. */
  readonly managedResources: readonly ManagedResource[];
  readonly release?: ReleaseStatus | undefined;
  /** Version of Helm of the last revision, or of the last job without a release. Undefined if an older deployer wrote the status: it works as Helm 3. */
  readonly helmVersion?: HelmVersion | undefined;
  readonly chart?: ChartOrigin | undefined;
  /** Without a release: hooks are kept under this name. */
  readonly hooks?: ReleaseName | undefined;
  /** The release was rolled back to this revision because an annotation says so, and not because of a failure. */
  readonly rolledBack?: { readonly to: number } | undefined;
  readonly attempts?: Attempts | undefined;
  /** What earlier configurations have deployed and is still to go. */
  readonly formerReleases: readonly ReleaseName[];
  readonly formerResources: readonly ManagedResource[];
  /** `resourceId`s of the CRDs in crds/ of the chart: former releases leave them. */
  readonly definitions?: readonly string[] | undefined;
  readonly deletionGroups?: readonly DeletionGroup[] | undefined;
  /** With mode "release": custom resources that count as ready without a status. */
  readonly readyWithoutStatus?: readonly ReadyWithoutStatus[] | undefined;
  /** JSON Pointers into the values of what any revision had from a secret: plans do not show it. Paths, no values. */
  readonly secretValues?: readonly JsonPath[] | undefined;
}

/** Throws LandscaperError when the inventory is damaged: nothing must be forgotten because it cannot be read. */
export function readHelmStatus(status: ProviderStatus | undefined): HelmStatus {
  const { mode, managedResources, release, chart, hooks, rolledBack, attempts, former, deletionGroups } = status ?? {};
  const { releases, resources } = isJsonObject(former) ? former : {};
  const definitions = status?.["definitions"];
  return {
    mode: mode === "release" || mode === "manifests" ? mode : undefined,
    managedResources: readInventory({ managedResources: managedResources ?? [] }),
    release: isReleaseName(release) ? parseRelease(release) : undefined,
    helmVersion: helmVersions.find((version) => version === status?.["helmVersion"]),
    hooks: isReleaseName(hooks) ? hooks : undefined,
    chart: isJsonObject(chart) ? (chart as unknown as ChartOrigin) : undefined,
    rolledBack: isJsonObject(rolledBack) ? (rolledBack as unknown as HelmStatus["rolledBack"]) : undefined,
    attempts: isJsonObject(attempts) ? (attempts as unknown as Attempts) : undefined,
    formerReleases: Array.isArray(releases) ? releases.filter(isReleaseName) : [],
    formerResources: readInventory({ managedResources: resources ?? [] }),
    definitions: Array.isArray(definitions) ? definitions.filter((id) => typeof id === "string") : [],
    // Checked where they are used.
    deletionGroups: deletionGroups as HelmStatus["deletionGroups"],
    readyWithoutStatus: parseReadyWithoutStatus(status?.["readyWithoutStatus"]),
    secretValues: parsePaths(JSON.stringify(status?.["secretValues"])) ?? [],
  };
}

export function writeHelmStatus(status: HelmStatus): ProviderStatus {
  const { mode, managedResources, release, chart, formerReleases, formerResources, deletionGroups } = status;
  const { helmVersion, hooks, secretValues = [], definitions = [], readyWithoutStatus = [] } = status;
  // Manifests have neither.
  const { rolledBack, attempts } = mode === "manifests" ? {} : status;
  const former = {
    ...(formerReleases.length === 0 ? {} : { releases: formerReleases }),
    ...(formerResources.length === 0 ? {} : { resources: formerResources }),
  };
  return {
    apiVersion: deployerApiVersion("helm"),
    kind: "ProviderStatus",
    managedResources,
    ...(mode === undefined ? {} : { mode }),
    ...(release === undefined ? {} : { release }),
    ...(helmVersion === undefined ? {} : { helmVersion }),
    ...(chart === undefined ? {} : { chart }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(rolledBack === undefined ? {} : { rolledBack }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(Object.keys(former).length === 0 ? {} : { former }),
    ...(definitions.length === 0 ? {} : { definitions }),
    ...(deletionGroups === undefined ? {} : { deletionGroups }),
    ...(readyWithoutStatus.length === 0 || mode === "manifests" ? {} : { readyWithoutStatus }),
    ...(secretValues.length === 0 ? {} : { secretValues }),
  };
}

function parseReadyWithoutStatus(value: unknown): readonly ReadyWithoutStatus[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  return entries.flatMap((entry) => {
    const { uid, generation } = isJsonObject(entry) ? entry : {};
    return typeof uid === "string" && typeof generation === "number" ? [{ uid, generation }] : [];
  });
}

/** Maximum number of entries. The oldest are dropped; a job may wait once more for their objects. */
const maxReadyWithoutStatus = 500;

/** Returns the status with the custom resources that count as ready without a status, or undefined if the status has them already. Pure. */
export function noteReadyWithoutStatus(
  status: HelmStatus,
  ready: readonly ReadyWithoutStatus[],
): HelmStatus | undefined {
  const newest = ready.slice(-maxReadyWithoutStatus);
  return isDeepEqual(newest, status.readyWithoutStatus ?? []) ? undefined : { ...status, readyWithoutStatus: newest };
}

/** Writes it at once, for what must be known before the target is touched. */
export async function persistHelmStatus(
  context: Pick<DeployContext<unknown>, "report" | "persist">,
  status: HelmStatus,
): Promise<void> {
  context.report(writeHelmStatus(status));
  await context.persist();
}

export function isSameRelease(a: ReleaseName, b: ReleaseName): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}

function parseRelease({ labels, ...release }: ReleaseStatus): ReleaseStatus {
  const names: readonly unknown[] = Array.isArray(labels) ? labels : [];
  const known = names.filter((name) => typeof name === "string");
  return known.length === 0 ? release : { ...release, labels: known };
}

function isReleaseName(value: unknown): value is ReleaseName {
  return isJsonObject(value) && typeof value["name"] === "string" && typeof value["namespace"] === "string";
}
