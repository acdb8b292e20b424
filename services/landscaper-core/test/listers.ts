import { keyOf, formatKey, type KubeObject } from "@landscaper/api";
import type { IndexFunctions, Lister } from "@landscaper/controller-runtime";

/** A lister of given objects. */
export function fixedLister<T extends KubeObject>(objects: readonly T[], indexes: IndexFunctions<T> = {}): Lister<T> {
  const byIndex: Lister<T>["byIndex"] = (name, value) =>
    objects.filter((object) => indexes[name]?.(object).includes(value));
  return {
    get: (key) => objects.find((object) => formatKey(keyOf(object)) === formatKey(key)),
    list: () => objects,
    byIndex,
    countByIndex: (name, value) => byIndex(name, value).length,
  };
}
