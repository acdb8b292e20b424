import { compareStrings, formatFloatDefault } from "@landscaper/goyaml";
import { GoComplex } from "../value/go-complex.ts";
import { GoInt, isUnsigned } from "../value/go-int.ts";
import { kindName, typeName } from "../value/type-name.ts";
import { decodeUtf8 } from "../value/utf8.ts";
import {
  collectionType,
  GoNilPointer,
  GoObject,
  isMap,
  isSlice,
  type GoMap,
  type GoSlice,
  type Value,
} from "../value/value.ts";
import { type Flags, noFlags, pad, truncate } from "./flags.ts";
import { formatFloatVerb, formatInteger } from "./format-number.ts";
import { formatHex, formatString } from "./format-string.ts";

/** One argument by one verb, as fmt's printArg. */
export function printArg(value: Value, verb: string, flags: Flags): string {
  // The usual cases first.
  if (flags === noFlags) {
    if (typeof value === "string" && (verb === "s" || verb === "v")) return value;
    if (value instanceof GoInt && value.named === undefined && (verb === "d" || verb === "v")) return value.toString();
    if (verb === "v") return value === undefined || value === null ? "<nil>" : formatDefault(value);
  }
  if (value === undefined || value === null) {
    return verb === "T" || verb === "v" ? pad("<nil>", flags) : badVerb(value, verb);
  }
  if (verb === "T") return pad(truncate(typeName(value), flags), flags);
  if (verb === "p") return printPointer(value, flags);
  if (verb === "w") return badVerbWith(value, verb, flags);
  return printValue(value, verb, { flags, depth: 0 });
}

/** The text of a value by `%v` without flags: what an action prints. */
export function formatDefault(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatFloatDefault(value);
  if (typeof value === "boolean") return value ? "true" : "false";
  if (value instanceof GoInt && value.named === undefined) return value.toString();
  return printValue(value, "v", { flags: noFlags, depth: 0 });
}

/** Go prints an address, which is another one each time: here all have the same. */
const address = 0xc000010000;

function printPointer(value: NonNullable<Value>, flags: Flags): string {
  const kind = kindName(value);
  if (!["map", "slice", "func", "ptr"].includes(kind)) return badVerbWith(value, "p", flags);
  return formatInteger(address, "x", { ...flags, sharp: !flags.sharp }) ?? "";
}

interface Position {
  readonly flags: Flags;
  readonly depth: number;
  /** Inside the value of a bad verb: methods are not called. */
  readonly plain?: boolean;
}

function badVerb(value: Value, verb: string): string {
  if (value === undefined || value === null) return `%!${verb}(<nil>)`;
  return `%!${verb}(${typeName(value)}=${printValue(value, "v", { flags: noFlags, depth: 0, plain: true })})`;
}

/** As badVerb, but with the flags of the verb: Go keeps them for the value that it shows. */
function badVerbWith(value: Value, verb: string, flags: Flags): string {
  return `%!${verb}(${typeName(value)}=${printValue(value, "v", { flags, depth: 0, plain: true })})`;
}

function printValue(value: Value, verb: string, position: Position): string {
  const { flags } = position;
  if (typeof value === "string") return formatString(value, verb, flags) ?? badVerbWith(value, verb, flags);
  if (typeof value === "number") return formatFloatVerb(value, verb, flags) ?? badVerbWith(value, verb, flags);
  if (typeof value === "boolean") {
    return verb === "v" || verb === "t" ? pad(String(value), flags) : badVerbWith(value, verb, flags);
  }
  if (value === undefined || value === null) return flags.sharpV ? "interface {}(nil)" : "<nil>";
  if (value instanceof GoInt) return printInt(value, verb, position);
  if (value instanceof Uint8Array) return printBytes(value, verb, flags);
  if (value instanceof GoComplex) return printComplex(value, verb, flags);
  if (value instanceof GoNilPointer) return printNilPointer(value, verb, flags);
  if (value instanceof GoObject) return printObject(value, verb, position);
  if (isMap(value)) return printMap(value, verb, position);
  if (isSlice(value)) return printSlice(value, verb, position);
  return `%!${verb}(func())`;
}

function printInt(value: GoInt, verb: string, { flags, plain }: Position): string {
  if (value.named !== undefined && plain !== true && !flags.sharpV && "vsxXq".includes(verb)) {
    return formatString(value.named.format(value.value), verb, flags) ?? "";
  }
  if (verb === "v" && flags.sharpV && isUnsigned(value.kind)) {
    return formatInteger(value.value, "x", { ...flags, sharp: true, sharpV: false }) ?? "";
  }
  return formatInteger(value.wide ?? value.toNumber(), verb, flags) ?? badVerbWith(value, verb, flags);
}

function printComplex(value: GoComplex, verb: string, flags: Flags): string {
  const real = formatFloatVerb(value.real, verb, flags);
  const imaginary = formatFloatVerb(value.imaginary, verb, { ...flags, plus: true });
  return real === undefined ? badVerbWith(value, verb, flags) : `(${real}${imaginary}i)`;
}

function printBytes(bytes: Uint8Array, verb: string, flags: Flags): string {
  switch (verb) {
    case "v":
    case "d": {
      if (!flags.sharpV) return `[${[...bytes].map((byte) => formatInteger(byte, "d", flags)).join(" ")}]`;
      return `[]byte{${[...bytes].map((byte) => `0x${byte.toString(16)}`).join(", ")}}`;
    }
    case "x":
    case "X":
      return formatHex(bytes, verb, flags);
    case "s":
    case "q":
      return formatString(decodeUtf8(bytes), verb, flags) ?? "";
    default:
      return `[${[...bytes].map((byte) => printValue(new GoInt("uint8", byte), verb, { flags, depth: 1 })).join(" ")}]`;
  }
}

function printNilPointer(value: GoNilPointer, verb: string, flags: Flags): string {
  if (verb === "v") return flags.sharpV ? `(${value.typeName})(nil)` : pad("<nil>", flags);
  return ("bodxX".includes(verb) ? formatInteger(0, verb, flags) : undefined) ?? badVerbWith(value, verb, flags);
}

function printObject(value: GoObject, verb: string, { flags, depth, plain }: Position): string {
  if (plain !== true && !flags.sharpV && "vsxXq".includes(verb)) {
    const text = value.text();
    if (text !== undefined) return formatString(text, verb, flags) ?? "";
  }
  const named = flags.plusV || flags.sharpV;
  const items = value
    .fields()
    .map(([name, item]) => (named ? `${name}:` : "") + printValue(item, verb, { flags, depth: depth + 1 }));
  const type = value.typeName.replace(/^\*/, "");
  const pointer = value.typeName.startsWith("*") ? "&" : "";
  if (flags.sharpV) return `${pointer}${type}{${items.join(", ")}}`;
  return `${pointer}{${items.join(" ")}}`;
}

/** Keys of a map in the order in which Go prints and ranges. */
export function sortedKeys(map: GoMap): string[] {
  return [...map.keys()].toSorted(compareStrings);
}

function printMap(map: GoMap, verb: string, { flags, depth }: Position): string {
  const type = typeName(map);
  if (flags.sharpV && map[collectionType]?.isNil === true) return `${type}(nil)`;
  const inner: Position = { flags, depth: depth + 1 };
  const items = sortedKeys(map).map(
    (key) => `${printValue(key, verb, inner)}:${printValue(map.get(key), verb, inner)}`,
  );
  return flags.sharpV ? `${type}{${items.join(", ")}}` : `map[${items.join(" ")}]`;
}

function printSlice(slice: GoSlice, verb: string, { flags, depth }: Position): string {
  const type = typeName(slice);
  if (flags.sharpV && slice[collectionType]?.isNil === true) return `${type}(nil)`;
  const items = slice.map((item) => printValue(item, verb, { flags, depth: depth + 1 }));
  return flags.sharpV ? `${type}{${items.join(", ")}}` : `[${items.join(" ")}]`;
}
