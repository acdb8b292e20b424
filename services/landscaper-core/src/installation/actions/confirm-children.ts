import { LandscaperError, resources } from "@landscaper/api";
import type { Core } from "../../core.ts";
import { namespaceOf, parentOf, uidOf } from "../../object-reading.ts";
import { isExecutionOf } from "../find-execution.ts";
import type { InstallationPass } from "../installation-pass.ts";
import type { Child } from "../observed-installation.ts";

/**
 * Looks live for children that the caches do not have, before their absence fails the job. The names come from the status: an object
 * that belongs to another Installation is no child.
 */
export async function confirmChildren(
  core: Core,
  { pass, children }: { readonly pass: InstallationPass; readonly children: readonly Pick<Child, "kind" | "name">[] },
  signal: AbortSignal,
): Promise<InstallationPass> {
  const namespace = namespaceOf(pass.installation);
  const { executions, installations } = core.informers;
  const missing: string[] = [];
  for (const { kind, name } of children) {
    if (kind === "Execution") {
      const found = await core.client.find(resources.execution, { namespace, name }, { signal });
      if (found === undefined || !isExecutionOf(found, pass.installation)) missing.push(`execution ${name}`);
      else executions.observe(found);
    } else {
      const found = await core.client.find(resources.installation, { namespace, name }, { signal });
      if (found === undefined || parentOf(found)?.uid !== uidOf(pass.installation))
        missing.push(`subinstallation ${name}`);
      else installations.observe(found);
    }
  }
  if (missing.length === 0) return pass;
  throw new LandscaperError({
    message: `${missing.join(" and ")} was deleted while the job was running`,
    reason: "ChildMissing",
    operation: "handlePhaseProgressing",
    hint: "trigger the installation again",
    retry: "never",
  });
}
