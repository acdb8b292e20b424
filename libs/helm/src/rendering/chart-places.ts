import { type GoMap, isMap, NamedMap, type Value } from "@landscaper/golang";
import { type Chart, type ChartAt, chartBelow, rootPlace } from "../chart/chart.ts";
import { chartScope, type ReleaseScope } from "../objects/chart-scope.ts";
import type { TemplatePlace } from "./render-templates.ts";

/**
 * What each template of a chart and its dependencies sees, by the template's name. `values` are those of the root;
 * dependencies see the tables under their names.
 */
export function chartPlaces(root: Chart, values: GoMap, shared: ReleaseScope): ReadonlyMap<string, TemplatePlace> {
  const places = new Map<string, TemplatePlace>();
  const visit = (at: ChartAt, own: GoMap): NamedMap => {
    const { chart, fullPath, isRoot } = at;
    const subcharts = new Map<string, NamedMap>();
    for (const child of chart.dependencies) {
      subcharts.set(child.metadata.name, visit(chartBelow(at, child), tableOf(own, child.metadata.name)));
    }
    const scope = chartScope(
      { metadata: chart.metadata, isRoot, values: own, files: filesOf(chart), subcharts },
      shared,
    );
    const place = { basePath: `${fullPath}/templates`, scope };
    for (const { name } of renderedFiles(chart)) places.set(`${fullPath}/${name}`, place);
    return scope;
  };
  visit(rootPlace(root), values);
  return places;
}

/** The templates that a chart has a part in a release with: of a library those that only define. */
export function renderedFiles(chart: Chart): Chart["templates"] {
  if (chart.metadata.type !== "library") return chart.templates;
  return chart.templates.filter(({ name }) => name.slice(name.lastIndexOf("/") + 1).startsWith("_"));
}

/** A path of tables in Helm's form: a chart's name with "." leads into several. An empty map when it is none. */
function tableOf(values: GoMap, path: string): GoMap {
  let table: Value = values;
  for (const name of path.split(".")) {
    table = table.get(name);
    if (!isMap(table)) return new Map();
    if (table instanceof NamedMap) table = table.underlying;
  }
  return table;
}

const filesByChart = new WeakMap<Chart, ReadonlyMap<string, Uint8Array>>();

/** Charts never change, so that the map of their files is made once. */
function filesOf(chart: Chart): ReadonlyMap<string, Uint8Array> {
  let files = filesByChart.get(chart);
  if (files === undefined) {
    files = new Map(chart.files.map(({ name, data }) => [name, data]));
    filesByChart.set(chart, files);
  }
  return files;
}
