import { resources, type Execution, type Installation } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { startJob } from "../../job-status.ts";
import { namespaceOf } from "../../object-reading.ts";
import type { InstallationPass } from "../installation-pass.ts";
import { waitingForChildren, type Child } from "../observed-installation.ts";
import { settleJob } from "./settle-job.ts";

async function handToExecution(core: Core, execution: Execution, options: HandOver): Promise<void> {
  const status = startJob(execution.status ?? {}, options.jobID, nowOf(core));
  const { signal } = options;
  const stored = await core.client.updateStatus(resources.execution, { ...execution, status }, { signal });
  core.announcer.execution(stored, execution);
}

async function handToInstallation(core: Core, installation: Installation, options: HandOver): Promise<void> {
  const status = startJob(installation.status ?? {}, options.jobID, nowOf(core));
  const { signal } = options;
  const stored = await core.client.updateStatus(resources.installation, { ...installation, status }, { signal });
  core.announcer.installation(stored, installation);
}

interface HandOver {
  readonly jobID: string;
  readonly signal: AbortSignal;
}

/**
 * Gives the job to children. The status is stored before, so that a crash never leads back to Init while children work. Each write
 * is guarded: a child that has changed is read again.
 */
export async function handOverJob(
  core: Core,
  { pass, children }: { readonly pass: InstallationPass; readonly children: readonly Child[] },
  signal: AbortSignal,
): Promise<InstallationPass> {
  const stored = await settleJob(core, pass, { signal, waiting: waitingForChildren });
  const namespace = namespaceOf(stored.installation);
  const options = { jobID: stored.status.jobID ?? "", signal };
  const { executions, installations } = core.informers;
  await Promise.all(
    children.map(async ({ kind, name }) => {
      if (kind === "Execution") {
        const execution = executions.lister.get({ namespace, name });
        if (execution !== undefined) await handToExecution(core, execution, options);
        return;
      }
      const installation = installations.lister.get({ namespace, name });
      if (installation !== undefined) await handToInstallation(core, installation, options);
    }),
  );
  return stored;
}
