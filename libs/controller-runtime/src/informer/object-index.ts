import type { KubeObject } from "@landscaper/api";
import type { IndexFunctions } from "../controller-interface.ts";

/** Name -> value -> key -> object. Kept in step by the store that owns it. */
export interface ObjectIndex<T extends KubeObject> {
  /** Adds functions; the given objects are indexed by them at once. */
  extend(functions: IndexFunctions<T>, objects: Iterable<readonly [string, T]>): void;
  put(key: string, object: T): void;
  remove(key: string, object: T): void;
  /** Throws TypeError for an index nobody has declared: a programming error that would else look like "no objects". */
  find(index: string, value: string): readonly T[];
  /** Like `find`, the number of the objects in constant time. */
  count(index: string, value: string): number;
}

export function createObjectIndex<T extends KubeObject>(): ObjectIndex<T> {
  const functions = new Map<string, (object: T) => readonly string[]>();
  const tables = new Map<string, Map<string, Map<string, T>>>();
  const putInto = (name: string, key: string, object: T): void => {
    const table = tables.get(name);
    for (const value of functions.get(name)?.(object) ?? []) {
      const bucket = table?.get(value);
      if (bucket === undefined) table?.set(value, new Map([[key, object]]));
      else bucket.set(key, object);
    }
  };
  const bucketOf = (index: string, value: string): ReadonlyMap<string, T> | undefined => {
    const table = tables.get(index);
    if (table === undefined) throw new TypeError(`no index "${index}" is declared for this informer`);
    return table.get(value);
  };
  return {
    extend: (added, objects) => {
      for (const [name, values] of Object.entries(added)) {
        if (functions.has(name)) continue;
        functions.set(name, values);
        tables.set(name, new Map());
        for (const [key, object] of objects) putInto(name, key, object);
      }
    },
    put: (key, object) => {
      for (const name of functions.keys()) putInto(name, key, object);
    },
    remove: (key, object) => {
      for (const [name, values] of functions) {
        const table = tables.get(name);
        for (const value of values(object)) {
          const bucket = table?.get(value);
          bucket?.delete(key);
          if (bucket?.size === 0) table?.delete(value);
        }
      }
    },
    find: (index, value) => [...(bucketOf(index, value)?.values() ?? [])],
    count: (index, value) => bucketOf(index, value)?.size ?? 0,
  };
}
