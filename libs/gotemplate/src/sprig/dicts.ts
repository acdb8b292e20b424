import { compareStrings } from "@landscaper/goyaml";
import { FunctionError } from "../template-error.ts";
import { define, defineVariadic, type FunctionMap } from "../value/define-function.ts";
import { typeName } from "../value/type-name.ts";
import { collectionType, isMap, isSlice, strings, withType, type GoMap, type Value } from "../value/value.ts";
import { mergeMaps } from "./merge-maps.ts";
import { textOf } from "./text-of.ts";

function dictOf(items: readonly Value[]): GoMap {
  const map: GoMap = new Map();
  for (let i = 0; i < items.length; i += 2)
    map.set(textOf(items[i]), i + 1 < items.length ? (items[i + 1] ?? null) : "");
  return map;
}

/** Changing a nil map panics in Go. */
function writable(map: GoMap): GoMap {
  if (map[collectionType]?.isNil === true) throw new FunctionError("assignment to entry in nil map");
  return map;
}

function dig(args: readonly Value[]): Value {
  if (args.length < 3) throw new FunctionError("dig needs at least three arguments");
  const fallback = args.at(-2);
  let current = asMap(args.at(-1));
  const keys = args.slice(0, -2).map((key) => {
    if (typeof key !== "string") throw new FunctionError(conversionProblem(key, "string"));
    return key;
  });
  for (const [i, key] of keys.entries()) {
    const step = current.get(key);
    if (step === undefined) return fallback ?? null;
    if (i === keys.length - 1) return step;
    current = asMap(step);
  }
  return fallback ?? null;
}

function asMap(value: Value): GoMap {
  if (isMap(value) && value[collectionType] === undefined) return value;
  throw new FunctionError(conversionProblem(value, "map[string]interface {}"));
}

function conversionProblem(value: Value, wanted: string): string {
  const found = value === null || value === undefined ? "nil" : typeName(value);
  return `interface conversion: interface {} is ${found}, not ${wanted}`;
}

function pickKeys(map: GoMap, keys: readonly string[]): GoMap {
  const wanted = new Set(keys);
  return new Map([...map].filter(([key]) => wanted.has(key)));
}

/** copystructure.Copy: maps and lists anew, everything else as it is. */
function deepCopy(value: Value): Value {
  if (isSlice(value)) {
    const copy = value.map(deepCopy);
    const type = value[collectionType];
    return type === undefined ? copy : withType(copy, type);
  }
  if (!isMap(value)) return value;
  const copy: GoMap = new Map([...value].map(([key, item]): [string, Value] => [key, deepCopy(item)]));
  const type = value[collectionType];
  return type === undefined ? copy : withType(copy, type);
}

function merged(overwrite: boolean): FunctionMap[string] {
  return defineVariadic(["map"], "map", ([target], sources) => {
    for (const source of sources) mergeMaps(writable(target), source, overwrite);
    return target;
  });
}

const merge = merged(false);
const mergeOverwrite = merged(true);

/** Functions on dictionaries. `keys` and `values` come in the order of the keys, where Go gives them in any order. */
export const dictFunctions: FunctionMap = {
  dict: defineVariadic([], "any", (_, items) => dictOf(items)),
  get: define(["map", "string"], ([map, key]) => {
    const value = map.get(key);
    return value === undefined ? "" : value;
  }),
  set: define(["map", "string", "any"], ([map, key, value]) => writable(map).set(key, value ?? null)),
  unset: define(["map", "string"], ([map, key]) => {
    map.delete(key);
    return map;
  }),
  hasKey: define(["map", "string"], ([map, key]) => map.has(key)),
  pluck: defineVariadic(["string"], "map", ([key], maps) =>
    maps.filter((map) => map.has(key)).map((map) => map.get(key)),
  ),
  keys: defineVariadic([], "map", (_, maps) =>
    strings(maps.flatMap((map) => [...map.keys()].toSorted(compareStrings))),
  ),
  values: define(["map"], ([map]) => [...map.keys()].toSorted(compareStrings).map((key) => map.get(key))),
  pick: defineVariadic(["map"], "string", ([map], keys) => pickKeys(map, keys)),
  omit: defineVariadic(["map"], "string", ([map], keys) => {
    const omitted = new Set(keys);
    return pickKeys(
      map,
      [...map.keys()].filter((key) => !omitted.has(key)),
    );
  }),
  merge,
  mustMerge: merge,
  mergeOverwrite,
  mustMergeOverwrite: mergeOverwrite,
  dig: defineVariadic([], "any", (_, args) => dig(args)),
  deepCopy: define(["any"], ([value]) => deepCopy(value)),
  mustDeepCopy: define(["any"], ([value]) => deepCopy(value)),
};
