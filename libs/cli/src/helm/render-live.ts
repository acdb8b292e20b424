import { mapFromPlain } from "@landscaper/golang";
import { renderChart, type RenderedChart, renderWithLookups } from "@landscaper/helm";
import { liveLookup } from "@landscaper/helm-release";
import type { TargetCluster } from "@landscaper/resources";
import { createKey } from "@landscaper/x509";
import { maxRenderedBytes, startCommandBudget } from "../render-budget.ts";
import type { RenderInput } from "./render-release.ts";

interface LiveSources {
  readonly sources: { readonly now: () => Date; readonly random: (bytes: number) => Uint8Array };
  /** Where `lookup` looks. */
  readonly cluster: TargetCluster;
  readonly signal: AbortSignal;
}

/** Renders a chart with the objects of a cluster for `lookup`. Throws ChartError or TemplateError. */
export async function renderLive(
  { chart, values, ...input }: RenderInput,
  { sources, cluster, signal }: LiveSources,
): Promise<RenderedChart> {
  return await renderWithLookups(
    (attempt) =>
      renderChart(chart, {
        ...attempt,
        ...input,
        values: mapFromPlain(values),
        budget: startCommandBudget(),
        maxBytes: maxRenderedBytes,
      }),
    { ...sources, createKey, fetch: liveLookup(cluster, signal), signal },
  );
}
