import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { annotations, type ChartSource, type HelmDeployerConfiguration } from "@landscaper/api";
import {
  createChartFetcher,
  createSchemaFetcher,
  type ChartFetcher,
  type FetchContext as ChartFetchContext,
  type SchemaFetcher,
} from "@landscaper/chart-source";
import { createEgressPolicy, type EgressPolicy } from "@landscaper/egress";
import type { DeployContext, PreviewContext } from "@landscaper/deployer";
import {
  changedError,
  createComponentSource,
  openFilesBelow,
  parseChartPin,
  withPlace,
  type FilesBelow,
} from "@landscaper/components";
import type { ResourceKey } from "@landscaper/ocm";
import {
  certificatesIn,
  createContentCache,
  createRegistryClient,
  formatReference,
  parseDockerConfig,
  type CredentialEntry,
  type ImageReference,
  type RegistryClient,
  type TokenRealms,
} from "@landscaper/oci";
import { ChartRenderer, type RenderingLimits } from "./chart-renderer.ts";
import type { ChartIdentity, PackedChart } from "./chart-tasks.ts";
import { createComponentCharts } from "./component-charts.ts";
import { readContextCredentials } from "./context-credentials.ts";

/** A chart that can be installed, and where it came from. */
export interface LoadedChart {
  readonly packed: PackedChart;
  readonly origin: ChartOrigin;
}

/** As it stands in the provider status. */
export interface ChartOrigin {
  readonly name: string;
  readonly version: string;
  /** Of the packed chart. */
  readonly digest: string;
  /** Where it came from, for people: no credentials. */
  readonly from: string;
}

export interface ChartStoreOptions {
  readonly userAgent: string;
  readonly oci?: HelmDeployerConfiguration["oci"];
  readonly rendering?: RenderingLimits | undefined;
  /** One that several stores share, in place of one with the limits of `rendering`; whoever has made it closes it. */
  readonly renderer?: ChartRenderer | undefined;
  /** Fetches charts that are resources of components (`chart.resourceRef`). Default: from the repositories of the item's Context. */
  readonly fetchResource?: FetchResource | undefined;
  /** Which hosts charts may come from. Default: everything but link-local networks. */
  readonly egress?: EgressPolicy | undefined;
  /** Hosts that schemas of values may be fetched from, as `remoteSchemas.hosts` of the configuration. Default: none. */
  readonly schemaHosts?: readonly string[] | undefined;
  /** Folder below which components in files lie, as `registry.local.rootPath` of the configuration. Default: there are none. */
  readonly localRoot?: string | undefined;
  /** See RegistryClientOptions. */
  readonly tokenRealms?: TokenRealms | undefined;
}

type FetchContext = Pick<PreviewContext<unknown>, "item" | "landscaper" | "log" | "signal"> &
  Partial<Pick<DeployContext<unknown>, "warn" | "noteWork">>;

/** The packed chart behind a key, with the Context of the item and the registry credentials that it gives. Throws LandscaperError. */
export type FetchResource = (
  key: ResourceKey,
  context: FetchContext & Pick<ChartFetchContext, "registries" | "repositories" | "findInIndex">,
) => Promise<Uint8Array>;

const cacheBytes = 1024 * 1024 * 1024;
const maxCharts = 32;

/** What is known of a chart; the archive is there once however many items have it. */
interface KnownChart {
  readonly archive: Uint8Array;
  readonly identity: ChartIdentity;
}

/** The charts of a process: fetches them, keeps those used last, and has them rendered. */
export class ChartStore {
  readonly renderer: ChartRenderer;
  /** Answers what threads ask for schemas of other hosts. */
  readonly schemas: SchemaFetcher;
  readonly #fetcher: ChartFetcher;
  readonly #configFiles: readonly string[];
  /** By digest; the last one is the one used last. */
  readonly #charts = new Map<string, KnownChart>();

  readonly #fetchResource: FetchResource;
  readonly #registries: RegistryClient;
  readonly #files: FilesBelow | undefined;
  readonly #ownsRenderer: boolean;

  constructor({ userAgent, oci, rendering, renderer, fetchResource, tokenRealms, ...options }: ChartStoreOptions) {
    const directory = oci?.cache?.path ?? join(tmpdir(), "ocicache");
    const egress = options.egress ?? createEgressPolicy({});
    this.#ownsRenderer = renderer === undefined;
    this.renderer = renderer ?? new ChartRenderer(rendering);
    this.schemas = createSchemaFetcher({
      userAgent,
      hosts: options.schemaHosts ?? [],
      setting: "remoteSchemas.hosts",
      advice: (host) =>
        `ask the operator for ${host} in remoteSchemas.hosts of the deployer, put them into values.schema.json, or set skipSchemaValidation`,
      egress,
    });
    this.#configFiles = oci?.configFiles ?? [];
    const cache = createContentCache({ directory, maxBytes: cacheBytes });
    const access = {
      userAgent,
      allowPlainHttp: oci?.allowPlainHttp,
      insecureSkipVerify: oci?.insecureSkipVerify,
      certificates: oci?.certificatesPath === undefined ? undefined : certificatesIn(oci.certificatesPath),
      egress,
      tokenRealms,
    };
    this.#fetcher = createChartFetcher({ ...access, cache });
    this.#registries = createRegistryClient(access);
    const { localRoot = "" } = options;
    this.#files = localRoot === "" ? undefined : openFilesBelow(localRoot);
    const files = this.#files?.open;
    const source = createComponentSource({ registries: this.#registries, charts: this.#fetcher, cache, files });
    this.#fetchResource = fetchResource ?? createComponentCharts({ source, renderer: this.renderer });
  }

  /** The chart of a configuration, with the credentials of the item's Context. Throws LandscaperError. */
  async load(source: ChartSource, context: FetchContext): Promise<LoadedChart> {
    const { item, landscaper, log, signal } = context;
    const pin = parseChartPin(item.metadata.annotations?.[annotations.componentPins]);
    const credentials = await readContextCredentials(item, landscaper);
    const own = await this.#readConfigFiles();
    if (credentials.absent !== undefined && (source.archive?.raw ?? "") === "") {
      context.warn?.({ reason: "ContextMissing", message: credentials.absent });
    }
    for (const message of credentials.warnings) context.warn?.({ reason: "WithoutEffect", message });
    for (const warning of [...credentials.warnings, ...own.warnings]) log.warn({}, warning);
    const registries = [...credentials.registries, ...own.entries];
    const rights: Pick<ChartFetchContext, "registries" | "repositories" | "findInIndex"> = {
      registries,
      repositories: credentials.repositories,
      findInIndex: async (index, query) =>
        await this.renderer.perform({ type: "index", index, query }, { name: `index of ${query.where}`, item, signal }),
    };
    const resource = async (key: ResourceKey) =>
      await this.#fetchResource(key, { item, landscaper, log, signal, ...rights });
    const fetching = async () => await this.#fetcher.fetch(source, { ...rights, resource, signal });
    const field = fieldOf(source);
    context.noteWork?.(
      `an answer for ${field?.name ?? "the chart"}${field?.host === undefined ? "" : ` of ${field.host}`}`,
    );
    const { archive, digest, origin, reference } = await (field === undefined
      ? fetching()
      : withPlace(field.name, fetching));
    context.noteWork?.(undefined);
    checkManifest(reference, pin?.manifest);
    const known =
      this.#charts.get(digest) ?? (await this.#inspect({ archive, digest, from: origin }, { item, signal }));
    this.#keep(digest, known);
    return {
      packed: { archive: known.archive, digest, from: origin },
      origin: { ...known.identity, digest, from: origin },
    };
  }

  async close(): Promise<void> {
    const own = this.#ownsRenderer ? this.renderer.close() : undefined;
    await Promise.all([
      this.#fetcher.close(),
      this.#registries.close(),
      this.schemas.close(),
      this.#files?.close(),
      own,
    ]);
  }

  async #inspect(chart: PackedChart, work: Pick<FetchContext, "item" | "signal">): Promise<KnownChart> {
    const identity = await this.renderer.perform({ type: "inspect", chart }, { name: chart.from, ...work });
    return { archive: chart.archive, identity };
  }

  /** Read each time: credentials are renewed in place. */
  async #readConfigFiles(): Promise<{ entries: CredentialEntry[]; warnings: string[] }> {
    const found = await Promise.all(
      this.#configFiles.map(async (file) => parseDockerConfig(await readFile(file, "utf8"), { where: file })),
    );
    return { entries: found.flatMap(({ entries }) => entries), warnings: found.flatMap(({ warnings }) => warnings) };
  }

  #keep(digest: string, chart: KnownChart): void {
    this.#charts.delete(digest);
    this.#charts.set(digest, chart);
    for (const oldest of this.#charts.keys()) {
      if (this.#charts.size <= maxCharts) break;
      this.#charts.delete(oldest);
    }
  }
}

interface AddressField {
  readonly name: string;
  /** With port, if the address has one; undefined for an address without host. */
  readonly host: string | undefined;
}

/** Returns the field with the address of a chart. Returns undefined for other sources: their errors name the field already. */
function fieldOf({ ref = "", helmChartRepo }: ChartSource): AddressField | undefined {
  if (ref !== "") return { name: "chart.ref", host: hostOf(ref.includes("://") ? ref : `oci://${ref}`) };
  if (helmChartRepo === undefined) return undefined;
  return { name: "chart.helmChartRepo", host: hostOf(helmChartRepo.helmChartRepoUrl ?? "") };
}

function hostOf(address: string): string | undefined {
  const host = URL.parse(address)?.host ?? "";
  return host === "" ? undefined : host;
}

/** A chart that `ref` names, and that is a resource of the component of the item's Installation, must be the one that the item was rendered with. */
function checkManifest(reference: ImageReference | undefined, pinned: string | undefined): void {
  const found = reference?.digest;
  if (reference === undefined || found === undefined || pinned === undefined || pinned === found) return;
  const { digest: _, ...place } = reference;
  throw changedError(`chart.ref: ${formatReference(place)}`, { pinned, found });
}
