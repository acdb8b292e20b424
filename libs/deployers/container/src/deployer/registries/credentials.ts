import { readFile } from "node:fs/promises";
import {
  LandscaperError,
  defaultContextName,
  kubeResources,
  resources,
  type Context,
  type DeployItem,
} from "@landscaper/api";
import type { ItemNamespace } from "@landscaper/deployer";
import {
  findCredential,
  joinCredentials,
  parseDockerConfig,
  parsePullSecret,
  parseReference,
  type CredentialEntry,
  type Credentials,
  type RepositoryReference,
} from "@landscaper/oci";
import type { ContainerConfig } from "../container-config.ts";

/** Credentials that an item may use; secret but for the warnings. */
export interface ItemCredentials {
  /** For images of programs: what users have given. */
  readonly own: readonly CredentialEntry[];
  /** For components and blueprints: these, and those of the deployer's configuration. */
  readonly all: readonly CredentialEntry[];
  /** What was passed over, one sentence each; without values. */
  readonly warnings: readonly string[];
  /** `.ocmconfig` and what else the ConfigMap has that the Context names. */
  readonly ocmConfig: Readonly<Record<string, string>>;
}

export interface CredentialSources {
  readonly item: DeployItem;
  readonly config: Pick<ContainerConfig, "registryPullSecrets">;
  readonly landscaper: ItemNamespace;
  /** Docker configuration files of the deployer's configuration. */
  readonly configFiles: readonly string[];
}

/**
 * Reads the pull secrets of the item and of its Context, all of the item's namespace, and the OCM configuration of the Context. Throws LandscaperError that
 * names field or Secret, never a value.
 */
export async function readCredentials(sources: CredentialSources): Promise<ItemCredentials> {
  const { item, config, landscaper, configFiles } = sources;
  const { namespace } = item.metadata;
  for (const [index, { namespace: given }] of (config.registryPullSecrets ?? []).entries()) {
    if (given === namespace) continue;
    const where = `spec.config: registryPullSecrets[${index}].namespace`;
    throw missing(`${where}: expected "${namespace}", the namespace of the item, found "${given}"`, "never");
  }
  const contextName = item.spec.context ?? defaultContextName;
  const context = await landscaper.find(resources.context, contextName);
  const names = [
    ...(config.registryPullSecrets ?? []).map(({ name }) => ({ name, by: "spec.config.registryPullSecrets" })),
    ...(context?.registryPullSecrets ?? []).flatMap(({ name }) =>
      name === undefined ? [] : [{ name, by: `Context ${contextName}` }],
    ),
  ];
  const own = joinCredentials(
    await Promise.all(names.map(async ({ name, by }) => readPullSecret(name, by, landscaper))),
  );
  const files = joinCredentials(
    await Promise.all(
      configFiles.map(async (file) => parseDockerConfig(await readFile(file, "utf8"), { where: file })),
    ),
  );
  return {
    own: own.entries,
    all: [...own.entries, ...files.entries],
    warnings: [...own.warnings, ...files.warnings],
    ocmConfig: await readOcmConfig(context, landscaper),
  };
}

async function readPullSecret(name: string, by: string, landscaper: ItemNamespace): Promise<Credentials> {
  const secret = await landscaper.find(kubeResources.secret, name);
  if (secret === undefined) throw missing(`Secret ${name}, which ${by} names, does not exist`, "backoff");
  return parsePullSecret(secret.data ?? {}, `Secret ${name}`);
}

async function readOcmConfig(
  context: Context | undefined,
  landscaper: ItemNamespace,
): Promise<Readonly<Record<string, string>>> {
  const { name = "" } = context?.ocmConfig ?? {};
  if (name === "") return {};
  const configMap = await landscaper.find(kubeResources.configMap, name);
  if (configMap !== undefined) return configMap.data ?? {};
  throw missing(`ConfigMap ${name}, which Context ${context?.metadata.name} names, does not exist`, "backoff");
}

/** It may come, but for what the item itself says. */
function missing(message: string, retry: "never" | "backoff"): LandscaperError {
  return new LandscaperError({ message, reason: "PullSecretMissing", retry });
}

/** `.dockerconfigjson` with the one entry for the image; undefined when there is none. */
export function imageCredential(entries: readonly CredentialEntry[], image: string): string | undefined {
  return encode(findCredential(entries, parseReference(image)));
}

/** The same for a repository. */
export function placeCredential(
  entries: readonly CredentialEntry[],
  place: RepositoryReference | undefined,
): string | undefined {
  return encode(place && findCredential(entries, place));
}

/** As clients of registries look for it: Docker Hub has a name of its own. */
function encode(entry: CredentialEntry | undefined): string | undefined {
  if (entry === undefined) return undefined;
  const { host, path, credential } = entry;
  const { username, password = "", identityToken, registryToken } = credential;
  const server = host === "docker.io" ? "https://index.docker.io/v1/" : [host, path].filter(Boolean).join("/");
  const auth = {
    ...(username === undefined
      ? {}
      : { username, password, auth: Buffer.from(`${username}:${password}`).toString("base64") }),
    ...(identityToken === undefined ? {} : { identitytoken: identityToken }),
    ...(registryToken === undefined ? {} : { registrytoken: registryToken }),
  };
  return JSON.stringify({ auths: { [server]: auth } });
}
