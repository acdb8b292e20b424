import { FunctionError } from "../template-error.ts";
import { define, defineVariadic, type FunctionMap } from "../value/define-function.ts";
import { isDeepEqual } from "../value/deep-equal.ts";
import { isEmpty } from "../value/empty.ts";
import { GoInt } from "../value/go-int.ts";
import { kindName } from "../value/type-name.ts";
import {
  collectionType,
  isSlice,
  nilList,
  withType,
  type GoFunction,
  type GoSlice,
  type Value,
} from "../value/value.ts";
import { toInt64 } from "./cast.ts";

/** What Go says when reflection meets nil. */
export const nilDereference = "runtime error: invalid memory address or nil pointer dereference";

/** The items of any list or array; `problem` says what cannot be done with another kind. */
function itemsOf(value: Value, problem: (kind: string) => string): readonly Value[] {
  if (isSlice(value)) return value;
  if (value instanceof Uint8Array) return Array.from(value, (byte) => new GoInt("uint8", BigInt(byte)));
  if (value === null || value === undefined) throw new FunctionError(nilDereference);
  throw new FunctionError(problem(kindName(value)));
}

function includes(list: readonly Value[], value: Value): boolean {
  return list.some((item) => isDeepEqual(value, item));
}

function unique(items: readonly Value[]): Value[] {
  const result: Value[] = [];
  // Strings are the usual case and need no pairwise comparison.
  const texts = new Set<string>();
  for (const item of items) {
    if (typeof item === "string") {
      if (texts.has(item)) continue;
      texts.add(item);
      result.push(item);
    } else if (!includes(result, item)) result.push(item);
  }
  return result;
}

function cannot(verb: string): (kind: string) => string {
  return (kind) => `Cannot ${verb} ${kind}`;
}

function chunk(size: number, items: readonly Value[]): GoSlice {
  if (size <= 0) throw new FunctionError("runtime error: makeslice: len out of range");
  const chunks: GoSlice = [];
  for (let i = 0; i < items.length; i += size) chunks.push(items.slice(i, i + size));
  return withType(chunks, { name: "[][]interface {}", element: "[]interface {}" });
}

function sliceList(list: Value, indices: readonly Value[]): Value {
  const items = itemsOf(list, (kind) => `list should be type of slice or array but ${kind}`);
  if (items.length === 0) return null;
  const start = indices.length > 0 ? Number(toInt64(indices[0])) : 0;
  const end = indices.length < 2 ? items.length : Number(toInt64(indices[1]));
  if (start < 0 || end > items.length || start > end) {
    throw new FunctionError("reflect.Value.Slice: slice index out of bounds");
  }
  if (list instanceof Uint8Array) return list.subarray(start, end);
  const part: GoSlice = items.slice(start, end);
  const type = isSlice(list) ? list[collectionType] : undefined;
  return type === undefined ? part : withType(part, type);
}

function concat(lists: readonly Value[]): Value {
  const all = lists.flatMap((list) => itemsOf(list, (kind) => `Cannot concat type ${kind} as list`));
  return all.length === 0 ? nilList() : all;
}

/** What an item counts of a budget, beside a character. */
const unitsPerItem = 16;

const first = define(["any"], ([list]) => itemsOf(list, cannot("find first on type"))[0] ?? null);
const last = define(["any"], ([list]) => itemsOf(list, cannot("find last on type")).at(-1) ?? null);
const rest = define(["any"], ([list]) => tail(itemsOf(list, cannot("find rest on type")), 1));
const initial = define(["any"], ([list]) => tail(itemsOf(list, cannot("find initial on type")), 0));
const push = define(["any", "any"], ([list, item]) => [...itemsOf(list, cannot("push on type")), item]);
const prepend = define(["any", "any"], ([list, item]) => [item, ...itemsOf(list, cannot("prepend on type"))]);
const reverse = define(["any"], ([list]) => itemsOf(list, cannot("find reverse on type")).toReversed());
const compact = define(["any"], ([list]) => itemsOf(list, cannot("compact on type")).filter((item) => !isEmpty(item)));
const uniq = define(["any"], ([list], context) => {
  const items = itemsOf(list, cannot("find uniq on type"));
  context.charge(items.length * unitsPerItem);
  return unique(items);
});
const without = defineVariadic(["any"], "any", ([list], omitted) =>
  itemsOf(list, cannot("find without on type")).filter((item) => !includes(omitted, item)),
);
const has = define(["any", "any"], ([needle, list]) =>
  list === null ? false : includes(itemsOf(list, cannot("find has on type")), needle),
);
const slice = defineVariadic(["any"], "any", ([list], indices) => sliceList(list, indices));
const chunked = define(["int", "any"], ([size, list]) => chunk(size.toNumber(), itemsOf(list, cannot("chunk type"))));
const list: GoFunction = defineVariadic([], "any", (_, items) => items);

/** All items but the first (1) or the last (0); a nil list for an empty one. */
function tail(items: readonly Value[], from: 0 | 1): GoSlice {
  return items.length === 0 ? nilList() : items.slice(from, items.length - 1 + from);
}

export const listFunctions: FunctionMap = {
  list,
  tuple: list,
  first,
  mustFirst: first,
  last,
  mustLast: last,
  rest,
  mustRest: rest,
  initial,
  mustInitial: initial,
  append: push,
  push,
  mustAppend: push,
  mustPush: push,
  prepend,
  mustPrepend: prepend,
  reverse,
  mustReverse: reverse,
  compact,
  mustCompact: compact,
  uniq,
  mustUniq: uniq,
  without,
  mustWithout: without,
  has,
  mustHas: has,
  slice,
  mustSlice: slice,
  chunk: chunked,
  mustChunk: chunked,
  concat: defineVariadic([], "any", (_, lists, context) => {
    for (const list of lists) if (isSlice(list)) context.charge(list.length * unitsPerItem);
    return concat(lists);
  }),
};
