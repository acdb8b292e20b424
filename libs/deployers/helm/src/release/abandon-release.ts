import type { AbandonContext } from "@landscaper/deployer";
import { recordAbandoned } from "@landscaper/helm-release";
import type { HelmConfig } from "../helm-config.ts";
import { readHelmStatus } from "../helm-status.ts";
import { releaseContext } from "./release-access.ts";
import type { Progress } from "./release-progress.ts";

/** A job has ended while it was at work on a release: its revision, if it is pending, is recorded as failed. The next job has nothing to repair. */
export async function abandonRelease(context: AbandonContext<HelmConfig>): Promise<void> {
  const { memory, problem, signal, target, work } = context;
  // The next deletion begins with whatever revision is left.
  if (work === "delete") return;
  const { mode, release, attempts } = readHelmStatus(context.providerStatus);
  if (mode !== "release" || release === undefined) return;
  const { operation } = memory<{ release?: Progress }>(() => ({})).release ?? {};
  const revisions = [
    release.revision,
    attempts?.remedy?.type === "rollback" ? attempts.remedy.revision : undefined,
    // What `atomic` undoes has a number that the status does not know.
    operation?.type === "deploy" ? operation.run.revisionAtWork : undefined,
  ].filter((revision) => revision !== undefined);
  const access = releaseContext(release, await target.cluster(), context);
  await recordAbandoned(access, { revisions, problem }, signal);
}
