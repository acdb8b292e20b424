import type { PreviewContext } from "@landscaper/deployer";
import type { Capabilities } from "@landscaper/helm";
import type { TargetCluster } from "@landscaper/resources";
import type { ChartStore, LoadedChart } from "./chart-store.ts";
import type { HelmConfig } from "./helm-config.ts";
import { readCapabilities } from "./live-capabilities.ts";
import { liveLookup } from "./live-lookup.ts";
import { exportData, renderRelease } from "./render-release.ts";

export interface RenderingOptions {
  readonly context: PreviewContext<HelmConfig>;
  readonly cluster: TargetCluster;
  readonly charts: ChartStore;
  readonly loaded: LoadedChart;
  /** What the templates are told of the release. */
  readonly revision: number;
  readonly isUpgrade: boolean;
}

/** Renders the chart of an item for its target. Throws LandscaperError. */
export async function renderItem(options: RenderingOptions): ReturnType<typeof renderRelease> {
  const { context, cluster, charts, isUpgrade } = options;
  const { clock, signal, config } = context;
  const phase = isUpgrade ? config.options.upgrade : config.options.install;
  return await renderRelease({
    ...(await inputOf(options)),
    skipsSchemas: phase?.skipSchemaValidation === true,
    compiled: charts.compiled,
    fetch: liveLookup(cluster, signal),
    now: clock.now(),
    signal,
  });
}

/** What value exports read. */
export async function exportDataOf(options: RenderingOptions): Promise<unknown> {
  return exportData(await inputOf(options));
}

interface CommonInput {
  readonly chart: LoadedChart["chart"];
  readonly given: HelmConfig["values"];
  readonly release: {
    readonly name: string;
    readonly namespace: string;
    readonly revision: number;
    readonly isUpgrade: boolean;
  };
  readonly capabilities: Capabilities;
  readonly warn: (text: string) => void;
}

async function inputOf({ context, cluster, loaded, revision, isUpgrade }: RenderingOptions): Promise<CommonInput> {
  const { config, clock, log, signal } = context;
  const { name, namespace, values } = config;
  return {
    chart: loaded.chart,
    given: values,
    release: { name, namespace, revision, isUpgrade },
    capabilities: await readCapabilities(cluster, { now: clock.now(), signal }),
    warn: (text) => log.debug({ chart: loaded.origin.name }, text),
  };
}
