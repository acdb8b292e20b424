import { type GoMap, type GoObject, type NamedMap, type Value, int } from "@landscaper/golang";
import { capabilitiesObject, type Capabilities } from "./capabilities.ts";
import { type ChartFiles, filesObject } from "./chart-files.ts";
import type { ChartMetadata } from "../chart/chart.ts";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";
import { chartValues } from "./chart-values.ts";

/** What `.Release` tells. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  /** Default 1. */
  readonly revision?: number;
  /** An upgrade rather than an install. */
  readonly isUpgrade?: boolean;
}

/** What all charts of a release share. */
export interface ReleaseScope {
  readonly release: GoMap;
  readonly capabilities: GoObject;
  readonly dialect: HelmDialect;
}

export function releaseScope(
  release: Release,
  capabilities?: Capabilities,
  dialect: HelmDialect = helm3,
): ReleaseScope {
  const isUpgrade = release.isUpgrade ?? false;
  return {
    release: new Map<string, Value>([
      ["Name", release.name],
      ["Namespace", release.namespace],
      ["Revision", int(release.revision ?? 1)],
      ["IsInstall", !isUpgrade],
      ["IsUpgrade", isUpgrade],
      ["Service", "Helm"],
    ]),
    capabilities: capabilitiesObject(capabilities, dialect),
    dialect,
  };
}

export interface ChartScope {
  readonly metadata: ChartMetadata;
  /** Whether it is the chart that is released, not one of its dependencies. */
  readonly isRoot: boolean;
  /** The chart's values. Templates may change them, and dependencies see theirs as a table in them. */
  readonly values: GoMap;
  readonly files?: ChartFiles;
  /** Scopes of the chart's dependencies by name. */
  readonly subcharts?: ReadonlyMap<string, NamedMap>;
}

/** The dot of one chart's templates; `.Template` is set for each of them. */
export function chartScope(chart: ChartScope, { release, capabilities, dialect }: ReleaseScope): NamedMap {
  const typeName = `${dialect.goPackages.values}.Values`;
  const subcharts = [...(chart.subcharts ?? [])].map(([name, scope]) => [name, scope.underlying] as const);
  return chartValues(
    new Map<string, Value>([
      ["Capabilities", capabilities],
      ["Chart", dialect.chartObject(chart.metadata, chart.isRoot)],
      ["Files", filesObject(chart.files ?? new Map())],
      ["Release", release],
      ["Subcharts", new Map<string, Value>(subcharts)],
      ["Values", chartValues(chart.values, typeName)],
    ]),
    typeName,
  );
}
