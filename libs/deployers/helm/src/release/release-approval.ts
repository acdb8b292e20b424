import type { PreviewContext } from "@landscaper/deployer";
import {
  previewRestoration,
  Restoration,
  type ReleaseContext,
  type ReleaseRecord,
  type ReleaseWait,
} from "@landscaper/helm-release";
import { approvalPauseMs, describeApproval, isApproved } from "@landscaper/manifest-deployer-lib";
import { summarizePlan } from "@landscaper/resources";
import type { HelmConfig } from "../helm-config.ts";
import { isSameRelease, readHelmStatus, type ReleaseName } from "../helm-status.ts";
import { previewOf, type PlannedRevision } from "./preview-release.ts";
import { serverSideApplyOf } from "./release-options.ts";
import type { ReleaseOperation, ReleaseWork } from "./release-progress.ts";

/** Whether the job must wait for approval. */
export function mustWaitForApproval({ config, item }: Pick<PreviewContext<HelmConfig>, "config" | "item">): boolean {
  return config.requireApproval && !isApproved(item);
}

/** Returns undefined if the job may make the revision. Each revision needs approval, because its hooks run even if no object changes. */
export async function awaitApprovalOfRevision(
  { context, cluster }: ReleaseWork,
  what: string,
  planned: PlannedRevision,
): Promise<ReleaseWait | undefined> {
  if (!mustWaitForApproval(context)) return undefined;
  const { name, namespace } = context.config;
  const { summary } = await previewOf({ context, cluster }, planned);
  const former = formerReleases(context).map((release) => `${release.namespace}/${release.name}`);
  const leaving = former.length === 0 ? "" : `, releases to uninstall: ${former.join(", ")}`;
  return waitForApproval(context, `${what} of release ${namespace}/${name} (${summary}${leaving})`);
}

export interface RestorableRelease {
  readonly release: ReleaseContext;
  /** The revision that is deployed. */
  readonly record: ReleaseRecord;
  readonly history: readonly ReleaseRecord[];
}

function formerReleases({
  config,
  providerStatus,
}: Pick<PreviewContext<HelmConfig>, "config" | "providerStatus">): ReleaseName[] {
  const { release, formerReleases: former } = readHelmStatus(providerStatus);
  return [...former, ...(release === undefined ? [] : [release])].filter((each) => !isSameRelease(each, config));
}

/** Starts a restoration if the job restores. Waits for approval if something differs. */
export async function beginRestoring(
  { context, progress }: ReleaseWork,
  { release, record, history }: RestorableRelease,
): Promise<ReleaseOperation | ReleaseWait | undefined> {
  if (progress.needsRestoring !== true) return undefined;
  const { config, signal } = context;
  const options = { serverSideApply: serverSideApplyOf(context, history), ignore: config.ignoreFields };
  if (mustWaitForApproval(context)) {
    const changes = await previewRestoration({ ...release, ...options, record, signal });
    if (changes.length === 0) return undefined;
    return waitForApproval(context, summarizePlan(changes));
  }
  await release.store.claim(history, { signal });
  return { type: "restore", run: new Restoration(release, record, options) };
}

/** The annotation requeues the item; the repeated dry run only updates the message. */
function waitForApproval({ item }: Pick<PreviewContext<HelmConfig>, "item">, what: string): ReleaseWait {
  return { waitingFor: [describeApproval(item, what)], awaited: [], lookAgainAfterMs: approvalPauseMs };
}
