import { keyOf, resources } from "@landscaper/api";
import type { Core } from "../../core.ts";
import { withStored, type InstallationPass } from "../installation-pass.ts";
import { buildMetadataPatch } from "../metadata-patch.ts";

/** One metadata write (design.md §6): finalizer, default context, and the operation annotation that the job has taken. */
export async function writeMetadata(
  core: Core,
  { pass, removesOperation }: { readonly pass: InstallationPass; readonly removesOperation: boolean },
  signal: AbortSignal,
): Promise<InstallationPass> {
  const { installation } = pass;
  const body = buildMetadataPatch(installation, removesOperation);
  const stored = await core.client.patch(resources.installation, keyOf(installation), { type: "merge", body, signal });
  return withStored(pass, stored);
}
