import { parseJson } from "@landscaper/json";
import type { FieldSchema, ListKey } from "@landscaper/patch";
import { fieldTypesJson } from "./field-types.generated.ts";

/**
 * Kinds by "apiVersion/Kind", and types by name: the text of a type, or the fields of a structure as "name|text", after "!" when it is owned as a
 * whole. Texts: `s`tring, `n`umber, `b`oolean, `u`ntyped scalar, `?` anything, owned as a whole, `@name` another type, `[]x` a list that is one value, `[s]x` a
 * set, `[kname=text,port#1,other]x` a list by keys with their defaults, `{}x` a map, `{a}x` a map that is one value.
 */
interface Document {
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string | readonly string[]>>;
}

const document = parseJson(fieldTypesJson) as unknown as Document; // generated beside this file
const known = new Map<string, FieldSchema>();

/** What of a built-in kind can be owned; undefined when it is none. */
export function findFieldSchema(apiVersion: string, kind: string): FieldSchema | undefined {
  const name = document.kinds[`${apiVersion}/${kind}`];
  return name === undefined ? undefined : namedType(name);
}

/** Of metadata, which all kinds share. */
export function objectMetaSchema(): FieldSchema {
  return namedType("meta.v1.ObjectMeta");
}

/** Types are made when they are first asked for, and may contain themselves. */
function namedType(name: string): FieldSchema {
  const found = known.get(name);
  if (found !== undefined) return found;
  const type = document.types[name];
  if (typeof type === "string" || type === undefined) {
    const schema = parseType(type ?? "?");
    known.set(name, schema);
    return schema;
  }
  const fields = new Map<string, FieldSchema>();
  known.set(name, { kind: "map", isAtomic: type.includes("!"), fields, values: undefined });
  for (const field of type) {
    const bar = field.indexOf("|");
    if (bar > 0) fields.set(field.slice(0, bar), parseType(field.slice(bar + 1)));
  }
  return namedType(name);
}

function parseType(text: string): FieldSchema {
  switch (text.charAt(0)) {
    case "s":
      return { kind: "scalar", type: "string" };
    case "n":
      return { kind: "scalar", type: "number" };
    case "b":
      return { kind: "scalar", type: "boolean" };
    case "u":
      return { kind: "scalar", type: "untyped" };
    case "@":
      return namedType(text.slice(1));
    case "{": {
      const end = text.indexOf("}");
      return { kind: "map", isAtomic: end > 1, fields: new Map(), values: parseType(text.slice(end + 1)) };
    }
    case "[":
      return parseList(text);
    default:
      return { kind: "any", isAtomic: true };
  }
}

function parseList(text: string): FieldSchema {
  if (!text.startsWith("[k")) {
    const isSet = text.startsWith("[s]");
    const item = parseType(text.slice(isSet ? 3 : 2));
    return { kind: "list", relation: isSet ? "set" : "atomic", keys: [], item };
  }
  const end = text.indexOf("]");
  const keys = text.slice(2, end).split(",").map(parseKey);
  return { kind: "list", relation: "map", keys, item: parseType(text.slice(end + 1)) };
}

function parseKey(text: string): ListKey {
  const [name = text, defaultText = ""] = text.split(/[=#]/);
  if (text.includes("=")) return { name, defaultValue: defaultText };
  return text.includes("#") ? { name, defaultValue: Number(defaultText) } : { name };
}
