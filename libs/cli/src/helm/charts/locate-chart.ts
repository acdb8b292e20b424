import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { type Chart, ChartError, checkDependencies, loadChart, loadChartArchive } from "@landscaper/helm";
import type { CommandContext } from "../../command.ts";
import type { ParsedFlags } from "../../flags/parse-flags.ts";
import { HelmFailure } from "../helm-failure.ts";
import type { HelmBehaviour } from "../helm-behaviour.ts";

/**
 * Finds the chart that a command line names: a folder, a packed file, or one of a registry, a repository or a URL, as Helm looks for it; what it
 * gives reads it. Throws HelmFailure and ChartError in Helm's words, and LandscaperError where a chart cannot be fetched.
 */
export async function locateChart(
  reference: string,
  parsed: ParsedFlags,
  { context, behaviour }: { readonly context: CommandContext; readonly behaviour: HelmBehaviour },
): Promise<() => Promise<Chart>> {
  const { dialect, words } = behaviour;
  const warn = (text: string): void => context.writeError(words.logLine(text));
  if (statSync(reference, { throwIfNoEntry: false }) !== undefined) {
    const path = resolve(reference);
    return async () => await loadChart(path, { warn, dialect });
  }
  if (isAbsolute(reference) || reference.startsWith(".")) throw new HelmFailure(`path "${reference}" not found`);
  const { fetchChart } = await import("./fetch-chart.ts");
  const archive = await fetchChart(reference, parsed, context);
  return async () => await loadChartArchive(archive, { warn, dialect });
}

interface InstallOptions {
  readonly parsed: ParsedFlags;
  readonly context: CommandContext;
  readonly behaviour: HelmBehaviour;
}

/**
 * The chart as it is installed: with --dependency-update, dependencies that are missing are fetched. Throws HelmFailure in Helm's words for a chart
 * that cannot be installed; warns of one that should not be.
 */
export async function installableChart(
  chart: Chart,
  reference: string,
  { parsed, context, behaviour }: InstallOptions,
): Promise<Chart> {
  const { writeError } = context;
  const { words } = behaviour;
  const { type = "", deprecated } = chart.metadata;
  if (type !== "" && type !== "application") throw new HelmFailure(`${type} charts are not installable`);
  if (deprecated === true) writeError(words.deprecatedChart);
  try {
    checkDependencies(chart);
    return chart;
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    if (parsed.isSet("dependency-update")) return await updated(chart, reference, { parsed, context });
    throw new HelmFailure(words.missingDependencies(error.message));
  }
}

async function updated(
  chart: Chart,
  reference: string,
  options: { readonly parsed: ParsedFlags; readonly context: CommandContext },
): Promise<Chart> {
  const folder = resolve(reference);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new HelmFailure("only unpacked charts can be updated");
  }
  const { withUpdatedDependencies } = await import("./update-dependencies.ts");
  return await withUpdatedDependencies(chart, { ...options, folder });
}
