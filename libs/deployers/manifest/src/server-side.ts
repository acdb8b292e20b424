import { createHash } from "node:crypto";
import type { DeployItem } from "@landscaper/api";
import { originalManagers, type ServerSideOptions } from "@landscaper/resources";
import type { ManifestConfig } from "./manifest-config.ts";

/** Name of the deployer; also the field manager of its writes that are no applies. */
export const manifestDeployerName = "manifest.deployer.landscaper.gardener.cloud";

/** How the field managers of all items begin. */
const family = "landscaper/";

/** The API server's limit. */
const maxManagerLength = 128;
const hashLength = 8;

/** The field manager of an item with strategy `apply`: its own, so that two items never share fields without noticing. */
export function fieldManagerOf(item: DeployItem, { updateStrategy }: ManifestConfig): string | undefined {
  return updateStrategy === "apply" ? applyManagerOf(item) : undefined;
}

/** The field manager under which an item applies its manifests. */
export function applyManagerOf({ metadata }: DeployItem): string {
  const name = `${family}${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
  if (name.length <= maxManagerLength) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, hashLength);
  return `${name.slice(0, maxManagerLength - hashLength - 1)}-${hash}`;
}

export function serverSideOf(item: DeployItem, config: ManifestConfig): ServerSideOptions | undefined {
  const manager = fieldManagerOf(item, config);
  if (manager === undefined) return undefined;
  const { force = false, takeOver = [] } = config.serverSideApply ?? {};
  const { formerManagers = [] } = config;
  const former = [manifestDeployerName, ...formerManagers, ...takeOver];
  const managers = { manager, former, formerApplies: formerManagers, formerOfOwned: originalManagers, family };
  return { managers, force };
}
