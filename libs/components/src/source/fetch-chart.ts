import type { FetchedChart, RepositoryChart } from "@landscaper/chart-source";
import type { Access } from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import type { CallOptions } from "../repository/artifact-store.ts";

/** Fetches a chart of a Helm repository. Throws LandscaperError. */
export type FetchChart = (chart: RepositoryChart, options: CallOptions) => Promise<FetchedChart>;

/** What Helm packs. */
export const chartMediaType = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

export interface ChartFetchOptions extends CallOptions {
  /** Undefined where Helm repositories are not read. */
  readonly fetchChart: FetchChart | undefined;
  /** Begins messages: component and resource. */
  readonly where: string;
}

/** The packed chart that an access names (docs/reference/components.md#access). Throws LandscaperError. */
export async function fetchChartOf(
  access: Extract<Access, { kind: "chart" }>,
  { fetchChart, where, signal }: ChartFetchOptions,
): Promise<FetchedChart> {
  if (fetchChart === undefined) {
    throw componentError("InvalidComponent", `${where}: content of a Helm repository is not read here`);
  }
  if (access.keyring !== undefined) {
    throw componentError("InvalidComponent", `${where}: access.keyring: the provenance of charts is not checked`);
  }
  return await fetchChart(access, { signal });
}
