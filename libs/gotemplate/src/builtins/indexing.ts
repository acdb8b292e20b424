import {
  FunctionError,
  GoInt,
  type Value,
  byteLength,
  collectionType,
  encodeUtf8,
  isMap,
  isSlice,
  sliceBytes,
  typeName,
  withType,
  zeroOf,
} from "@landscaper/golang";

/** index x 1 "a" ...: Models index of text/template/funcs.go. */
export function indexValue(item: Value, indexes: readonly Value[]): Value {
  if (item === undefined || item === null) throw new FunctionError("index of untyped nil");
  let current: Value = item;
  for (const index of indexes) {
    if (current === undefined || current === null) throw new FunctionError("index of nil pointer");
    current = indexOnce(current, index ?? undefined);
  }
  return current;
}

function indexOnce(item: Value, index: Value): Value {
  if (isMap(item)) {
    const found = item.get(mapKey(index));
    return found === undefined ? zeroOf(item[collectionType]?.element ?? "interface {}") : found;
  }
  if (isSlice(item)) {
    const at = indexArgument(index, item.length);
    if (at === item.length) throw new FunctionError("reflect: slice index out of range");
    return item[at];
  }
  if (typeof item === "string" || item instanceof Uint8Array) {
    const bytes = typeof item === "string" ? encodeUtf8(item) : item;
    const at = indexArgument(index, bytes.length);
    if (at === bytes.length) {
      throw new FunctionError(`reflect: ${typeof item === "string" ? "string" : "slice"} index out of range`);
    }
    return new GoInt("uint8", bytes[at] ?? 0);
  }
  throw new FunctionError(`can't index item of type ${targetTypeName(item)}`);
}

function mapKey(index: Value): string {
  if (typeof index === "string") return index;
  if (index === undefined) throw new FunctionError("value is nil; should be of type string");
  throw new FunctionError(`value has type ${typeName(index)}; should be string`);
}

/** A position up to and including `limit`. */
function indexArgument(index: Value, limit: number): number {
  if (index === undefined || index === null) throw new FunctionError("cannot index slice/array with nil");
  if (!(index instanceof GoInt)) throw new FunctionError(`cannot index slice/array with type ${typeName(index)}`);
  const at = index.toNumber();
  if (at < 0 || at > limit) throw new FunctionError(`index out of range: ${index.toString()}`);
  return at;
}

/** slice x 1 2: Models slice of text/template/funcs.go. */
export function sliceValue(item: Value, indexes: readonly Value[]): Value {
  if (item === undefined || item === null) throw new FunctionError("slice of untyped nil");
  if (indexes.length > 3) throw new FunctionError(`too many slice indexes: ${indexes.length}`);
  if (typeof item === "string") {
    if (indexes.length === 3) throw new FunctionError("cannot 3-index slice a string");
    const [from, to] = sliceRange(indexes, byteLength(item));
    return sliceBytes(item, from, to);
  }
  if (item instanceof Uint8Array) return item.subarray(...sliceRange(indexes, item.length));
  if (!isSlice(item)) throw new FunctionError(`can't slice item of type ${targetTypeName(item)}`);
  const part = item.slice(...sliceRange(indexes, item.length));
  const type = item[collectionType];
  return type === undefined ? part : withType(part, type);
}

function sliceRange(indexes: readonly Value[], length: number): [from: number, to: number] {
  const positions = indexes.map((index) => indexArgument(index ?? undefined, length));
  const [from = 0, to = length, cap = length] = positions;
  if (from > to) throw new FunctionError(`invalid slice index: ${from} > ${to}`);
  if (to > cap) throw new FunctionError(`invalid slice index: ${to} > ${cap}`);
  return [from, to];
}

/** len of a string (bytes), list or map. */
export function lengthOf(item: Value): number {
  if (typeof item === "string") return byteLength(item);
  if (isMap(item)) return item.size;
  if (isSlice(item) || item instanceof Uint8Array) return item.length;
  if (item === null) throw new FunctionError("len of nil pointer");
  if (item === undefined) throw new FunctionError("reflect: call of reflect.Value.Type on zero Value");
  throw new FunctionError(`len of type ${targetTypeName(item)}`);
}

/** The type that a pointer points to. */
function targetTypeName(item: Value): string {
  return typeName(item).replace(/^\*/, "");
}
