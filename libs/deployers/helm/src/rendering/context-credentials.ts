import {
  LandscaperError,
  chartRepositoryConfiguration,
  defaultContextName,
  kubeResources,
  resources,
  type DeployItem,
} from "@landscaper/api";
import {
  parseRepositoryCredentials,
  warnOfRepositoryCredentials,
  type RepositoryCredential,
} from "@landscaper/chart-source";
import type { ItemNamespace } from "@landscaper/deployer";
import { parsePullSecret, type CredentialEntry, type Credentials } from "@landscaper/oci";

/** What charts of an item may be fetched with; secret but for the warnings. */
export interface ChartCredentials {
  readonly registries: readonly CredentialEntry[];
  readonly repositories: readonly RepositoryCredential[];
  /** What was passed over, one sentence each; without values. */
  readonly warnings: readonly string[];
  /** That there is no Context, for a chart that is fetched. */
  readonly absent?: string;
}

/**
 * The credentials of the item's Context (ocm.md §9): pull secrets of registries and those of Helm repositories. Throws LandscaperError that
 * names Context, Secret and key, never a value.
 */
export async function readContextCredentials(item: DeployItem, landscaper: ItemNamespace): Promise<ChartCredentials> {
  const name = item.spec.context ?? defaultContextName;
  const context = await landscaper.find(resources.context, name);
  if (context === undefined) {
    // Charts that need nobody's credentials need no Context.
    const absent = `Context ${name} does not exist: the chart is fetched without credentials of its own`;
    return { registries: [], repositories: [], warnings: [], absent };
  }
  const found = await Promise.all(
    (context.registryPullSecrets ?? []).map(async ({ name: secret }, index) => {
      if (secret !== undefined) return await readPullSecret(secret, landscaper);
      return {
        entries: [],
        warnings: [`Context ${name}: registryPullSecrets[${index}]: has no name; it is passed over`],
      };
    }),
  );
  const configuration = context.configurations?.[chartRepositoryConfiguration];
  const where = `Context ${name}: configurations.${chartRepositoryConfiguration}`;
  const repositories = await parseRepositoryCredentials(configuration, {
    where,
    readSecret: async (secret, key) => await readKey(secret, key, landscaper),
  });
  return {
    registries: found.flatMap(({ entries }) => entries),
    repositories,
    warnings: [...found.flatMap(({ warnings }) => warnings), ...warnOfRepositoryCredentials(configuration, where)],
  };
}

async function readPullSecret(name: string, landscaper: ItemNamespace): Promise<Credentials> {
  return parsePullSecret(await readSecret(name, landscaper), `Secret ${name}`);
}

async function readKey(name: string, key: string, landscaper: ItemNamespace): Promise<string> {
  const encoded = (await readSecret(name, landscaper))[key];
  if (encoded !== undefined) return Buffer.from(encoded, "base64").toString("utf8");
  throw missing(`Secret ${name}: has no key ${key}`);
}

async function readSecret(name: string, landscaper: ItemNamespace): Promise<Readonly<Record<string, string>>> {
  const secret = await landscaper.find(kubeResources.secret, name);
  if (secret === undefined) throw missing(`Secret ${name}, which the Context names, does not exist`);
  return secret.data ?? {};
}

/** It may come. */
function missing(message: string): LandscaperError {
  return new LandscaperError({ message, reason: "ChartCredentialsMissing" });
}
