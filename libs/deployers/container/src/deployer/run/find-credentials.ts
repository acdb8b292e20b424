import { LandscaperError } from "@landscaper/api";
import type { DeployContext } from "@landscaper/deployer";
import type { ContainerOperation } from "../../contract/environment.ts";
import type { ContainerConfig } from "../container-config.ts";
import { readCredentials, type ItemCredentials } from "../registries/credentials.ts";

export interface CredentialOptions {
  readonly config: ContainerConfig;
  readonly configFiles: readonly string[];
  readonly operation: ContainerOperation;
}

/** Returns the credentials of a run; undefined for a DELETE run whose Secrets no longer exist: it uses the credentials of the last run. Throws LandscaperError. */
export async function findCredentials(
  { item, landscaper, warn }: Pick<DeployContext<ContainerConfig>, "item" | "landscaper" | "warn">,
  { config, configFiles, operation }: CredentialOptions,
): Promise<ItemCredentials | undefined> {
  try {
    const credentials = await readCredentials({ item, config, landscaper, configFiles });
    for (const message of credentials.warnings) warn({ reason: "PullSecretIgnored", message });
    return credentials;
  } catch (error) {
    const isGone = error instanceof LandscaperError && error.reason === "PullSecretMissing";
    if (isGone && operation === "DELETE") return undefined;
    throw error;
  }
}
