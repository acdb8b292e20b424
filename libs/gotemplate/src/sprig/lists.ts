import {
  type CallContext,
  FunctionError,
  type FunctionMap,
  type GoFunction,
  GoInt,
  type GoSlice,
  type Value,
  collectionType,
  define,
  defineVariadic,
  isDeepEqual,
  isEmpty,
  isSlice,
  kindName,
  nilList,
  shallow,
  withType,
} from "@landscaper/golang";
import { toInt64 } from "./cast.ts";

/** What Go says when reflection meets nil. */
export const nilDereference = "runtime error: invalid memory address or nil pointer dereference";

/** The items of any list or array; `problem` says what cannot be done with another kind. */
function itemsOf(value: Value, problem: (kind: string) => string): readonly Value[] {
  if (isSlice(value)) return value;
  if (value instanceof Uint8Array) return Array.from(value, (byte) => new GoInt("uint8", byte));
  if (value === null || value === undefined) throw new FunctionError(nilDereference);
  throw new FunctionError(problem(kindName(value)));
}

function includes(list: readonly Value[], value: Value, context: CallContext): boolean {
  context.spend(list.length / 64);
  return list.some((item) => isDeepEqual(value, item, context));
}

function unique(items: readonly Value[], context: CallContext): Value[] {
  const result: Value[] = [];
  // Strings are the usual case and need no pairwise comparison.
  const texts = new Set<string>();
  for (const item of items) {
    if (typeof item === "string") {
      if (texts.has(item)) continue;
      texts.add(item);
      result.push(item);
    } else if (!includes(result, item, context)) result.push(item);
  }
  return result;
}

function cannot(verb: string): (kind: string) => string {
  return (kind) => `Cannot ${verb} ${kind}`;
}

function chunk(size: number, items: readonly Value[]): GoSlice {
  // A size that is not positive makes sprig's number of chunks 0 or 1 for some lengths.
  const count = Math.floor((items.length - 1) / size) + 1;
  const isSingle = count === 1 && items.length === 1 && size !== -1;
  if (size <= 0 && count !== 0 && !isSingle) {
    throw new FunctionError("runtime error: makeslice: len out of range");
  }
  const chunks: GoSlice = [];
  if (isSingle) chunks.push([...items]);
  else if (count !== 0) for (let i = 0; i < items.length; i += size) chunks.push(items.slice(i, i + size));
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

/** A function on the items of a list, which are charged for; `verb` says in errors what cannot be done. */
function onItems(verb: string, call: (items: readonly Value[], context: CallContext) => Value): GoFunction {
  return shallow(
    define(["any"], ([list], context) => {
      const items = itemsOf(list, cannot(verb));
      context.charge(items.length);
      return call(items, context);
    }),
  );
}

/** As onItems, with one more item. */
function withItem(verb: string, call: (items: readonly Value[], item: Value) => Value): GoFunction {
  return shallow(
    define(["any", "any"], ([list, item], context) => {
      const items = itemsOf(list, cannot(verb));
      context.charge(items.length * 4);
      return call(items, item);
    }),
  );
}

const first = shallow(define(["any"], ([list]) => itemsOf(list, cannot("find first on type"))[0] ?? null));
const last = shallow(define(["any"], ([list]) => itemsOf(list, cannot("find last on type")).at(-1) ?? null));
const rest = onItems("find rest on type", (items) => tail(items, 1));
const initial = onItems("find initial on type", (items) => tail(items, 0));
const push = withItem("push on type", (items, item) => [...items, item]);
const prepend = withItem("prepend on type", (items, item) => [item, ...items]);
const reverse = onItems("find reverse on type", (items) => items.toReversed());
const compact = onItems("compact on type", (items) => items.filter((item) => !isEmpty(item)));
const uniq = onItems("find uniq on type", (items, context) => {
  context.charge(items.length * unitsPerItem);
  return unique(items, context);
});
const without = shallow(
  defineVariadic(["any"], "any", ([list], omitted, context) => {
    const items = itemsOf(list, cannot("find without on type"));
    return items.filter((item) => !includes(omitted, item, context));
  }),
);
const has = shallow(
  define(["any", "any"], ([needle, list], context) => {
    if (list === null) return false;
    const items = itemsOf(list, cannot("find has on type"));
    return includes(items, needle, context);
  }),
);
const slice = shallow(
  defineVariadic(["any"], "any", ([list], indices, context) => {
    if (isSlice(list)) context.charge(list.length);
    return sliceList(list, indices);
  }),
);
const chunked = shallow(
  define(["int", "any"], ([size, list], context) => {
    const items = itemsOf(list, cannot("chunk type"));
    context.charge(items.length);
    return chunk(size.toNumber(), items);
  }),
);
const list = shallow(defineVariadic([], "any", (_, items) => items));

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
  concat: shallow(
    defineVariadic([], "any", (_, lists, context) => {
      for (const list of lists) if (isSlice(list)) context.charge(list.length * unitsPerItem);
      return concat(lists);
    }),
  ),
};
