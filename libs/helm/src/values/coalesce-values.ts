import { type GoMap, type Value, isMap, mapFromPlain, sprintf } from "@landscaper/golang";
import { ChartError } from "../chart/chart-error.ts";

/** A chart as far as its values matter. */
export interface ChartWithValues {
  readonly metadata: { readonly name: string };
  readonly values: GoMap;
  readonly dependencies: readonly ChartWithValues[];
}

export interface CoalesceOptions {
  /**
   * "coalesce": null in what is given takes a default away. "merge": null stays, for a later coalescing. Default
   * "coalesce".
   */
  readonly nulls?: "coalesce" | "merge";
  /** Told what does not fit together; texts may quote values. */
  readonly warn?: ((text: string) => void) | undefined;
  /** Whether null in a chart's values.yaml is kept as a value. If false, null removes the key. Default true, as in Helm 3. */
  readonly keepsNullDefaults?: boolean | undefined;
}

const globalKey = "global";

/**
 * The values of a chart's templates: what is given for it over its own and its dependencies' values.yaml, each dependency
 * with its table, and globals passed down; as Helm's CoalesceValues and MergeValues. Nothing of the arguments is changed or
 * part of the result. Throws ChartError where the values of a dependency are no table.
 */
export function coalesceValues(chart: ChartWithValues, given: GoMap, options: CoalesceOptions = {}): GoMap {
  const { nulls = "coalesce", warn, keepsNullDefaults = true } = options;
  const isMerge = nulls === "merge";
  return coalesceChart(chart, copyMap(given), { keepsNulls: isMerge, keepsNullDefaults, warn, prefix: "" });
}

interface Coalescing {
  readonly keepsNulls: boolean;
  readonly keepsNullDefaults: boolean;
  readonly warn: CoalesceOptions["warn"];
  /** Where the map is, for warnings. */
  readonly prefix: string;
}

function coalesceChart(chart: ChartWithValues, values: GoMap, coalescing: Coalescing): GoMap {
  const below = { ...coalescing, prefix: joined(coalescing.prefix, chart.metadata.name) };
  addDefaults(chart, values, below);
  for (const dependency of chart.dependencies) {
    const { name } = dependency.metadata;
    if (!values.has(name)) values.set(name, new Map());
    const table = values.get(name);
    if (!isMap(table)) throw new ChartError(sprintf("type mismatch on %s: %t", [name, table ?? null]), { chart: name });
    passGlobals(table, values, below);
    values.set(name, coalesceChart(dependency, table, below));
  }
  return values;
}

/** Puts a chart's own values below those that are there. */
function addDefaults(chart: ChartWithValues, values: GoMap, coalescing: Coalescing): void {
  for (const [key, fallback] of copyMap(chart.values)) {
    const value = values.get(key);
    if (value === undefined) addDefault(values, [key, fallback], coalescing);
    else if (value === null) {
      if (!coalescing.keepsNulls) values.delete(key);
    } else if (isMap(value)) {
      if (isMap(fallback)) {
        // Null in the table of a dependency is for the defaults of that.
        const keepsNulls = coalescing.keepsNulls || chart.dependencies.some(({ metadata }) => metadata.name === key);
        const defaults = keepsNulls || coalescing.keepsNullDefaults ? fallback : withoutNulls(fallback);
        addTable(value, defaults, { ...coalescing, keepsNulls, prefix: joined(coalescing.prefix, key) });
      } else if (fallback !== null) {
        coalescing.warn?.(`warning: skipped value for ${joined(coalescing.prefix, key)}: Not a table.`);
      }
    }
  }
}

/** Adds a default for a key without a value. */
function addDefault(into: GoMap, [key, fallback]: readonly [string, Value], coalescing: Coalescing): void {
  if (coalescing.keepsNulls || coalescing.keepsNullDefaults) into.set(key, fallback);
  else if (fallback !== null) into.set(key, isMap(fallback) ? withoutNulls(fallback) : fallback);
}

/** Returns a copy without null in maps, recursively. Lists keep null. */
function withoutNulls(map: GoMap): GoMap {
  const kept = [...map].filter(([, value]) => value !== null);
  return new Map(kept.map(([key, value]) => [key, isMap(value) ? withoutNulls(value) : value]));
}

/** Puts the entries of a table below those of another, which is changed and comes to share tables with the first. */
export function mergeTables(into: GoMap, from: GoMap, warn?: CoalesceOptions["warn"]): GoMap {
  return addTable(into, from, { keepsNulls: true, keepsNullDefaults: true, warn, prefix: "" });
}

function addTable(into: GoMap, from: GoMap, coalescing: Coalescing): GoMap {
  for (const [key, fallback] of from) {
    const place = joined(coalescing.prefix, key);
    const value = into.get(key);
    if (value === undefined) addDefault(into, [key, fallback], coalescing);
    else if (value === null) {
      if (fallback !== null && !coalescing.keepsNulls) into.delete(key);
    } else if (isMap(fallback)) {
      if (isMap(value)) addTable(value, fallback, { ...coalescing, prefix: place });
      else coalescing.warn?.(sprintf("warning: cannot overwrite table with non table for %s (%v)", [place, fallback]));
    } else if (isMap(value) && fallback !== null) {
      coalescing.warn?.(
        sprintf("warning: destination for %s is a table. Ignoring non-table value (%v)", [place, fallback]),
      );
    }
  }
  return into;
}

/** Gives a dependency the globals of the chart around it, which win over its own. */
function passGlobals(into: GoMap, from: GoMap, coalescing: Coalescing): void {
  const own = into.has(globalKey) ? into.get(globalKey) : new Map<string, Value>();
  if (!isMap(own)) {
    coalescing.warn?.(`warning: skipping globals because destination ${globalKey} is not a table.`);
    return;
  }
  const passed = from.has(globalKey) ? from.get(globalKey) : new Map<string, Value>();
  if (!isMap(passed)) {
    coalescing.warn?.(`warning: skipping globals because source ${globalKey} is not a table.`);
    return;
  }
  for (const [key, value] of passed) passGlobal(own, [key, value], coalescing);
  into.set(globalKey, own);
}

function passGlobal(own: GoMap, [key, value]: readonly [string, Value], coalescing: Coalescing): void {
  const existing = own.get(key);
  if (!isMap(value)) {
    if (isMap(existing)) coalescing.warn?.(`key ${key} is table. Skipping`);
    else own.set(key, value);
    return;
  }
  if (existing !== undefined && !isMap(existing)) {
    coalescing.warn?.(sprintf("Conflict: cannot merge map onto non-map for %q. Skipping.", [key]));
    return;
  }
  const table: GoMap = new Map(value);
  // What is null here is taken away later.
  if (existing !== undefined)
    addTable(table, existing, { ...coalescing, keepsNulls: true, prefix: joined(coalescing.prefix, key) });
  own.set(key, table);
}

function joined(prefix: string, name: string): string {
  return prefix === "" ? name : `${prefix}.${name}`;
}

/** A copy that shares nothing with the map. */
export function copyMap(map: GoMap): GoMap {
  return mapFromPlain(map);
}
