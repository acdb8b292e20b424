import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  configurationError,
  parseContainerProviderConfiguration,
  type ContainerProviderConfiguration,
  type LandscaperError,
} from "@landscaper/api";
import { parseOcmConfiguration, type OcmConfiguration } from "@landscaper/components";
import { parsePullSecret, type CredentialEntry, type FindCertificates } from "@landscaper/oci";
import type { ContainerPaths } from "../contract/paths.ts";
import { parseRegistryCertificates } from "../contract/registry-certificates.ts";
import { parseRegistryProxies, type RegistryProxies } from "../contract/registry-proxies.ts";
import { readJson } from "../contract/state-index.ts";
import { codeOf } from "../program-files/open-folder.ts";

/** The provider configuration of the item. Throws LandscaperError. */
export async function readConfiguration(file: string): Promise<ContainerProviderConfiguration> {
  return parseContainerProviderConfiguration(readJson(await readFile(file, "utf8")), "configuration.json");
}

/** What the registries of a job are reached with. */
export interface RegistryInputs extends Pick<OcmConfiguration, "resolvers"> {
  readonly credentials: readonly CredentialEntry[];
  /** For single hosts. */
  readonly certificates: FindCertificates;
  readonly proxies: RegistryProxies;
  /** Of what is passed over. */
  readonly warnings: readonly string[];
}

/** Pull secrets, certificates, proxies and OCM configuration, each where it is mounted. Throws LandscaperError that names the file, never a value. */
export async function readRegistryInputs(paths: ContainerPaths): Promise<RegistryInputs> {
  const found = [await readPullSecret(paths.blueprintPullSecret), await readPullSecret(paths.componentPullSecret)];
  const text = (await readUnlessMissing(paths.ocmConfiguration))?.toString() ?? "";
  const ocm = text.trim() === "" ? undefined : parseOcmConfiguration(text, ".ocmconfig");
  const known = await readUnlessMissing(paths.certificates);
  const certificates = known === undefined ? {} : parseRegistryCertificates(known.toString(), "certificates.json");
  const proxies = await readUnlessMissing(paths.proxies);
  return {
    certificates: (host) => Promise.resolve(Object.hasOwn(certificates, host) ? certificates[host] : undefined),
    credentials: [...found.flatMap(({ entries }) => entries), ...(ocm?.entries ?? [])],
    proxies: proxies === undefined ? {} : parseRegistryProxies(proxies.toString(), "proxies.json"),
    resolvers: ocm?.resolvers ?? [],
    warnings: [...found.flatMap(({ warnings }) => warnings), ...(ocm?.warnings ?? [])],
  };
}

/** A Secret that is mounted as a folder has a file for each key. */
async function readPullSecret(folder: string): Promise<ReturnType<typeof parsePullSecret>> {
  const keys = await listUnlessMissing(folder);
  // The kubelet's own links begin with two dots.
  const files = keys.filter((key) => !key.startsWith(".."));
  if (files.length === 0) return { entries: [], warnings: [] };
  const data = await Promise.all(
    files.map(async (key) => [key, (await readFile(join(folder, key))).toString("base64")] as const),
  );
  return parsePullSecret(Object.fromEntries(data), folder);
}

async function listUnlessMissing(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

export async function readUnlessMissing(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A mistake in the configuration of the item. */
export function itemConfigurationError(message: string): LandscaperError {
  return configurationError(`configuration.json: ${message}`);
}
