import {
  annotations,
  isJobOpen,
  keyOf,
  operations,
  resources,
  type Execution,
  type Installation,
  type ResourceType,
} from "@landscaper/api";
import type { Core } from "../../core.ts";
import { hasAnnotation } from "../../object-reading.ts";
import type { InstallationPass } from "../installation-pass.ts";
import { findExecution } from "../find-execution.ts";
import { listSubinstallations } from "../imports/siblings.ts";
import { writeMetadata } from "./write-metadata.ts";

async function passOn<T extends Execution | Installation>(
  core: Core,
  { type, object }: { readonly type: ResourceType<T>; readonly object: T },
  signal: AbortSignal,
): Promise<void> {
  const touch = hasAnnotation(object, annotations.touch) ? null : "true";
  const body = {
    metadata: { annotations: { [annotations.operation]: operations.interrupt, [annotations.touch]: touch } },
  };
  await core.client.patch(type, keyOf(object), { type: "merge", body, signal });
}

/**
 * Hands the interruption to the Execution and all subinstallations, then takes the annotation off: a crash between repeats it.
 * An Installation that waits in Init is not shaken loose (core.md §2.7).
 */
export async function interrupt(core: Core, pass: InstallationPass, signal: AbortSignal): Promise<InstallationPass> {
  const { installation } = pass;
  if (isJobOpen(installation.status)) {
    const execution = findExecution(core.informers, installation);
    const subinstallations = listSubinstallations(core.informers.installations.lister, installation);
    await Promise.all([
      ...(execution === undefined ? [] : [passOn(core, { type: resources.execution, object: execution }, signal)]),
      ...subinstallations.map((object) => passOn(core, { type: resources.installation, object }, signal)),
    ]);
  }
  return writeMetadata(core, { pass, removesOperation: true }, signal);
}
