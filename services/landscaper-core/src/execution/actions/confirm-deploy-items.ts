import { LandscaperError, resources, type DeployItem, type DeployItemTemplate } from "@landscaper/api";
import type { Core } from "../../core.ts";
import { controllerOf, namespaceOf, uidOf } from "../../object-reading.ts";
import type { ExecutionPass } from "../execution-pass.ts";
import { deployItemName } from "../identify-deploy-items.ts";

/** Looks live for DeployItems that the cache does not have, before their absence fails the job (core.md §4.32). */
export async function confirmDeployItems(
  core: Core,
  { pass, items }: { readonly pass: ExecutionPass; readonly items: readonly DeployItemTemplate[] },
  signal: AbortSignal,
): Promise<ExecutionPass> {
  const namespace = namespaceOf(pass.execution);
  const noted = new Map(
    (pass.status.deployItemCache?.activeDIs ?? []).map(({ specName, objectName }) => [specName, objectName]),
  );
  const found = await Promise.all(
    items.map(({ name: item }) => {
      const name = noted.get(item) ?? deployItemName(pass.execution, item);
      return core.client.find(resources.deployItem, { namespace, name }, { signal });
    }),
  );
  // An object that the Execution no longer controls is not one of its DeployItems, whatever its name is.
  const isOwn = (each: DeployItem | undefined): each is DeployItem =>
    each !== undefined && controllerOf(each, "Execution")?.uid === uidOf(pass.execution);
  for (const deployItem of found) if (isOwn(deployItem)) core.informers.deployItems.observe(deployItem);
  const missing = items.filter((_, index) => !isOwn(found[index])).map(({ name }) => `"${name}"`);
  if (missing.length === 0) return pass;
  throw new LandscaperError({
    message: `has failed or missing deploy items: ${missing.join(", ")} was deleted while the job was running`,
    reason: "DeployItemMissing",
    operation: "DeployItems",
    hint: "trigger the installation again",
    retry: "never",
  });
}
