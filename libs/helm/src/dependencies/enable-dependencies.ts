import { FunctionError, type GoMap, parseConstraints, parseVersion } from "@landscaper/golang";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { type CoalesceOptions, coalesceValues } from "../values/coalesce-values.ts";
import { tableAtPath, valueAtPath } from "../values/value-path.ts";
import {
  aliasedChart,
  separateChart,
  setDependencies,
  type WorkingChart,
  type WorkingDependency,
} from "./working-chart.ts";

type Warn = CoalesceOptions["warn"];

/** Where a chart stands whose dependencies are chosen. */
interface Place {
  /** Values from the root chart's on. */
  readonly values: GoMap;
  /** Names of the charts down to it, each with a dot. */
  readonly path: string;
  readonly warn: Warn;
  readonly dialect: HelmDialect;
}

/**
 * Leaves a chart the dependencies that are enabled, under their aliases, and so on for these. A chart whose Chart.yaml has no
 * dependencies keeps all that lie in charts/, as do those that Chart.yaml does not name.
 */
export function enableDependencies(chart: WorkingChart, place: Place): void {
  const { values, path, warn, dialect } = place;
  const wanted = chart.metadata.dependencies;
  if (wanted === undefined) return;
  setDependencies(chart, [...unnamedCharts(chart, wanted), ...namedCharts(chart, wanted, dialect)]);
  for (const dependency of wanted) dependency.enabled = true;
  const coalesced = coalesceValues(chart, values, { warn, ...dialect.values });
  applyTags(wanted, coalesced, warn);
  applyConditions(wanted, { ...place, values: coalesced });
  const disabled = new Set(wanted.filter(({ enabled }) => enabled !== true).map(({ name }) => name));
  const kept = chart.dependencies.filter(({ metadata }) => !disabled.has(metadata.name));
  for (const dependency of kept) {
    enableDependencies(dependency, { ...place, values: coalesced, path: `${path}${dependency.metadata.name}.` });
  }
  const left = wanted.filter(({ name }) => !disabled.has(name));
  if (left.length === 0) delete chart.metadata.dependencies;
  else chart.metadata.dependencies = left;
  setDependencies(chart, kept);
}

function unnamedCharts({ dependencies }: WorkingChart, wanted: readonly WorkingDependency[]): WorkingChart[] {
  return dependencies.filter((chart) => !wanted.some((dependency) => fits(chart, dependency)));
}

/** The charts that Chart.yaml names; its entries get their aliases as names. */
function namedCharts(
  { dependencies }: WorkingChart,
  wanted: readonly WorkingDependency[],
  { sharesAliasedCharts }: HelmDialect,
): WorkingChart[] {
  return wanted.flatMap((dependency) => {
    const { alias = "" } = dependency;
    const chart = dependencies.find((candidate) => fits(candidate, dependency));
    if (alias !== "") dependency.name = alias;
    if (chart === undefined) return [];
    return [sharesAliasedCharts ? aliasedChart(chart, alias) : separateChart(chart, alias)];
  });
}

function fits({ metadata }: WorkingChart, { name, version = "" }: WorkingDependency): boolean {
  return metadata.name === name && isCompatible(version, metadata.version);
}

function isCompatible(range: string, version: string): boolean {
  try {
    return parseConstraints(range).isFulfilledBy(parseVersion(version));
  } catch (error) {
    if (error instanceof FunctionError) return false;
    throw error;
  }
}

/** One tag that is true is enough; without such a one, one that is false disables. */
function applyTags(wanted: readonly WorkingDependency[], values: GoMap, warn: Warn): void {
  const tags = tableAtPath(values, ["tags"]);
  if (!(tags instanceof Map)) return;
  for (const dependency of wanted) {
    const states = (dependency.tags ?? []).flatMap((tag) => {
      const state = tags.get(tag);
      if (state === undefined || typeof state === "boolean") return state === undefined ? [] : [state];
      warn?.(`Warning: Tag '${tag}' for chart ${dependency.name} returned non-bool value`);
      return [];
    });
    dependency.enabled = states.length === 0 || states.includes(true);
  }
}

/** The first path that leads to a boolean decides, over tags. */
function applyConditions(wanted: readonly WorkingDependency[], { values, path, warn }: Place): void {
  for (const dependency of wanted) {
    for (const condition of (dependency.condition ?? "").trim().split(",")) {
      if (condition === "") continue;
      const state = valueAtPath(values, path + condition);
      if (typeof state === "boolean") {
        dependency.enabled = state;
        break;
      }
      if (state === undefined) continue;
      warn?.(`Warning: Condition path '${condition}' for chart ${dependency.name} returned non-bool value`);
    }
  }
}
