import { resources, type Installation, type InstallationStatus } from "@landscaper/api";
import type { Core } from "../core.ts";
import { storeJobStatus } from "../store-status.ts";

/** One run over an Installation. Phases that it falls through live in `status` until it blocks or ends. */
export interface InstallationPass {
  /** As the API server returned it last; every write is guarded by its resourceVersion. */
  readonly installation: Installation;
  readonly status: InstallationStatus;
  /** The exports that the Installation no longer lists have been deleted in this pass. */
  readonly hasWithdrawnExports: boolean;
  /** The sub-objects are as the blueprint says. */
  readonly isApplied: boolean;
  /** Hash of the imported values, once they have been read to see whether they have changed. */
  readonly importsHash: string | undefined;
}

export function startPass(installation: Installation): InstallationPass {
  return {
    installation,
    status: installation.status ?? {},
    hasWithdrawnExports: false,
    isApplied: false,
    importsHash: undefined,
  };
}

export function withStatus(pass: InstallationPass, status: InstallationStatus): InstallationPass {
  return { ...pass, status };
}

/** The pass after the API server has answered a write of metadata. */
export function withStored(pass: InstallationPass, installation: Installation): InstallationPass {
  return { ...pass, installation };
}

/** Stores the status of the pass. `waiting` says what the job waits for. */
export async function storeStatus(
  core: Core,
  pass: InstallationPass,
  { signal, waiting }: { readonly signal: AbortSignal; readonly waiting?: string | undefined },
): Promise<InstallationPass> {
  const installation = await storeJobStatus(core, {
    type: resources.installation,
    object: pass.installation,
    status: pass.status,
    waiting,
    announce: core.announcer.installation,
    signal,
  });
  return { ...pass, installation, status: installation.status ?? {} };
}
