import { LandscaperError, type ChartSource } from "@landscaper/api";
import { connectionSecrets, EgressError, maskFailure } from "@landscaper/egress";
import {
  createHttpTransport,
  credentialSecrets,
  createRegistryClient,
  digestMismatch,
  digestOf,
  placeOfUrl,
  type ContentCache,
  type CredentialEntry,
  type HttpTransport,
  type RegistryClientOptions,
} from "@landscaper/oci";
import { parseResourceKey, type ResourceKey } from "@landscaper/ocm";
import { invalidSource } from "./chart-source-error.ts";
import type { FetchedChart } from "./fetched-chart.ts";
import { fetchFile, parseFileUrl } from "./http-files.ts";
import { fetchOciChart } from "./oci-chart.ts";
import { findRepositoryCredential, withScheme, type RepositoryCredential } from "./repository-credentials.ts";
import { findInIndex, type IndexEntry, type IndexQuery } from "./repository-index.ts";

export interface ChartFetcherOptions extends RegistryClientOptions {
  /** Content with a known digest is kept there. */
  readonly cache?: ContentCache | undefined;
  readonly maxArchiveBytes?: number | undefined;
  readonly maxIndexBytes?: number | undefined;
}

/** Who fetches, and what for. */
export interface FetchContext {
  readonly registries: readonly CredentialEntry[];
  readonly repositories: readonly RepositoryCredential[];
  /** Finds a chart in an index.yaml; a service does it in a thread. Default: `findInIndex`. */
  readonly findInIndex?:
    | ((index: Uint8Array, query: IndexQuery, signal: AbortSignal) => Promise<IndexEntry>)
    | undefined;
  /** Fetches the packed chart that `resourceRef` names. */
  readonly resource?: ((key: ResourceKey, signal: AbortSignal) => Promise<Uint8Array>) | undefined;
  readonly signal: AbortSignal;
}

/** A chart as the access of a resource of a component names it (docs/reference/components.md#access). */
export interface RepositoryChart {
  /** With http://, https:// (default) or oci://. */
  readonly repository: string;
  readonly chart: string;
  readonly version: string | undefined;
  /** PEM; trusted for the host of the repository where no credential is for it. */
  readonly ca: string | undefined;
  /** Names of the fields in messages. Default: the fields of an access. */
  readonly fields?: RepositoryChartFields | undefined;
}

export interface ChartFetcher {
  /**
   * The chart of a configuration's `chart`, by the precedence of deployers.md §1.3: archive.raw, archive.remote, ref, helmChartRepo,
   * resourceRef. Throws LandscaperError that names the field and the place, never a credential.
   */
  fetch(source: ChartSource, context: FetchContext): Promise<FetchedChart>;
  /** Throws LandscaperError that names the field of the access and the place, never a credential. */
  fetchFromRepository(chart: RepositoryChart, context: Omit<FetchContext, "resource">): Promise<FetchedChart>;
  close(): Promise<void>;
}

const mebibyte = 1024 * 1024;
const defaults = { maxArchiveBytes: 20 * mebibyte, maxIndexBytes: 64 * mebibyte };

/** Connections and cache for all charts of a process. */
export function createChartFetcher(options: ChartFetcherOptions): ChartFetcher {
  const { maxArchiveBytes = defaults.maxArchiveBytes, maxIndexBytes = defaults.maxIndexBytes, cache } = options;
  const transport = createHttpTransport(options);
  const registries = createRegistryClient({ ...options, limits: { ...options.limits, blobBytes: maxArchiveBytes } });
  const shared = { transport, cache, maxArchiveBytes, maxIndexBytes };
  const fetchSource: ChartFetcher["fetch"] = async (source, context) => {
    const { archive, ref, helmChartRepo, resourceRef, fromResource } = source;
    if (isGiven(archive?.raw)) return decodeArchive(archive.raw, maxArchiveBytes);
    if (archive?.remote !== undefined) return await fetchRemote(archive.remote.url, { ...shared, ...context });
    if (isGiven(ref)) {
      const session = registries.session(context.registries);
      return await fetchOciChart(ref.trim(), { session, cache, signal: context.signal, where: "chart.ref" });
    }
    if (helmChartRepo !== undefined) {
      const { helmChartRepoUrl: url, helmChartName: name, helmChartVersion: version } = helmChartRepo;
      return await fetchFromIndex({ url, name, version, fields: configurationFields }, { ...shared, ...context });
    }
    if (isGiven(resourceRef)) return await fetchResource(resourceRef, context);
    if (fromResource !== undefined) {
      throw invalidSource("chart.fromResource: is no longer supported; use chart.resourceRef");
    }
    throw invalidSource("chart: expected one of archive, ref, helmChartRepo and resourceRef");
  };
  const named = async (
    fetch: () => Promise<FetchedChart>,
    { field, secrets }: { readonly field: string; readonly secrets: readonly string[] },
  ): Promise<FetchedChart> => {
    try {
      return await fetch();
    } catch (error) {
      throw maskFailure(error instanceof EgressError ? error.within(field) : error, secrets);
    }
  };
  return {
    async fetch(source, context) {
      const urls = [source.archive?.remote?.url, source.helmChartRepo?.helmChartRepoUrl];
      const names = { field: fieldOf(source), secrets: secretsOf(urls, context) };
      return await named(async () => fetchSource(source, context), names);
    },
    async fetchFromRepository(chart, context) {
      const { repository, version = "", fields = accessFields } = chart;
      const fetch = async (): Promise<FetchedChart> => {
        const { chart: name, ca } = chart;
        if (!repository.startsWith("oci://")) {
          const trusting = {
            ...shared,
            ...context,
            repositories: withAuthority(chart, context.repositories, fields.ca),
          };
          return await fetchFromIndex({ url: repository, name, version, fields }, trusting);
        }
        if (ca !== undefined)
          throw invalidSource(`${fields.ca}: is not for registries; give it with their credentials`);
        if (version === "") throw invalidSource(`${fields.version}: expected a version or a range of versions`);
        const session = registries.session(context.registries);
        const reference = `${repository.replace(/\/+$/, "")}/${name}:${version}`;
        return await fetchOciChart(reference, { session, cache, signal: context.signal, where: fields.url });
      };
      return await named(fetch, { field: fields.url, secrets: secretsOf([repository], context) });
    },
    async close() {
      await Promise.all([transport.close(), registries.close()]);
    },
  };
}

/** The field whose URL is denied; fetch() follows the same order. */
function fieldOf({ archive, ref, helmChartRepo }: ChartSource): string {
  if (archive?.remote !== undefined) return "chart.archive.remote.url";
  if (isGiven(ref)) return "chart.ref";
  return helmChartRepo === undefined ? "chart.resourceRef" : "chart.helmChartRepo";
}

/** What messages call the parts of a chart in a repository. */
interface RepositoryFields {
  readonly url: string;
  readonly name: string;
  readonly version: string;
}

const configurationFields: RepositoryFields = {
  url: "chart.helmChartRepo.helmChartRepoUrl",
  name: "chart.helmChartRepo.helmChartName",
  version: "chart.helmChartRepo.helmChartVersion",
};

/** Names of the fields of a chart in a component. */
export interface RepositoryChartFields extends RepositoryFields {
  readonly ca: string;
}

const accessFields: RepositoryChartFields = {
  url: "access.helmRepository",
  name: "access.helmChart",
  version: "access.version",
  ca: "access.caCert",
};

/** Adds the authority of a component for its host, unless credentials exist for that host. */
function withAuthority(
  { repository, ca }: RepositoryChart,
  credentials: readonly RepositoryCredential[],
  field: string,
): readonly RepositoryCredential[] {
  const url = URL.parse(withScheme(repository.trim()));
  if (ca === undefined || url === null) return credentials;
  if (!ca.includes("-----BEGIN CERTIFICATE-----")) throw invalidSource(`${field}: expected certificates as PEM`);
  return [...credentials, { url: new URL("/", url), ca }];
}

/** What servers of charts learn from us, or the user has written into a URL. */
function secretsOf(urls: readonly (string | undefined)[], context: FetchContext): readonly string[] {
  const registries = context.registries.flatMap(({ credential }) => credentialSecrets(credential));
  const headers = context.repositories.flatMap(({ authorization }) => [authorization, authorization?.slice(6)]);
  return [...registries, ...connectionSecrets({ values: headers, urls })];
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

function decodeArchive(text: string, limit: number): FetchedChart {
  const compact = text.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact))
    throw invalidSource("chart.archive.raw: expected base64 of a packed chart");
  const archive = Buffer.from(compact, "base64");
  if (archive.length > limit) throw invalidSource(`chart.archive.raw: more than the allowed ${limit} bytes`);
  return { archive, digest: digestOf(archive), origin: "chart.archive.raw" };
}

interface FileContext extends FetchContext {
  readonly transport: HttpTransport;
  readonly cache: ContentCache | undefined;
  readonly maxArchiveBytes: number;
  readonly maxIndexBytes: number;
}

async function fetchRemote(text: string, context: FileContext): Promise<FetchedChart> {
  const url = parseFileUrl(text, "chart.archive.remote.url");
  // As with the original, nobody's credentials are sent there.
  const request = { credentials: [], limit: context.maxArchiveBytes, signal: context.signal };
  const archive = await fetchFile(context.transport, url, request);
  return { archive, digest: digestOf(archive), origin: placeOfUrl(url) };
}

interface ChartInIndex {
  readonly url: string;
  readonly name: string;
  readonly version: string;
  readonly fields: RepositoryFields;
}

async function fetchFromIndex({ fields, ...chart }: ChartInIndex, context: FileContext): Promise<FetchedChart> {
  const { name, version } = chart;
  const base = parseFileUrl(withScheme(chart.url.trim()), fields.url);
  if (name === "") throw invalidSource(`${fields.name}: expected a name`);
  if (version === "") throw invalidSource(`${fields.version}: expected a version or a range of versions`);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  const indexUrl = new URL("index.yaml", base);
  indexUrl.search = base.search;
  const { transport, signal, repositories: credentials, cache } = context;
  const bytes = await fetchFile(transport, indexUrl, { credentials, limit: context.maxIndexBytes, signal });
  const where = placeOfUrl(base);
  const query = { name, version, where };
  const entry = (await context.findInIndex?.(bytes, query, signal)) ?? findInIndex(bytes, query);
  const url = URL.parse(entry.url, base.href);
  const archiveUrl = parseFileUrl(url?.href ?? entry.url, `${where}: chart ${name} ${entry.version}: urls[0]`);
  const fetch = async (): Promise<Uint8Array> =>
    fetchFile(transport, archiveUrl, { credentials, limit: context.maxArchiveBytes, signal });
  const owner = {
    url: archiveUrl.origin,
    credential: findRepositoryCredential(credentials, archiveUrl)?.authorization,
  };
  const archive = await fetchPinned(entry.digest, { cache, owner, fetch, place: placeOfUrl(archiveUrl) });
  return { archive, digest: digestOf(archive), origin: placeOfUrl(archiveUrl), version: entry.version };
}

async function fetchPinned(
  digest: string | undefined,
  options: { cache: ContentCache | undefined; owner: unknown; fetch: () => Promise<Uint8Array>; place: string },
): Promise<Uint8Array> {
  const { cache, owner, fetch, place } = options;
  if (digest === undefined) return await fetch();
  const verified = async (): Promise<Uint8Array> => {
    const archive = await fetch();
    const found = digestOf(archive);
    if (found !== digest) throw digestMismatch(place, `expected digest ${digest} as the index says, found ${found}`);
    return archive;
  };
  return cache === undefined ? await verified() : await cache.get({ digest, owner }, verified);
}

async function fetchResource(text: string, { resource, signal }: FetchContext): Promise<FetchedChart> {
  const key = parseKey(text);
  const origin = originOf(key);
  if (resource === undefined) {
    throw invalidSource(`chart.resourceRef: ${origin}: component resources are not available in this deployer yet`);
  }
  const archive = await resource(key, signal);
  return { archive, digest: digestOf(archive), origin };
}

function parseKey(text: string): ResourceKey {
  try {
    return parseResourceKey(text);
  } catch (error) {
    throw error instanceof LandscaperError ? invalidSource(`chart.resourceRef: ${error.message}`) : error;
  }
}

/** "resource chart (arch arm64) of component example.org/app:1.2.3" */
function originOf({ component, resource: { name = "", ...others } }: ResourceKey): string {
  const attributes = Object.entries(others).map(([key, value]) => `${key} ${value}`);
  const more = attributes.length === 0 ? "" : ` (${attributes.join(", ")})`;
  return `resource ${name}${more} of component ${component.name}:${component.version}`;
}
