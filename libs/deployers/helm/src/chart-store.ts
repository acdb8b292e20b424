import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChartSource, HelmDeployerConfiguration } from "@landscaper/api";
import { createChartFetcher, type ChartFetcher } from "@landscaper/chart-source";
import type { PreviewContext } from "@landscaper/deployer";
import { checkDependencies, CompiledCharts, loadChartArchive, type Chart } from "@landscaper/helm";
import { createContentCache, parseDockerConfig, type CredentialEntry } from "@landscaper/oci";
import { chartFailure, invalidChart } from "./chart-failure.ts";
import { readContextCredentials } from "./context-credentials.ts";

/** A chart, ready to be rendered, and where it came from. */
export interface LoadedChart {
  readonly chart: Chart;
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
}

const cacheBytes = 1024 * 1024 * 1024;
const maxCharts = 32;

/** The charts of a process: fetches them, keeps those used last unpacked, and their templates parsed. */
export class ChartStore {
  readonly compiled = new CompiledCharts();
  readonly #fetcher: ChartFetcher;
  readonly #configFiles: readonly string[];
  /** By digest; the last one is the one used last. */
  readonly #charts = new Map<string, Chart>();

  constructor({ userAgent, oci }: ChartStoreOptions) {
    const directory = oci?.cache?.path ?? join(tmpdir(), "ocicache");
    this.#configFiles = oci?.configFiles ?? [];
    this.#fetcher = createChartFetcher({
      userAgent,
      allowPlainHttp: oci?.allowPlainHttp,
      insecureSkipVerify: oci?.insecureSkipVerify,
      cache: createContentCache({ directory, maxBytes: cacheBytes }),
    });
  }

  /** The chart of a configuration, with the credentials of the item's Context. Throws LandscaperError. */
  async load(
    source: ChartSource,
    context: Pick<PreviewContext<unknown>, "item" | "landscaper" | "log" | "signal">,
  ): Promise<LoadedChart> {
    const { item, landscaper, log, signal } = context;
    const credentials = await readContextCredentials(item, landscaper);
    const own = await this.#readConfigFiles();
    for (const warning of [...credentials.warnings, ...own.warnings]) log.warn({}, warning);
    const { archive, digest, origin } = await this.#fetcher.fetch(source, {
      registries: [...credentials.registries, ...own.entries],
      repositories: credentials.repositories,
      signal,
    });
    const chart = this.#charts.get(digest) ?? (await unpack(archive, origin));
    this.#keep(digest, chart);
    const { name, version } = chart.metadata;
    return { chart, origin: { name, version, digest, from: origin } };
  }

  async close(): Promise<void> {
    await this.#fetcher.close();
  }

  /** Read each time: credentials are renewed in place. */
  async #readConfigFiles(): Promise<{ entries: CredentialEntry[]; warnings: string[] }> {
    const found = await Promise.all(
      this.#configFiles.map(async (file) => parseDockerConfig(await readFile(file, "utf8"), { where: file })),
    );
    return { entries: found.flatMap(({ entries }) => entries), warnings: found.flatMap(({ warnings }) => warnings) };
  }

  #keep(digest: string, chart: Chart): void {
    this.#charts.delete(digest);
    this.#charts.set(digest, chart);
    for (const oldest of this.#charts.keys()) {
      if (this.#charts.size <= maxCharts) break;
      this.#charts.delete(oldest);
    }
  }
}

/** Throws LandscaperError for what is no chart that can be installed. */
async function unpack(archive: Uint8Array, from: string): Promise<Chart> {
  try {
    const chart = await loadChartArchive(archive);
    const { name, type = "" } = chart.metadata;
    if (type !== "" && type !== "application") throw invalidChart(`chart ${name}: ${type} charts are not installable`);
    checkDependencies(chart);
    return chart;
  } catch (error) {
    throw chartFailure(error, from);
  }
}
