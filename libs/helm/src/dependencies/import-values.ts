import { type GoMap, type Value, fromPlain, isMap, quote, sprintf } from "@landscaper/golang";
import { type CoalesceOptions, coalesceValues, copyMap, mergeTables } from "../values/coalesce-values.ts";
import { tableAtPath } from "../values/value-path.ts";
import type { WorkingChart, WorkingDependency } from "./working-chart.ts";

type Warn = CoalesceOptions["warn"];

/** Puts what charts import from their dependencies (`import-values`) below their values, the innermost first. */
export function importValues(chart: WorkingChart, warn: Warn): void {
  importInto(chart, { warn, done: new Set() });
}

interface Importing {
  readonly warn: Warn;
  /** Under two aliases a chart has the same dependencies. Helm imports once, and forgets what was asked for at the next. */
  readonly done: Set<WorkingDependency>;
}

function importInto(chart: WorkingChart, importing: Importing): void {
  for (const dependency of chart.dependencies) importInto(dependency, importing);
  const { dependencies } = chart.metadata;
  if (dependencies === undefined) return;
  const { warn } = importing;
  const values = coalesceValues(chart, new Map(), { nulls: "merge", warn });
  const imported: GoMap = new Map();
  for (const dependency of dependencies) {
    const imports = importing.done.has(dependency) ? [] : (dependency.importValues ?? []).flatMap(readImport);
    importing.done.add(dependency);
    for (const wanted of imports) {
      const table = tableAtPath(values, `${dependency.name}.${wanted.child}`.split("."));
      if (table instanceof Map) mergeTables(imported, atPath(wanted.parent, table), warn);
      else warn?.(missingTable(dependency, wanted, table.missing));
    }
    if (imports.length > 0) dependency.importValues = imports.map(({ child, parent }) => ({ child, parent }));
    else delete dependency.importValues;
  }
  chart.values = mergeTables(copyMap(values), imported, warn);
}

function missingTable({ name }: WorkingDependency, { isExport }: ValueImport, missing: string): string {
  const from = isExport ? "" : ` from chart ${name}`;
  return `Warning: ImportValues missing table${from}: ${quote(missing)} is not a table`;
}

interface ValueImport {
  /** Path of a table in the values of the dependency. */
  readonly child: string;
  /** Where it comes to; "." is the chart's values themselves. */
  readonly parent: string;
  readonly isExport: boolean;
}

function readImport(item: unknown): ValueImport[] {
  if (typeof item === "string") return [{ child: `exports.${item}`, parent: ".", isExport: true }];
  const map = fromPlain(item);
  if (!isMap(map)) return [];
  return [{ child: printed(map.get("child")), parent: printed(map.get("parent")), isExport: false }];
}

function printed(value: Value): string {
  return sprintf("%v", [value ?? null]);
}

/** A table below names. */
function atPath(path: string, table: GoMap): GoMap {
  if (path === ".") return table;
  return path.split(".").reduceRight((inner, name) => new Map([[name, inner]]), table);
}
