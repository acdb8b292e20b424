import type { GoMap } from "@landscaper/golang";

/** A file of a chart; the name has "/" between folders and begins at the folder of the chart that it belongs to. */
export interface ChartFile {
  readonly name: string;
  readonly data: Uint8Array;
}

/** A chart with its dependencies, as Helm has it in memory. Its parts are never changed: work on charts makes new ones. */
export interface Chart {
  readonly metadata: ChartMetadata;
  /** Chart.lock, or requirements.lock of a v1 chart. */
  readonly lock?: ChartLock;
  /**
   * values.yaml: numbers are those of Go's float64. Templates may change what they are given, so it is copied before
   * it comes to them.
   */
  readonly values: GoMap;
  /** values.schema.json. */
  readonly schema?: Uint8Array;
  /** Files below templates/, with that folder in their names. */
  readonly templates: readonly ChartFile[];
  /** All other files, those of crds/ among them. */
  readonly files: readonly ChartFile[];
  /** Every file of the chart that was read, those of its dependencies in charts/ among them. */
  readonly raw: readonly ChartFile[];
  /** Charts from charts/; after processDependencies those that are enabled, under their aliases. */
  readonly dependencies: readonly Chart[];
  /**
   * Set by processDependencies where Helm gives a chart another path than its place in the tree: below a chart with an
   * alias it may have the path that it was loaded from.
   */
  readonly fullPath?: string;
}

/** What Chart.yaml says. */
export interface ChartMetadata {
  readonly name: string;
  readonly version: string;
  readonly apiVersion?: string;
  readonly appVersion?: string;
  readonly description?: string;
  readonly home?: string;
  readonly icon?: string;
  /** "application" (default) or "library". */
  readonly type?: string;
  readonly kubeVersion?: string;
  readonly condition?: string;
  readonly tags?: string;
  readonly deprecated?: boolean;
  readonly keywords?: readonly string[];
  readonly sources?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly maintainers?: readonly ChartMaintainer[];
  readonly dependencies?: readonly ChartDependency[];
}

export interface ChartMaintainer {
  readonly name?: string;
  readonly email?: string;
  readonly url?: string;
}

/** A dependency as Chart.yaml (or requirements.yaml) asks for it. */
export interface ChartDependency {
  /** After processDependencies the alias, if there is one. */
  readonly name: string;
  /** A range of versions. */
  readonly version?: string;
  readonly repository?: string;
  /** Paths of values, with "," between them; the first that is a boolean decides. */
  readonly condition?: string;
  readonly tags?: readonly string[];
  /** Set by processDependencies. */
  readonly enabled?: boolean;
  /** Texts, or maps of "child" and "parent". */
  readonly importValues?: readonly unknown[];
  readonly alias?: string;
}

/** Chart.lock. */
export interface ChartLock {
  /** As the file has it; empty without one. */
  readonly generated: string;
  readonly digest: string;
  readonly dependencies?: readonly ChartDependency[];
}

/** A chart at its place in a tree of charts. */
export interface ChartAt {
  readonly chart: Chart;
  /** Names down to it as Helm writes them, "parent/charts/child": what the names of its rendered templates begin with. */
  readonly fullPath: string;
  /** Whether it is the chart that is released, not one of its dependencies. */
  readonly isRoot: boolean;
}

/** Called for a chart before its dependencies. */
export function walkCharts(root: Chart): ChartAt[] {
  const found: ChartAt[] = [];
  const visit = (place: ChartAt): void => {
    found.push(place);
    for (const child of place.chart.dependencies) visit(chartBelow(place, child));
  };
  visit(rootPlace(root));
  return found;
}

/** The place of a chart that is released. */
export function rootPlace(chart: Chart): ChartAt {
  return { chart, fullPath: chart.metadata.name, isRoot: true };
}

/** The place of a dependency of a chart. */
export function chartBelow(parent: ChartAt, chart: Chart): ChartAt {
  return { chart, fullPath: chart.fullPath ?? `${parent.fullPath}/charts/${chart.metadata.name}`, isRoot: false };
}

/** A file of a crds/ folder. */
export interface ChartCrd {
  /** Within its chart: "crds/x.yaml". */
  readonly name: string;
  /** With the chart's path: "parent/charts/child/crds/x.yaml". */
  readonly filename: string;
  readonly data: Uint8Array;
}

/** Whether a file of a chart, by its name within the chart, is a manifest in crds/. */
export function isCrdFile(name: string): boolean {
  return name.startsWith("crds/") && /\.(yaml|yml|json)$/i.test(name);
}

/** The manifests in crds/ of a chart and its dependencies, the chart's own first. */
export function chartCrds(root: Chart): ChartCrd[] {
  return walkCharts(root).flatMap(({ chart, fullPath }) =>
    chart.files
      .filter(({ name }) => isCrdFile(name))
      .map(({ name, data }) => ({ name, filename: `${fullPath}/${name}`, data })),
  );
}
