import { parseConfiguredDuration, productVersion, type HelmDeployerConfiguration } from "@landscaper/api";
import type { EgressPolicy } from "@landscaper/egress";
import { createHelmDeployer, type HelmDeployer, type HelmDeployerOptions } from "./helm-deployer.ts";

/** What a configuration says of charts. */
export type HelmSettings = Pick<
  HelmDeployerConfiguration,
  | "oci"
  | "registry"
  | "rendering"
  | "remoteSchemas"
  | "egress"
  | "abandonedAfter"
  | "ignoreFields"
  | "healthRules"
  | "allowSecretNames"
  | "helmVersion"
>;

export interface Surroundings extends Pick<HelmDeployerOptions, "unseal"> {
  readonly egress: EgressPolicy;
}

/** The helm deployer of this release, as a configuration file wants it. */
export function createConfiguredHelmDeployer(
  {
    oci,
    registry,
    rendering,
    remoteSchemas,
    egress: settings,
    abandonedAfter,
    ignoreFields,
    healthRules,
    allowSecretNames,
    helmVersion,
  }: HelmSettings,
  { egress, unseal }: Surroundings,
): HelmDeployer {
  return createHelmDeployer({
    version: `v${productVersion}`,
    oci,
    rendering,
    schemaHosts: remoteSchemas?.hosts,
    localRoot: registry?.local?.rootPath,
    egress,
    unseal,
    tokenRealms: settings.tokenRealms,
    abandonedAfterMs: parseConfiguredDuration(abandonedAfter, "abandonedAfter"),
    ignoreFields,
    healthRules,
    allowSecretNames,
    helmVersion,
  });
}
