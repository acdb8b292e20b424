import { randomBytes } from "node:crypto";
import type { GoMap } from "@landscaper/golang";
import { TemplateError } from "@landscaper/gotemplate";
import {
  type Capabilities,
  type Chart,
  ChartError,
  type HelmDialect,
  type Release,
  renderChart,
  type RenderedChart,
} from "@landscaper/helm";
import type { CommandContext } from "../command.ts";
import { maxRenderedBytes, startCommandBudget } from "../render-budget.ts";
import type { HelmCluster } from "./helm-cluster.ts";

/** A chart with what its templates are told. */
export interface RenderInput {
  /** As processDependencies gave it. */
  readonly chart: Chart;
  /** As renderValues gave them; templates may change them. */
  readonly values: GoMap;
  readonly release: Release;
  readonly capabilities: Capabilities;
  readonly dialect: HelmDialect;
}

interface Surroundings {
  readonly context: Pick<CommandContext, "now" | "signal">;
  /** Where `lookup` looks; undefined: it finds nothing. */
  readonly access: HelmCluster | undefined;
}

/** Renders a chart for a release, with `lookup` on a cluster where there is one. Throws ChartError or TemplateError. */
export async function renderRelease(
  { chart, ...input }: RenderInput,
  { context, access }: Surroundings,
): Promise<RenderedChart> {
  const { now, signal } = context;
  const sources = { now: () => new Date(now()), random: (bytes: number) => randomBytes(bytes) };
  const limits = { budget: startCommandBudget(), maxBytes: maxRenderedBytes };
  if (access === undefined) return renderChart(chart, { ...sources, ...limits, ...input });
  const { renderLive } = await import("./render-live.ts");
  return await renderLive({ chart, ...input }, { sources, cluster: access.cluster, signal });
}

/** Whether a rendering failed by chart, values or templates. */
export function isRenderFailure(error: unknown): error is ChartError | TemplateError {
  return error instanceof ChartError || error instanceof TemplateError;
}
