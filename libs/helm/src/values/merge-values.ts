import { type GoMap, isMap } from "@landscaper/golang";

/** Values of two files in the order of -f: tables are merged, anything else of the second wins. */
export function mergeValues(first: GoMap, second: GoMap): GoMap {
  const merging = new ValueMerging();
  merging.add(first);
  merging.add(second);
  return merging.values;
}

/** Merges many maps of values in time proportional to their sizes. Does not change the maps. */
export class ValueMerging {
  readonly values: GoMap = new Map();
  /** Tables that were made here. Others may be part of a given map more than once. */
  readonly #own = new Set<GoMap>([this.values]);

  add(values: GoMap): void {
    this.#merge(this.values, values);
  }

  #merge(into: GoMap, from: GoMap): void {
    for (const [key, value] of from) {
      const existing = into.get(key);
      if (!isMap(existing) || !isMap(value)) {
        into.set(key, value);
        continue;
      }
      const table = this.#own.has(existing) ? existing : new Map(existing);
      this.#own.add(table);
      into.set(key, table);
      this.#merge(table, value);
    }
  }
}
