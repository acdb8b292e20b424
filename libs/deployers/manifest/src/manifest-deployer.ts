import {
  deployerApiVersion,
  LandscaperError,
  warnOfConfiguration,
  type ContinuousReconcile,
  type DeletionGroup,
  type HealthRule,
} from "@landscaper/api";
import type { DeleteOutcome, DeployContext, Deployer, Outcome, Waiting } from "@landscaper/deployer";
import {
  combineFailures,
  HealthChecker,
  type IgnoreRule,
  type ManagedResource,
  deleteResources,
  planInventory,
  surelyAddressable,
} from "@landscaper/resources";
import { openCluster } from "./config-secrets.ts";
import { driftCondition } from "./drift-condition.ts";
import { checkManifestDrift, planManifests } from "./inspect-target.ts";
import { settleDeletion } from "./settle-deletion.ts";
import type { ManifestConfig } from "./manifest-config.ts";
import { ManifestJob } from "./manifest-job.ts";
import { ownerOf } from "./owner-of.ts";
import { fieldManagerOf, manifestDeployerName } from "./server-side.ts";
import { addDeployerRules, parseManifestConfig, warnOfManifestConfig } from "./parse-manifest-config.ts";
import { checkSecretNames } from "./secret-names.ts";
import { readDeletionGroups, readInventory, writeInventory } from "./provider-status.ts";

/** `spec.type` of manifest items. */
export const manifestDeployItemType = "landscaper.gardener.cloud/kubernetes-manifest";

export interface ManifestDeployerOptions {
  /** Fields of objects that others may change, beside those of each item. */
  readonly ignoreFields?: readonly IgnoreRule[] | undefined;
  /** Health rules that replace the shipped ones. */
  readonly healthRules?: readonly HealthRule[] | undefined;
  /** Whether names, namespaces and kinds of objects may derive from secrets. Default false. */
  readonly allowSecretNames?: boolean | undefined;
}

/** The deployer of plain manifests (deployers.md §1.4). */
export function createManifestDeployer(
  version: string,
  { ignoreFields, healthRules, allowSecretNames }: ManifestDeployerOptions = {},
): Deployer<ManifestConfig> {
  compileSchemas();
  const health = new HealthChecker(healthRules);
  return {
    type: manifestDeployItemType,
    name: manifestDeployerName,
    version,
    parseConfig: addDeployerRules(parseManifestConfig, { ignoreFields, health, allowSecretNames }),
    findWarnings: ({ spec }) => [
      ...warnOfConfiguration("spec.config", spec.config),
      ...warnOfManifestConfig(spec.config, "spec.config"),
    ],
    plan: ({ item, config, providerStatus }) => {
      // The plan is written to the status.
      refuseSecretNames({ item, config });
      const { manifests } = config;
      const inventory = readInventory(providerStatus);
      const planned = planInventory(inventory, surelyAddressable(manifests), fieldManagerOf(item, config));
      return writeInventory(planned, config.deletionGroups);
    },
    reconcile: async (context) => {
      refuseSecretNames(context);
      return await deployManifests(context);
    },
    delete: async (context) => await uninstallManifests(context),
    leave: async (context) => await leaveObjects(readInventory(context.providerStatus), context),
    continuousReconcile: scheduleOf,
    maintain: async (context) => await maintain(context),
    close: async () => health.close(),
    preview: async ({ item, config, providerStatus, target, findItem, removals, signal }) => {
      refuseSecretNames({ item, config });
      const cluster = await openCluster({ item, target });
      return await planManifests({ item, config, providerStatus, cluster, findItem, removals, signal });
    },
  };
}

function refuseSecretNames({ item, config }: Pick<DeployContext<ManifestConfig>, "item" | "config">): void {
  if (config.allowSecretNames !== true) checkSecretNames(item);
}

/** A schema is compiled when it is used first, which takes as long as a large configuration: at the start it keeps nobody waiting. */
function compileSchemas(): void {
  parseManifestConfig({ apiVersion: deployerApiVersion("manifest", "v1alpha2"), kind: "ProviderConfiguration" }, "");
  readInventory({});
}

interface DeployManifestsOptions {
  /** The caller has compiled the expressions of the readiness checks. Default false. */
  readonly areChecksCompiled?: boolean;
  /** A step of the caller between readiness and exports. */
  readonly afterReadiness?: () => Promise<Waiting | undefined>;
}

/**
 * One pass of a job: apply, status, prune, readiness, exports, patchAfterDeployment (deployers.md §3.7), each step when the one before is
 * done, with `afterReadiness` as one of them. Keeps its progress in the context's memory and its inventory in the provider status.
 */
export async function deployManifests(
  context: DeployContext<ManifestConfig>,
  { areChecksCompiled = false, afterReadiness }: DeployManifestsOptions = {},
): Promise<Outcome> {
  const job = await ManifestJob.enter(context);
  if (!areChecksCompiled) await job.checkExpressions();
  await job.checkRemovals();
  return (
    (await job.awaitApproval()) ??
    (await job.apply()) ??
    (await job.prune()) ??
    (await job.awaitReadiness()) ??
    (await afterReadiness?.()) ??
    (await job.awaitExports()) ??
    (await job.finish())
  );
}

const defaultDriftSchedule: ContinuousReconcile = { every: "10m" };

/** Returns the schedule; drift detection has a default one. */
export function scheduleOf({
  continuousReconcile,
  driftDetection,
}: Pick<ManifestConfig, "continuousReconcile" | "driftDetection">): ContinuousReconcile | undefined {
  const { cron = "", every = "" } = continuousReconcile ?? {};
  const isSet = driftDetection === "off" || cron !== "" || every !== "";
  return isSet ? continuousReconcile : { ...continuousReconcile, ...defaultDriftSchedule };
}

/** Between jobs: everything again, or, with drift detection, only what has changed. */
async function maintain(context: DeployContext<ManifestConfig>): Promise<Outcome> {
  const { item, config, providerStatus, target, signal } = context;
  // Approval is possible only in jobs.
  if (config.driftDetection === "off" && config.requireApproval) return { type: "succeeded", exports: "unchanged" };
  if (config.driftDetection === "off") return await deployManifests(context);
  const cluster = await openCluster({ item, target });
  const drift = await checkManifestDrift({ item, config, providerStatus, cluster, signal });
  if (drift.providerStatus !== undefined) context.report(drift.providerStatus);
  return { type: "succeeded", exports: "unchanged", conditions: [driftCondition(drift)] };
}

/** Throws LandscaperError when a job would take away more than it may. For a caller that writes something before `deployManifests`. */
export async function checkManifestRemovals(context: DeployContext<ManifestConfig>): Promise<void> {
  await (await ManifestJob.enter(context)).checkRemovals();
}

/** One pass of the deletion of all that the provider status names. */
export async function uninstallManifests(context: DeployContext<ManifestConfig>): Promise<DeleteOutcome> {
  const inventory = readInventory(context.providerStatus);
  // What manages nothing needs neither target nor configuration to go.
  if (inventory.length === 0) return "done";
  const groups = deletionGroupsOf(context);
  const result = await deleteResources({
    cluster: await context.target.cluster(),
    entries: inventory,
    groups,
    owner: ownerOf(context.item),
    clusterOf: (name) => context.target.clusterOf(name),
    signal: context.signal,
  });
  context.report(writeInventory(result.remaining, groups));
  return settleDeletion(result, context) ?? "done";
}

/** Removes the marks of the item from objects of an inventory. Throws LandscaperError that names those whose marks may remain. */
export async function leaveObjects(
  inventory: readonly ManagedResource[],
  context: DeployContext<unknown>,
): Promise<void> {
  if (inventory.length === 0) return;
  const { failures, problems } = await deleteResources({
    cluster: await context.target.cluster(),
    entries: inventory.map((entry) => ({ ...entry, policy: entry.policy === "ignore" ? "ignore" : "keep" })),
    groups: undefined,
    owner: ownerOf(context.item),
    clusterOf: (name) => context.target.clusterOf(name),
    signal: context.signal,
  });
  if (failures.length > 0) throw combineFailures(failures, inventory.length);
  for (const { reason, message } of problems) context.log.warn({ reason }, message);
}

/** Those of the configuration; when that cannot be read any more, those of the last job. */
function deletionGroupsOf(context: DeployContext<ManifestConfig>): readonly DeletionGroup[] | undefined {
  try {
    return context.config.deletionGroups;
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    return readDeletionGroups(context.providerStatus);
  }
}
