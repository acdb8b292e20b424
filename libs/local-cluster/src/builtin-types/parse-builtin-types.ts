import { parseJson } from "@landscaper/json";
import { builtinTypesJson } from "./builtin-types.generated.ts";

export type ScalarKind =
  | "any"
  | "bool"
  | "bytes"
  | "duration"
  | "float64"
  | "int32"
  | "int64"
  | "intOrString"
  | "microtime"
  | "quantity"
  | "raw"
  | "string"
  | "time";

/** A Go type as the API's JSON and protobuf forms see it. */
export type GoType =
  | { readonly kind: "scalar"; readonly scalar: ScalarKind; /** As errors name it. */ readonly name: string }
  /** `isMessage`: a named list, which protobuf wraps in a message. */
  | { readonly kind: "list"; readonly item: GoType; readonly name: string; readonly isMessage: boolean }
  | { readonly kind: "map"; readonly value: GoType; readonly name: string }
  | { readonly kind: "struct"; readonly struct: GoStruct; readonly name: string };

export interface GoField {
  /** "" for the fields of an embedded struct, which stand beside the others in JSON but not in protobuf. */
  readonly json: string;
  readonly number: number;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly isPointer: boolean;
  readonly type: GoType;
}

export interface GoStruct {
  readonly name: string;
  /** In the order of Go, which is the order of the JSON; filled after all structs are there. */
  readonly fields: readonly GoField[];
  /** Fields by JSON name, those of embedded structs included. */
  readonly byName: ReadonlyMap<string, GoField>;
}

interface Document {
  readonly kinds: Readonly<Record<string, string>>;
  /** Per struct: "json name|protobuf number|flags|type", flags o(mitempty), z (omitzero), p(ointer). */
  readonly types: Readonly<Record<string, readonly string[]>>;
}

interface BuiltinTypes {
  /** By "apiVersion/Kind". */
  readonly kinds: ReadonlyMap<string, GoStruct>;
  /** By Go name. */
  find(name: string): GoStruct;
}

/** Throws when the generated text is not of its own form. */
function parseBuiltinTypes(text: string): BuiltinTypes {
  const { kinds, types } = parseJson(text) as unknown as Document; // generated beside this file
  const structs = new Map<string, { name: string; fields: GoField[]; byName: Map<string, GoField> }>();
  for (const key of Object.keys(types)) {
    structs.set(key, { name: key.replace(/#.*/, ""), fields: [], byName: new Map() });
  }
  const find = (key: string): GoStruct => {
    const struct = structs.get(key);
    if (struct === undefined) throw new Error(`builtin types: no struct ${key}`);
    return struct;
  };
  for (const [key, struct] of structs) {
    struct.fields.push(...(types[key] ?? []).map((field) => parseField(field, find)));
  }
  for (const struct of structs.values()) {
    for (const field of flatten(struct)) if (!struct.byName.has(field.json)) struct.byName.set(field.json, field);
  }
  return { kinds: new Map(Object.entries(kinds).map(([kind, key]) => [kind, find(key)])), find };
}

function flatten(struct: GoStruct): readonly GoField[] {
  return struct.fields.flatMap((field) =>
    field.json === "" && field.type.kind === "struct" ? flatten(field.type.struct) : [field],
  );
}

function parseField(text: string, find: (key: string) => GoStruct): GoField {
  const [json = "", number = "0", flags = "", type = ""] = text.split("|");
  return {
    json,
    number: Number(number),
    omitEmpty: flags.includes("o"),
    omitZero: flags.includes("z"),
    isPointer: flags.includes("p"),
    type: parseType(type, find),
  };
}

function parseType(text: string, find: (key: string) => GoStruct): GoType {
  if (text.startsWith("@")) {
    const struct = find(text.slice(1));
    return { kind: "struct", struct, name: `v1.${struct.name}` };
  }
  const list = /^(?:<(?<name>[^>]+)>)?\[\](?<item>.*)$/.exec(text)?.groups;
  if (list !== undefined) {
    const item = parseType(list["item"] ?? "", find);
    return { kind: "list", item, name: list["name"] ?? `[]${item.name}`, isMessage: list["name"] !== undefined };
  }
  if (text.startsWith("{}")) {
    const value = parseType(text.slice(2), find);
    return { kind: "map", value, name: `map[string]${value.name}` };
  }
  const [scalar = "", name = scalar === "bytes" ? "[]uint8" : scalar] = text.split(":");
  return { kind: "scalar", scalar: scalar as ScalarKind, name }; // the generator writes no others
}

const builtinTypes = parseBuiltinTypes(builtinTypesJson);

/** The Go struct of a built-in kind, or undefined. */
export function findBuiltinType(apiVersion: string, kind: string): GoStruct | undefined {
  return builtinTypes.kinds.get(`${apiVersion}/${kind}`);
}

/** A Go struct by its name, e.g. ObjectMeta. Throws when there is none. */
export function findStruct(name: string): GoStruct {
  return builtinTypes.find(name);
}
