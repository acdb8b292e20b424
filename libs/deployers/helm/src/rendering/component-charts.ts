import { promisify } from "node:util";
import { gzip } from "node:zlib";
import {
  annotations,
  LandscaperError,
  defaultContextName,
  kubeResources,
  resources,
  type Context,
  type DeployItem,
} from "@landscaper/api";
import {
  isInlineContext,
  parseChartPin,
  parseOcmConfiguration,
  placedError,
  type ChartPin,
  type ComponentSource,
  type OcmConfiguration,
} from "@landscaper/components";
import type { ResourceKey } from "@landscaper/ocm";
import type { ItemNamespace } from "@landscaper/deployer";
import type { ChartRenderer } from "./chart-renderer.ts";
import type { FetchResource } from "./chart-store.ts";
import { checkDescriptor, pinnedDigest, type ChartResource } from "./find-chart-resource.ts";

export interface ComponentChartsOptions {
  readonly source: ComponentSource;
  /** Reads descriptors in its threads. */
  readonly renderer: ChartRenderer;
}

/**
 * Fetches charts that are resources of components (`chart.resourceRef`): the component version that the key names is looked for in the repository that the core has found it in, else in those
 * of the item's Context (docs/reference/components.md#pins). Throws LandscaperError, also when it is another one than the core had.
 */
export function createComponentCharts({ source, renderer }: ComponentChartsOptions): FetchResource {
  return async (key, { item, landscaper, registries, repositories, findInIndex, signal }) => {
    const { component, resource } = key;
    const name = `component ${component.name}:${component.version}`;
    const pin = pinOf(item, component);
    const context = await landscaper.find(resources.context, item.spec.context ?? defaultContextName);
    const repository = pin.repository ?? repositoryOf(context);
    const ocm = await readOcmConfiguration(context, landscaper);
    const fetcher = source.forJob({
      credentials: [...registries, ...ocm.entries],
      resolvers: ocm.resolvers,
      readRepositories: () => Promise.resolve(repositories),
      findInIndex,
    });
    const work = { name, item, signal };
    const advising = async <T>(finding: Promise<T>): Promise<T> =>
      await finding.catch((error: unknown) => {
        throw withAdvice(error, name, pin);
      });
    const { name: named = "" } = resource;
    const fetchContent = async (found: ChartResource, from: Context["repositoryContext"]): Promise<Uint8Array> => {
      const content = { type: "content", component, context: from, resource: named, use: "content" } as const;
      return (await fetcher.fetch({ ...content, ...found }, { signal })).bytes;
    };
    if (repository !== undefined && isInlineContext(repository)) {
      const found = await advising(renderer.perform({ type: "inlineChart", repository, key, pin }, work));
      return "bytes" in found ? await withGzip(found.bytes) : await fetchContent(found, repository);
    }
    const request = { type: "descriptor", component, context: repository } as const;
    const text = await advising(fetcher.fetch(request, { signal }));
    checkDescriptor(name, text.digest, pin);
    const task = { type: "resource" as const, text: text.bytes, key, where: `${name} in ${text.where}` };
    const { access, digest } = await renderer.perform(task, work);
    const pinned = pinnedDigest(`${name}: resource "${named}"`, digest, pin);
    return await withGzip(await fetchContent({ access, digest: pinned }, text.context));
  };
}

/**
 * The core may have found a component where the deployer cannot look: a repository that is too long for the annotation, or an Installation that has the descriptor in itself
 * (docs/reference/components.md#pins). What the deployer has found instead does not tell the user that.
 */
function withAdvice(
  error: unknown,
  component: string,
  { component: pinned, repository, descriptor }: ChartPin,
): unknown {
  const isNowhere =
    error instanceof LandscaperError &&
    (error.reason === "ComponentNotFound" || error.reason === "RepositoryContextMissing");
  if (!isNowhere || pinned === undefined) return error;
  if (descriptor === undefined) {
    const hint =
      "its descriptor stands in the Installation, and the deployer reads charts from repositories only: store the component version there as well";
    return placedError(error, component, { hint });
  }
  if (repository !== undefined) return error;
  const hint =
    "the repository in which the core has found it has more than 32 KiB and does not go with the deploy item: name it in the Context, or use a registry";
  return placedError(error, component, { hint });
}

/** A folder of a local or inline repository is packed as tar alone (docs/reference/components.md#local); a chart has gzip around it. */
async function withGzip(bytes: Uint8Array): Promise<Uint8Array> {
  const isTar = Buffer.from(bytes.subarray(257, 262)).toString("latin1") === "ustar";
  return isTar ? await promisify(gzip)(bytes) : bytes;
}

/** What the core has rendered the item with; nothing of another component. */
function pinOf({ metadata }: DeployItem, component: ResourceKey["component"]): ChartPin {
  const pin = parseChartPin(metadata.annotations?.[annotations.componentPins]);
  return pin?.component === `${component.name}:${component.version}` ? pin : {};
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
