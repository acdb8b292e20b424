import { type GoMap, isMap, type Value } from "@landscaper/golang";

/** Values of two files in the order of -f: tables are merged, anything else of the second wins. */
export function mergeValues(first: GoMap, second: GoMap): GoMap {
  const merged: GoMap = new Map(first);
  for (const [key, value] of second) merged.set(key, mergedValue(first.get(key), value));
  return merged;
}

function mergedValue(first: Value, second: Value): Value {
  return isMap(first) && isMap(second) ? mergeValues(first, second) : second;
}
