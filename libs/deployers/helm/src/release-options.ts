import type { DeploymentOptions } from "@landscaper/helm-release";
import type { HelmConfig } from "./helm-config.ts";

/** How a revision of the item's release is rolled out. */
export function releaseOptions(
  { options, createNamespace }: Pick<HelmConfig, "options" | "createNamespace">,
  { isUpgrade }: { readonly isUpgrade: boolean },
): DeploymentOptions {
  const phase = (isUpgrade ? options.upgrade : options.install) ?? {};
  const { skipSchemaValidation: _checked, timeout: _unused, ...others } = phase;
  return { ...others, createNamespace };
}
