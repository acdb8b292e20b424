import { LandscaperError, defaultContextName, kubeResources, resources, type Context } from "@landscaper/api";
import { parseOcmConfiguration, type ComponentSource, type OcmConfiguration } from "@landscaper/components";
import type { ItemNamespace } from "@landscaper/deployer";
import type { ChartRenderer } from "./chart-renderer.ts";
import type { FetchResource } from "./chart-store.ts";

export interface ComponentChartsOptions {
  readonly source: ComponentSource;
  /** Reads descriptors in its threads. */
  readonly renderer: ChartRenderer;
}

/**
 * Fetches charts that are resources of components (`chart.resourceRef`): the component version that the key names is looked for in the repositories of the item's Context
 * (docs/reference/components.md#repositories). Throws LandscaperError.
 */
export function createComponentCharts({ source, renderer }: ComponentChartsOptions): FetchResource {
  return async ({ component, resource }, { item, landscaper, registries, signal }) => {
    const context = await landscaper.find(resources.context, item.spec.context ?? defaultContextName);
    const ocm = await readOcmConfiguration(context, landscaper);
    const rights = { credentials: [...registries, ...ocm.entries], resolvers: ocm.resolvers };
    const fetcher = source.forJob(rights);
    const repository = repositoryOf(context);
    const text = await fetcher.fetch({ type: "descriptor", component, context: repository }, { signal });
    const task = { type: "resource" as const, text: text.bytes, key: { component, resource }, where: text.where };
    const name = `component ${component.name}:${component.version}`;
    const { access, digest } = await renderer.perform(task, { name, item, signal });
    const { name: named = "" } = resource;
    const { bytes } = await fetcher.fetch(
      { type: "content", component, context: text.context, resource: named, access, digest, use: "content" },
      { signal },
    );
    return bytes;
  };
}

/** An empty object says nothing. */
function repositoryOf(context: Context | undefined): Context["repositoryContext"] {
  const { repositoryContext = {} } = context ?? {};
  return Object.keys(repositoryContext).length === 0 ? undefined : repositoryContext;
}

async function readOcmConfiguration(
  context: Context | undefined,
  landscaper: ItemNamespace,
): Promise<OcmConfiguration> {
  const name = context?.ocmConfig?.name ?? "";
  if (name === "") return { resolvers: [], entries: [], warnings: [] };
  const found = await landscaper.find(kubeResources.configMap, name);
  const text = found?.data?.[".ocmconfig"];
  if (text !== undefined) return parseOcmConfiguration(text, `ConfigMap "${name}": .ocmconfig`);
  // It may come.
  throw new LandscaperError({
    message: `ConfigMap ${name}, which the Context names, ${found === undefined ? "does not exist" : "has no key .ocmconfig"}`,
    reason: "ChartCredentialsMissing",
  });
}
