import {
  type CallContext,
  FunctionError,
  type FunctionMap,
  type GoMap,
  NamedMap,
  type Value,
  collectionType,
  define,
  defineVariadic,
  isMap,
  isSlice,
  shallow,
  strings,
  typeName,
  withType,
} from "@landscaper/golang";
import { compareStrings } from "@landscaper/goyaml";
import { mergeMaps } from "./merge-maps.ts";
import { textOf } from "./text-of.ts";

/** Maps and their entries are large beside the work of making them. */
const stepsPerMap = 8;
const stepsPerEntry = 4;

function dictOf(items: readonly Value[], context: CallContext): GoMap {
  const map: GoMap = new Map();
  context.spend(stepsPerMap);
  for (let i = 0; i < items.length; i += 2) {
    context.chargeValue(items[i]);
    map.set(textOf(items[i]), i + 1 < items.length ? (items[i + 1] ?? null) : "");
  }
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

function sortedKeys(map: GoMap, context: CallContext): string[] {
  context.charge(map.size * 4);
  return [...map.keys()].toSorted(compareStrings);
}

function pickKeys(map: GoMap, keys: readonly string[]): GoMap {
  const wanted = new Set(keys);
  return new Map([...map].filter(([key]) => wanted.has(key)));
}

/** copystructure.Copy: maps and lists anew, everything else as it is. */
function copyOf(value: Value): Value {
  if (value === null || value === undefined) {
    throw new FunctionError("reflect: call of reflect.Value.Type on zero Value");
  }
  return deepCopy(value);
}

function deepCopy(value: Value): Value {
  if (isSlice(value)) {
    const copy = value.map(deepCopy);
    const type = value[collectionType];
    return type === undefined ? copy : withType(copy, type);
  }
  if (!isMap(value)) return value;
  const copy: GoMap = new Map([...value].map(([key, item]): [string, Value] => [key, deepCopy(item)]));
  if (value instanceof NamedMap) return new NamedMap(copy, value[collectionType]);
  const type = value[collectionType];
  return type === undefined ? copy : withType(copy, type);
}

function merged(overwrite: boolean): FunctionMap[string] {
  return shallow(
    defineVariadic(["map"], "map", ([given], sources, context) => {
      const isNil = given[collectionType]?.isNil === true && sources.length > 0;
      const target: GoMap = isNil ? new Map() : given;
      for (const source of sources) {
        context.chargeValue(source);
        mergeMaps(target, source, overwrite);
      }
      return target;
    }),
  );
}

const merge = merged(false);
const mergeOverwrite = merged(true);

/** Functions on dictionaries. `keys` and `values` come in the order of the keys, where Go gives them in any order. */
export const dictFunctions: FunctionMap = {
  dict: shallow(defineVariadic([], "any", (_, items, context) => dictOf(items, context))),
  get: shallow(
    define(["map", "string"], ([map, key]) => {
      const value = map.get(key);
      return value === undefined ? "" : value;
    }),
  ),
  set: shallow(
    define(["map", "string", "any"], ([map, key, value], context) => {
      context.spend(stepsPerEntry);
      return writable(map).set(key, value ?? null);
    }),
  ),
  unset: shallow(
    define(["map", "string"], ([map, key]) => {
      map.delete(key);
      return map;
    }),
  ),
  hasKey: shallow(define(["map", "string"], ([map, key]) => map.has(key))),
  pluck: shallow(
    defineVariadic(["string"], "map", ([key], maps) => maps.filter((map) => map.has(key)).map((map) => map.get(key))),
  ),
  keys: shallow(
    defineVariadic([], "map", (_, maps, context) => strings(maps.flatMap((map) => sortedKeys(map, context)))),
  ),
  values: shallow(define(["map"], ([map], context) => sortedKeys(map, context).map((key) => map.get(key)))),
  pick: shallow(
    defineVariadic(["map"], "string", ([map], keys, context) => {
      context.charge(map.size);
      return pickKeys(map, keys);
    }),
  ),
  omit: shallow(
    defineVariadic(["map"], "string", ([map], keys, context) => {
      context.charge(map.size);
      const omitted = new Set(keys);
      return pickKeys(
        map,
        [...map.keys()].filter((key) => !omitted.has(key)),
      );
    }),
  ),
  merge,
  mustMerge: merge,
  mergeOverwrite,
  mustMergeOverwrite: mergeOverwrite,
  dig: shallow(defineVariadic([], "any", (_, args) => dig(args))),
  deepCopy: define(["any"], ([value]) => copyOf(value)),
  mustDeepCopy: define(["any"], ([value]) => copyOf(value)),
};
