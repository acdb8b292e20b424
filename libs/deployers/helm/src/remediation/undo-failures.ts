import {
  createRollback,
  createUninstall,
  locateObjects,
  parseManifest,
  type ReleaseRecord,
} from "@landscaper/helm-release";
import type { RemediationDecision } from "./decide-remediation.ts";
import { persistHelmStatus, readHelmStatus, type Attempts, type Remedy } from "../helm-status.ts";
import { releaseOptions } from "../release/release-options.ts";
import type { NextOperation, ReleaseAccess, ReleaseWork } from "../release/release-progress.ts";
import { remediatedError } from "./remediation-error.ts";
import { othersAtWork } from "./roll-back-as-asked.ts";
import { workloadsOf } from "../release/workloads.ts";

export interface Undoing {
  readonly decision: Exclude<RemediationDecision, { type: "attempt" }>;
  readonly history: readonly ReleaseRecord[];
  readonly attempts: Attempts;
}

/** Begins to undo what has failed; it is in the status before. Throws LandscaperError when that is done: the job has failed. */
export async function undoFailures(
  work: ReleaseWork,
  { release, patience }: ReleaseAccess,
  { decision, history, attempts }: Undoing,
): Promise<NextOperation> {
  const { context } = work;
  if (decision.type === "end") throw remediatedError(attempts, decision.done);
  const status = readHelmStatus(context.providerStatus);
  const own = attempts.remedy?.type === "rollback" ? attempts.remedy.revision : status.release?.revision;
  const waiting = othersAtWork(history, own, patience);
  if (waiting !== undefined) return waiting;
  if (decision.type === "uninstall") {
    const remedy: Remedy = { type: "uninstall" };
    const run = createUninstall(release, history, { wait: true });
    const isEnd = decision.next === "end";
    const noted = isEnd ? { attempts: { ...attempts, remedy }, managedResources: [] } : { attempts };
    await persistHelmStatus(context, { ...status, ...noted });
    return { type: "undo", run, remedy };
  }
  const { target, retryOf } = decision;
  const options = releaseOptions(context, { isUpgrade: true, history, status });
  const run = createRollback(release, { target, history, options, retryOf });
  const remedy: Remedy = { type: "rollback", to: target.version, revision: run.record.version };
  const managedResources = await workloadsIn(target, work);
  await persistHelmStatus(context, { ...status, attempts: { ...attempts, remedy }, managedResources });
  return { type: "undo", run, remedy };
}

async function workloadsIn({ manifest }: ReleaseRecord, { context, cluster }: ReleaseWork) {
  const { config, signal } = context;
  const located = { namespace: config.namespace, anyVersion: true, signal };
  return workloadsOf(await locateObjects(cluster, await parseManifest(manifest), located));
}
