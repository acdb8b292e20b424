import { resourceId } from "@landscaper/resources";
import { locateObjects, parseManifest, type ReleaseRecord } from "@landscaper/helm-release";
import type { HelmConfig } from "../helm-config.ts";
import {
  isSameRelease,
  readHelmStatus,
  type HelmStatus,
  type ReleaseName,
  type ReleaseStatus,
} from "../helm-status.ts";
import { handToRelease } from "./adopt-objects.ts";
import { inheritsApply } from "./release-options.ts";
import { allSecretPaths } from "../values/secret-paths.ts";
import { digestOfText } from "./plan-release.ts";
import type { ReleaseWork } from "./release-progress.ts";
import { workloadsOf } from "./workloads.ts";

/** Of the labels that an item has set: twice as many as it may set at a time. */
const maxLabels = 200;

/** A revision that is about to be made. */
export interface PlannedRevision extends Pick<HelmStatus, "chart" | "rolledBack" | "attempts" | "helmVersion"> {
  /** All revisions before it. */
  readonly history: readonly ReleaseRecord[];
  readonly revision: number;
  readonly manifest: string;
  /** `resourceId`s of the CRDs in crds/ of its chart. */
  readonly definitions: ReadonlySet<string>;
  /** Undefined: it is not what the configuration says. */
  readonly inputs: string | undefined;
}

/**
 * The status before a revision is made. What the item has deployed by other configurations is in it as former; objects of those that the
 * revision will have are handed to it.
 */
export async function plannedStatus({ context, cluster }: ReleaseWork, planned: PlannedRevision): Promise<HelmStatus> {
  const { config, item, signal, providerStatus } = context;
  const status = readHelmStatus(providerStatus);
  const { name, namespace } = config;
  const release = { name, namespace };
  const { revision, inputs, manifest, definitions, history, ...others } = planned;
  const located = { namespace, anyVersion: true, signal };
  const objects = await locateObjects(cluster, await parseManifest(manifest), located);
  const former = status.mode === "release" ? [] : status.managedResources;
  // What the chart has in crds/ belongs to no release, and stays.
  const handed = [...status.formerResources, ...former].filter(
    ({ resource }) => !definitions.has(resourceId(resource)),
  );
  return {
    ...status,
    ...others,
    mode: "release",
    secretValues: allSecretPaths(status, config),
    managedResources: workloadsOf(objects),
    release: {
      ...release,
      revision,
      inputs,
      manifest: digestOfText(manifest),
      ...(inheritsApply(config, history) ? { inheritsApply: true } : {}),
      ...labelsSet(status, config),
    },
    definitions: [...definitions],
    formerReleases: formerReleases(status, release),
    formerResources: await handToRelease(handed, { cluster, release, objects, item, signal }),
  };
}

/** Labels are remembered until the release is another one: a revision removes those that the item no longer has. */
function labelsSet({ release }: HelmStatus, config: HelmConfig): Pick<ReleaseStatus, "labels"> {
  const before = release !== undefined && isSameRelease(release, config) ? (release.labels ?? []) : [];
  const labels = [...new Set([...before, ...Object.keys(config.labels)])].slice(-maxLabels);
  return labels.length === 0 ? {} : { labels };
}

/** Those that are to go when `current` is there. */
function formerReleases({ release, formerReleases: before }: HelmStatus, current: ReleaseName): ReleaseName[] {
  const all = release === undefined ? before : [...before, { name: release.name, namespace: release.namespace }];
  const names = new Map(all.map(({ name, namespace }) => [`${namespace}/${name}`, { name, namespace }]));
  return [...names.values()].filter((former) => !isSameRelease(former, current));
}
