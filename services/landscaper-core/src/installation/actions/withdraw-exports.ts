import { resources } from "@landscaper/api";
import type { Core } from "../../core.ts";
import { deleteObject } from "../../ensure-object.ts";
import type { InstallationPass } from "../installation-pass.ts";
import { listOwnExports } from "../observe-installation.ts";

/** Deletes what the Installation has exported before: while a job runs there are no exports (core.md §4.1). */
export async function withdrawExports(
  core: Core,
  pass: InstallationPass,
  signal: AbortSignal,
): Promise<InstallationPass> {
  const { client, informers } = core;
  const dataObjects = listOwnExports(informers.dataObjects, pass.installation);
  const targets = listOwnExports(informers.targets, pass.installation);
  await Promise.all([
    ...dataObjects.map((object) => deleteObject(client, { type: resources.dataObject, object }, signal)),
    ...targets.map((object) => deleteObject(client, { type: resources.target, object }, signal)),
  ]);
  return { ...pass, hasWithdrawnExports: true };
}
