import type { AutomaticReconcileStatus, InstallationStatus } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { startJob } from "../../job-status.ts";
import { isDeleting } from "../../object-reading.ts";
import { isOnChange } from "../../triggers/observe-changes.ts";
import type { InstallationDecision } from "../installation-decision.ts";
import { withStatus, type InstallationPass } from "../installation-pass.ts";
import { readImportsHash } from "./read-imports-hash.ts";

type StartDecision = Extract<InstallationDecision, { kind: "start-job" }>;

export function withAutomatic(
  status: InstallationStatus,
  automatic: AutomaticReconcileStatus | undefined,
): InstallationStatus {
  const { automaticReconcileStatus: _, ...rest } = status;
  return automatic === undefined ? rest : { ...rest, automaticReconcileStatus: automatic };
}

/**
 * A new job, which the next status write makes known. The hash of the imports is noted at once where changes start jobs: one that
 * ends before it has loaded them would be started again and again otherwise.
 */
export async function beginJob(
  core: Core,
  { pass, decision }: { readonly pass: InstallationPass; readonly decision: StartDecision },
  signal: AbortSignal,
): Promise<InstallationPass> {
  const {
    automatic,
    importsHash = isOnChange(pass.installation) ? await readImportsHash(core, pass, signal) : undefined,
  } = decision;
  if (isDeleting(pass.installation)) core.lostAccess.noteStart({ kind: "Installation", object: pass.installation });
  const started = startJob(withAutomatic(pass.status, automatic), core.newJobId(), nowOf(core));
  const begun = { ...pass, importsHash: undefined };
  return withStatus(begun, importsHash === undefined ? started : { ...started, importsHash });
}
