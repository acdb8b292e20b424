import type { DeployItem } from "@landscaper/api";
import type { FetchObject, FetchSchema } from "@landscaper/helm";
import { digestOf } from "@landscaper/oci";
import type { ChartRenderer } from "../src/rendering/chart-renderer.ts";
import type { PackedChart } from "../src/rendering/chart-tasks.ts";
import type { RenderedItem, RenderInput } from "../src/rendering/render-release.ts";
import { packChart, type ChartFiles } from "./index.ts";

export async function packedChart(files: ChartFiles): Promise<PackedChart> {
  const archive = await packChart(files);
  return { archive, digest: digestOf(archive), from: "a test" };
}

/** A DeployItem with this job. */
export const itemAt = (jobID: string): DeployItem => ({
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "DeployItem",
  metadata: { name: "item", namespace: "a", uid: "uid" },
  spec: { type: "landscaper.gardener.cloud/helm" },
  status: { jobID },
});

const input: RenderInput = {
  given: { replicas: 2 },
  release: { name: "web", namespace: "ns", revision: 3, isUpgrade: true },
  capabilities: { kubeVersion: "v1.34.1", apiVersions: ["v1", "apps/v1"] },
  helmVersion: "3",
  skipsSchemas: false,
  postRender: undefined,
  now: Date.UTC(2026, 0, 2),
};

export interface Rendering {
  readonly renderer: ChartRenderer;
  readonly fetch?: FetchObject;
  readonly fetchSchema?: FetchSchema;
  readonly signal?: AbortSignal;
}

/** Renders the chart "app" of these files as the release "web" of the job "job"; nothing can be looked up without `fetch`. */
export async function renderChart(
  files: ChartFiles,
  { renderer, fetch, fetchSchema, signal = new AbortController().signal }: Rendering,
): Promise<RenderedItem> {
  return await renderer.perform(
    { type: "render", chart: await packedChart(files), input },
    {
      name: "app",
      item: itemAt("job"),
      fetchSchema,
      fetch: fetch ?? (async () => await Promise.reject(new Error("nothing is looked up"))),
      signal,
    },
  );
}
