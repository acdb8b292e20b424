import {
  createRollback,
  definitionIds,
  isPending,
  storedCrds,
  type ReleaseRecord,
  type ReleaseWait,
} from "@landscaper/helm-release";
import { decideRollback } from "./decide-rollback.ts";
import { persistHelmStatus, readHelmStatus, writeHelmStatus, type HelmStatus } from "../helm-status.ts";
import { checkReleaseRemovals } from "../release/check-release-removals.ts";
import { chooseVersion } from "../release/choose-version.ts";
import { knownRevision } from "../release/plan-release.ts";
import { plannedStatus } from "../release/planned-status.ts";
import { awaitApprovalOfRevision, beginRestoring } from "../release/release-approval.ts";
import { announceInherited, releaseOptions } from "../release/release-options.ts";
import { noteDeployed, type NextOperation, type ReleaseAccess, type ReleaseWork } from "../release/release-progress.ts";

/** Brings the release to the revision that the annotation names. Throws LandscaperError when there is no such revision. */
export async function rollBackAsAsked(
  work: ReleaseWork,
  { release, patience }: ReleaseAccess,
  { request, history }: { readonly request: string; readonly history: readonly ReleaseRecord[] },
): Promise<NextOperation> {
  const { context, progress } = work;
  const status = readHelmStatus(context.providerStatus);
  const known = knownRevision(status, context.config);
  const { rolledBack, chart } = status;
  const decision = decideRollback({ request, history, status: { release: known, rolledBack } });
  if (decision.type === "unchanged") {
    const { record, to } = decision;
    const restoring = await beginRestoring(work, { release, record, history });
    if (restoring !== undefined) return restoring;
    await release.store.claim(history, context);
    noteDeployed(progress, record);
    if (rolledBack?.to === to && known?.revision === record.version) return undefined;
    // It may be what the configuration says.
    const own =
      known?.revision === record.version ? { inputs: known.inputs, chart } : { inputs: undefined, chart: undefined };
    const planned = {
      ...own,
      history,
      revision: record.version,
      manifest: record.manifest,
      definitions: await knownDefinitions(record, status),
      rolledBack: { to },
      attempts: undefined,
      // The revision was not made as the version that the item may set.
      helmVersion: chooseVersion({ ...context.config, helmVersion: undefined }, { history, status }),
    };
    context.report(writeHelmStatus(await plannedStatus(work, planned)));
    return undefined;
  }
  const waiting = othersAtWork(history, known?.revision, patience);
  if (waiting !== undefined) return waiting;
  const { target, retryOf } = decision;
  const { manifest } = target;
  const approval = await awaitApprovalOfRevision(work, `rollback to revision ${target.version}`, { history, manifest });
  if (approval !== undefined) return approval;
  await release.store.claim(history, context);
  const crds = await storedCrds(target);
  await checkReleaseRemovals(work, { history, manifest: target.manifest, crds });
  const options = releaseOptions(context, { isUpgrade: true, history, status });
  announceInherited(context, { history, status });
  const run = createRollback(release, { target, history, options, retryOf });
  const planned = {
    history,
    revision: run.record.version,
    manifest: target.manifest,
    definitions: await knownDefinitions(target, status),
    inputs: undefined,
    chart: undefined,
    rolledBack: { to: target.version },
    attempts: undefined,
    helmVersion: options.helmVersion,
  };
  await persistHelmStatus(context, await plannedStatus(work, planned));
  return { type: "rollBack", run };
}

/** Those of the revision's chart, and those that the item knew before: the record of a revision does not have those of dependencies. */
async function knownDefinitions(record: ReleaseRecord, { definitions = [] }: HelmStatus): Promise<ReadonlySet<string>> {
  return new Set([...definitions, ...definitionIds(await storedCrds(record))]);
}

/** Somebody else's operation has to come to its end, or to stand still for some time. */
export function othersAtWork(
  history: readonly ReleaseRecord[],
  ownRevision: number | undefined,
  patience: ReleaseAccess["patience"],
): ReleaseWait | undefined {
  const newest = history.at(-1);
  if (newest === undefined || newest.version === ownRevision) return undefined;
  return isPending(newest) || newest.info.status === "uninstalling" ? patience.waitFor(newest) : undefined;
}
