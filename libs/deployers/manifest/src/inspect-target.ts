import type { AllowedRemovals, DeployItem } from "@landscaper/api";
import type { Preview, PreviewContext, ProviderStatus } from "@landscaper/deployer";
import {
  confirmInventory,
  correctDrift,
  describeDrifts,
  detectDrift,
  formatPlan,
  planDiff,
  summarizePlan,
  type Drift,
  type PlanOptions,
  type TargetCluster,
} from "@landscaper/resources";
import { checkRemovalsOf } from "./check-manifest-removals.ts";
import { withHeldBack } from "./held-back-preview.ts";
import type { ManifestConfig } from "./manifest-config.ts";
import { ownerOf } from "./owner-of.ts";
import { planSecretsOf } from "./config-secrets.ts";
import { readInventory, writeInventory } from "./provider-status.ts";
import { serverSideOf } from "./server-side.ts";
import { askingOnce, takeOverOf } from "./take-over-of.ts";

/** What looking at the target of an item needs; no job is involved. */
export interface Inspection {
  readonly item: DeployItem;
  readonly config: ManifestConfig;
  readonly providerStatus: ProviderStatus | undefined;
  readonly cluster: TargetCluster;
  /** Looks for the items that have marked objects of the target. Default: no object of another item is taken over. */
  readonly findItem?: PreviewContext<unknown>["findItem"] | undefined;
  /** What a job may remove. Undefined: a plan does not show whether the job would be held back. */
  readonly removals?: AllowedRemovals | undefined;
  readonly signal: AbortSignal;
}

/** What a job would change on the target now, object by object; what it would leave as it is is only counted. Nothing changes. */
export async function planManifests(inspection: Inspection): Promise<Preview> {
  const { item, findItem } = inspection;
  const takeOver = findItem && askingOnce(takeOverOf({ item, findItem }));
  const changes = await planDiff({ ...optionsOf(inspection), takeOver });
  const changing = changes.filter(({ type }) => type !== "unchanged");
  const preview = { summary: summarizePlan(changes), text: formatPlan(changes), changes: changing };
  const { config, cluster, providerStatus, removals, signal } = inspection;
  if (removals === undefined) return preview;
  const inventory = readInventory(providerStatus);
  return await withHeldBack(preview, async () =>
    checkRemovalsOf({ item, config, inventory, cluster, removals, signal }),
  );
}

export interface ManifestDrift {
  readonly drifts: readonly Drift[];
  /** For the message of condition `Drifted`; names fields, never values. */
  readonly message: string;
  /** Whether the configuration asked to correct them and that worked for all. */
  readonly isCorrected: boolean;
  /** The provider status after a correction: what was made anew has another uid. */
  readonly providerStatus?: ProviderStatus | undefined;
}

/**
 * What has changed on the target since the last job, and the correction when the configuration asks for it. Throws
 * LandscaperError when an object cannot be read or corrected.
 */
export async function checkManifestDrift(inspection: Inspection): Promise<ManifestDrift> {
  const { config } = inspection;
  if (config.driftDetection === "off") return { drifts: [], message: describeDrifts([]), isCorrected: false };
  const options = optionsOf(inspection);
  const { drifts, failures } = await detectDrift(options);
  if (failures[0] !== undefined) throw failures[0];
  const message = describeDrifts(drifts);
  if (config.driftDetection === "warn" || drifts.length === 0) return { drifts, message, isCorrected: false };
  const correction = await correctDrift(options, drifts);
  if (correction.failures[0] !== undefined) throw correction.failures[0];
  const inventory = confirmInventory(options.inventory, correction.applied);
  return { drifts, message, isCorrected: true, providerStatus: writeInventory(inventory, config.deletionGroups) };
}

function optionsOf({ item, config, providerStatus, cluster, signal }: Inspection): PlanOptions {
  return {
    cluster,
    manifests: config.manifests,
    inventory: readInventory(providerStatus),
    strategy: config.updateStrategy,
    serverSide: serverSideOf(item, config),
    owner: ownerOf(item, config),
    extraLabels: config.extraLabels,
    ignore: config.ignoreFields,
    secrets: config.planSecrets ?? planSecretsOf(item),
    signal,
  };
}
