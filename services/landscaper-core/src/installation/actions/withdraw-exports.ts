import { resources, type KubeObject } from "@landscaper/api";
import type { Core } from "../../core.ts";
import { deleteObject } from "../../ensure-object.ts";
import { isListedExport } from "../export-objects.ts";
import type { InstallationPass } from "../installation-pass.ts";
import { listOwnExports } from "../observe-installation.ts";

/** Deletes the exports of a job that failed: consumers would read old values. */
export async function withdrawExports(core: Core, pass: InstallationPass, signal: AbortSignal): Promise<void> {
  await deleteExports(core, { pass, isLeft: () => true }, signal);
}

/** Deletes the exports that the Installation no longer lists; the others stay until the job replaces them (ADR 28). */
export async function withdrawDroppedExports(
  core: Core,
  pass: InstallationPass,
  signal: AbortSignal,
): Promise<InstallationPass> {
  const isLeft = (object: KubeObject): boolean => !isListedExport(pass.installation, object);
  await deleteExports(core, { pass, isLeft }, signal);
  return { ...pass, hasWithdrawnExports: true };
}

async function deleteExports(
  { client, informers }: Core,
  { pass, isLeft }: { readonly pass: InstallationPass; readonly isLeft: (object: KubeObject) => boolean },
  signal: AbortSignal,
): Promise<void> {
  const dataObjects = listOwnExports(informers.dataObjects, pass.installation).filter(isLeft);
  const targets = listOwnExports(informers.targets, pass.installation).filter(isLeft);
  await Promise.all([
    ...dataObjects.map((object) => deleteObject(client, { type: resources.dataObject, object }, signal)),
    ...targets.map((object) => deleteObject(client, { type: resources.target, object }, signal)),
  ]);
}
