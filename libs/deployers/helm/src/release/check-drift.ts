import { LandscaperError } from "@landscaper/api";
import type { DeployContext, Outcome } from "@landscaper/deployer";
import {
  previewRestoration,
  Restoration,
  type ReleaseContext,
  type ReleaseRecord,
  type RestorationOptions,
} from "@landscaper/helm-release";
import { driftCondition, takeOverOf } from "@landscaper/manifest-deployer-lib";
import { describeDrifts, formatResource, unknownSecrets, type ObjectChange } from "@landscaper/resources";
import type { HelmConfig } from "../helm-config.ts";
import { isSameRelease, readHelmStatus, type HelmStatus, type ReleaseName } from "../helm-status.ts";
import { digestOfText } from "./plan-release.ts";
import { releaseContext } from "./release-access.ts";
import { serverSideApplyOf } from "./release-options.ts";
import { waitingOf } from "./waiting-of.ts";

/** State between the passes of one run. */
interface DriftMemory {
  /** Description of the revision of another client that the run replaces. */
  replaced?: string | undefined;
}

/**
 * Between jobs: compares the objects of the release with the revision of the last job, and corrects them if the configuration asks for it. Calls
 * `redeploy` to replace a revision that another client has made. Throws LandscaperError if an object cannot be compared or corrected.
 */
export async function checkReleaseDrift(
  context: DeployContext<HelmConfig>,
  redeploy: () => Promise<Outcome>,
): Promise<Outcome> {
  const { config, item, clock, log, signal } = context;
  const memory = context.memory<DriftMemory>(() => ({}));
  const takeOver = takeOverOf(context);
  const release = releaseContext(config, await context.target.cluster(), { item, clock, log, takeOver });
  const corrects = config.driftDetection === "correct";
  const found =
    memory.replaced ??
    findRevision(await release.store.history({ signal }), readHelmStatus(context.providerStatus), config);
  if (typeof found === "string") {
    const message = `release ${config.namespace}/${config.name} ${found}`;
    // Approval is possible only in jobs.
    const isCorrected = corrects && !config.requireApproval;
    memory.replaced = isCorrected ? found : undefined;
    const outcome = isCorrected ? await redeploy() : unchanged;
    if (outcome.type !== "succeeded") return outcome;
    memory.replaced = undefined;
    const condition = driftCondition({ drifts: [found], message, isCorrected });
    const others = (outcome.conditions ?? []).filter(({ type }) => type !== condition.type);
    return { ...outcome, conditions: [...others, condition] };
  }
  const serverSideApply = forced(serverSideApplyOf(context, [found]));
  const options = { serverSideApply, ignore: config.ignoreFields, omitsExpired: true };
  const drifts = await findDrifts(release, { record: found, options, signal });
  const isCorrected = corrects && drifts.length > 0;
  const waiting = isCorrected ? await new Restoration(release, found, options).advance(signal) : undefined;
  if (waiting !== undefined) return waitingOf(waiting);
  return { ...unchanged, conditions: [driftCondition({ drifts, message: describeDrifts(drifts), isCorrected })] };
}

const unchanged: Extract<Outcome, { type: "succeeded" }> = { type: "succeeded", exports: "unchanged" };

/** A correction forces ownership of changed fields. */
function forced(options: RestorationOptions["serverSideApply"]): RestorationOptions["serverSideApply"] {
  return options && { ...options, force: true };
}

/** Returns the revision of the last job if it is still deployed; otherwise a description of the current one. */
function findRevision(
  history: readonly ReleaseRecord[],
  { release }: HelmStatus,
  wanted: ReleaseName,
): ReleaseRecord | string {
  const newest = history.at(-1);
  if (newest === undefined) return "does not exist";
  const isOurs = release !== undefined && isSameRelease(release, wanted) && newest.version === release.revision;
  const isDeployed = newest.info.status === "deployed" && digestOfText(newest.manifest) === release?.manifest;
  if (isOurs && isDeployed) return newest;
  return `is at revision ${newest.version} (${newest.info.status}), which is not what the last job of this item has deployed`;
}

interface DriftCheck {
  readonly record: ReleaseRecord;
  readonly options: RestorationOptions;
  readonly signal: AbortSignal;
}

async function findDrifts(
  release: ReleaseContext,
  { record, options, signal }: DriftCheck,
): Promise<Parameters<typeof describeDrifts>[0]> {
  const changes = await previewRestoration({ ...release, ...options, record, secrets: unknownSecrets, signal });
  return changes.map((change) => {
    if (change.type === "blocked") throw blocked(change);
    return { ...change, type: change.type === "create" ? "missing" : "changed" };
  });
}

function blocked({ resource, problem = "" }: ObjectChange): LandscaperError {
  return new LandscaperError({ message: `${formatResource(resource)}: ${problem}`, reason: "TargetRefused" });
}
