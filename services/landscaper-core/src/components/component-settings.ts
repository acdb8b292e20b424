import { readFile } from "node:fs/promises";
import {
  chartRepositoryConfiguration,
  kubeResources,
  LandscaperError,
  resources,
  type ComponentVersionOverwrite,
  type Context,
  type Installation,
} from "@landscaper/api";
import { prerequisiteError, selectRoot } from "@landscaper/blueprint";
import { parseRepositoryCredentials, warnOfRepositoryCredentials } from "@landscaper/chart-source";
import {
  parseOcmConfiguration,
  type ComponentRights,
  type ComponentSelection,
  type OcmConfiguration,
  type WantedSignature,
} from "@landscaper/components";
import type { Client } from "@landscaper/controller-runtime";
import { joinCredentials, parseDockerConfig, parsePullSecret, type Credentials } from "@landscaper/oci";
import { checkVerification, type SignaturePolicy } from "../installation/preparation/check-verification.ts";
import { namespaceOf } from "../object-reading.ts";
import { readSignatureKeys } from "./read-signature-keys.ts";

/** What the Context of an Installation says of its components. */
export interface ComponentSettings {
  readonly selection: ComponentSelection;
  readonly ocm: OcmConfiguration;
  readonly context: Context;
  readonly verification: WantedSignature | undefined;
}

/** By default what demands verification is verified, with keys of its own namespace. */
export interface SettingsOptions extends SettingsReader, Partial<SignatureRules> {
  /** Whether this job has verified the component before: keys are not read again. Default: false. */
  readonly isVerified?: boolean;
}

/** What becomes of signatures. */
export interface SignatureRules {
  readonly policy: SignaturePolicy;
  readonly secretNamespaces: readonly string[];
}

export interface SettingsReader {
  readonly client: Client;
  readonly signal: AbortSignal;
}

const noOcm: OcmConfiguration = { resolvers: [], entries: [], warnings: [] };

/** Undefined for an Installation without a component, which needs nothing of this. Throws LandscaperError that names the object. */
export async function readComponentSettings(
  installation: Installation,
  context: Context,
  { isVerified = false, policy = "DoNotEnforce", secretNamespaces = [], ...reader }: SettingsOptions,
): Promise<ComponentSettings | undefined> {
  const root = selectRoot(installation);
  if (root === undefined) return undefined;
  const namespace = namespaceOf(installation);
  const signatureName = isVerified ? undefined : checkVerification(installation, policy);
  const [overwrites, ocm, verification] = await Promise.all([
    readOverwrites(context, namespace, reader),
    readOcmConfiguration(context, namespace, reader),
    signatureName === undefined
      ? undefined
      : readSignatureKeys(signatureName, context, { ...reader, secretNamespaces }),
  ]);
  const own = installation.spec.componentDescriptor?.ref?.repositoryContext;
  const selection = {
    root,
    context: given(own) ?? given(context.repositoryContext),
    overwrites,
    hasResolvers: ocm.resolvers.length > 0,
  };
  return { selection, ocm, context, verification };
}

/** An empty object says nothing. */
function given(context: Context["repositoryContext"]): Context["repositoryContext"] {
  return context === undefined || Object.keys(context).length === 0 ? undefined : context;
}

async function readOverwrites(
  { componentVersionOverwrites: name = "", metadata }: Context,
  namespace: string,
  { client, signal }: SettingsReader,
): Promise<readonly ComponentVersionOverwrite[]> {
  if (name === "") return [];
  const found = await client.find(resources.componentVersionOverwrites, { namespace, name }, { signal });
  if (found !== undefined) return found.overwrites ?? [];
  throw missing(
    `Context "${metadata.name}": componentVersionOverwrites: ComponentVersionOverwrites "${name}" was not found`,
  );
}

async function readOcmConfiguration(
  { ocmConfig, metadata }: Context,
  namespace: string,
  { client, signal }: SettingsReader,
): Promise<OcmConfiguration> {
  const name = ocmConfig?.name ?? "";
  if (name === "") return noOcm;
  const where = `Context "${metadata.name}": ocmConfig: ConfigMap "${name}"`;
  const found = await client.find(kubeResources.configMap, { namespace, name }, { signal });
  if (found === undefined) throw missing(`${where} was not found`);
  const text = found.data?.[".ocmconfig"];
  if (text === undefined) throw missing(`${where}: expected the key .ocmconfig`);
  return parseOcmConfiguration(text, `ConfigMap "${name}": .ocmconfig`);
}

export interface CredentialReading {
  readonly rights: ComponentRights;
  /** What was passed over of what the Context names. */
  readonly warnings: readonly string[];
  /** What was passed over of the service's own files, for its operator. */
  readonly serviceWarnings: readonly string[];
}

/** Read when something is fetched, and again for every job: credentials are renewed in place. Throws LandscaperError that names Secret and key, never a value. */
export async function readComponentRights(
  { context, ocm }: ComponentSettings,
  { client, signal, configFiles }: SettingsReader & { readonly configFiles: readonly string[] },
): Promise<CredentialReading> {
  const namespace = context.metadata.namespace ?? "";
  const names = context.registryPullSecrets ?? [];
  const secrets = await Promise.all(
    names.map(async ({ name = "" }, index): Promise<Credentials> => {
      if (name !== "")
        return await readPullSecret(
          { name, namespace },
          { client, signal, where: `Context "${context.metadata.name}"` },
        );
      const warning = `Context "${context.metadata.name}": registryPullSecrets[${index}]: has no name; it is passed over`;
      return { entries: [], warnings: [warning] };
    }),
  );
  const files = joinCredentials(await Promise.all(configFiles.map(readConfigFile)));
  const own = joinCredentials([...secrets, ocm]);
  const configuration = context.configurations?.[chartRepositoryConfiguration];
  const where = `Context "${context.metadata.name}": configurations.${chartRepositoryConfiguration}`;
  const rights = {
    credentials: [...own.entries, ...files.entries],
    resolvers: ocm.resolvers,
    readRepositories: async (options: Pick<SettingsReader, "signal">) =>
      await parseRepositoryCredentials(configuration, {
        where,
        readSecret: async (name, key) => await readSecretText({ name, namespace }, key, { client, ...options, where }),
      }),
  };
  const warnings = [...own.warnings, ...warnOfRepositoryCredentials(configuration, where)];
  return { rights, warnings, serviceWarnings: files.warnings };
}

async function readPullSecret(
  key: { readonly name: string; readonly namespace: string },
  { client, signal, where }: SettingsReader & { readonly where: string },
): Promise<Credentials> {
  const secret = await client.find(kubeResources.secret, key, { signal });
  if (secret === undefined) throw missing(`${where}: registryPullSecrets: Secret "${key.name}" was not found`);
  return parsePullSecret(secret.data ?? {}, `Secret ${key.name}`);
}

async function readSecretText(
  object: { readonly name: string; readonly namespace: string },
  key: string,
  { client, signal, where }: SettingsReader & { readonly where: string },
): Promise<string> {
  const secret = await client.find(kubeResources.secret, object, { signal });
  if (secret === undefined) throw missing(`${where}: Secret "${object.name}" was not found`);
  const value = secret.data?.[key];
  if (value === undefined) throw missing(`${where}: Secret "${object.name}" has no key ${key}`);
  return Buffer.from(value, "base64").toString("utf8");
}

/** The operator's own; tenants are not told where they are. */
async function readConfigFile(file: string): Promise<Credentials> {
  try {
    return parseDockerConfig(await readFile(file, "utf8"), { where: "configuration of landscaper-core" });
  } catch (error) {
    throw new LandscaperError({
      message: "registry.oci.configFiles of landscaper-core: a file cannot be read",
      reason: "InvalidConfiguration",
      hint: "ask the operator to correct it; the log of the core at its start names the files",
      cause: error,
    });
  }
}

function missing(message: string): LandscaperError {
  return prerequisiteError(message, "CalculateContext", "create it and trigger the installation again");
}
