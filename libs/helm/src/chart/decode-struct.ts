import { compareStrings, fromYaml, WrittenNumber, YamlError } from "@landscaper/goyaml";
import { ChartError } from "./chart-error.ts";

/** Types of fields of Go structs that charts are read into. */
export type FieldType =
  | "string"
  | "bool"
  | "strings"
  | "stringMap"
  | "list"
  | "time"
  | { readonly structs: StructType };

export interface StructType {
  /** As Go names it: "chart.Metadata". */
  readonly name: string;
  /** By the names in the files. */
  readonly fields: Readonly<Record<string, FieldType>>;
}

/** The fields that a text gave, by name; entries of lists of structs may be null. */
export type Decoded = Record<string, unknown>;

/**
 * Reads a YAML text into a struct as sigs.k8s.io/yaml does: names of fields match in any case, unknown ones are left out,
 * numbers and booleans become text where text is wanted. Fields of `into` that the text does not have stay. Throws
 * ChartError with Go's message. An empty text is no struct: undefined.
 */
export function decodeStruct(text: string, type: StructType, into: Decoded = {}): Decoded | undefined {
  try {
    const value = fromYaml(text, { numbers: "written" });
    if (value === null) return undefined;
    if (!isRecord(value))
      throw new DecodeError(`json: cannot unmarshal ${kindOf(value)} into Go value of type ${type.name}`);
    return fillStruct(value, type, { into, path: "" });
  } catch (error) {
    if (error instanceof YamlError) throw new ChartError(error.message, { cause: error });
    if (!(error instanceof DecodeError)) throw error;
    throw new ChartError(`error unmarshaling JSON: while decoding JSON: ${error.message}`);
  }
}

/** What does not fit. */
class DecodeError extends Error {}

interface Place {
  readonly into: Decoded;
  /** Names of the fields around it, each with a dot. */
  readonly path: string;
}

function fillStruct(value: Record<string, unknown>, type: StructType, { into, path }: Place): Decoded {
  // Go's JSON comes with sorted keys, and the last of those that mean one field wins.
  for (const key of Object.keys(value).toSorted(compareStrings)) {
    const name = fieldName(key, type);
    if (name === undefined) continue;
    const place = { struct: type.name.slice(type.name.indexOf(".") + 1), path: path + name };
    into[name] = readField(value[key], type.fields[name] ?? "list", { place, existing: into[name] });
  }
  return into;
}

function fieldName(key: string, type: StructType): string | undefined {
  if (Object.hasOwn(type.fields, key)) return key;
  return Object.keys(type.fields).find((name) => name.toLowerCase() === key.toLowerCase());
}

interface FieldPlace {
  /** The struct that has the field, without its package. */
  readonly struct: string;
  readonly path: string;
}

function readField(
  value: unknown,
  type: FieldType,
  { place, existing }: { place: FieldPlace; existing: unknown },
): unknown {
  if (value === null) return type === "string" || type === "bool" ? existing : undefined;
  switch (type) {
    case "string":
      return readText(value, place);
    case "bool":
      return typeof value === "boolean" ? value : mismatch(value, "bool", place);
    case "strings":
      if (!Array.isArray(value)) return mismatch(value, "[]string", place);
      return value.map((item: unknown) => (item === null ? "" : readText(item, place)));
    case "stringMap":
      if (!isRecord(value)) return mismatch(value, "map[string]string", place);
      return Object.fromEntries(
        Object.keys(value)
          .toSorted(compareStrings)
          .map((key) => [key, value[key] === null ? "" : readText(value[key], place)]),
      );
    case "list":
      return Array.isArray(value) ? value.map(plain) : mismatch(value, "[]interface {}", place);
    case "time":
      if (typeof value !== "string") throw new DecodeError("Time.UnmarshalJSON: input is not a JSON string");
      return value;
    default:
      return readStructs(value, type.structs, { place, existing });
  }
}

function readStructs(
  value: unknown,
  struct: StructType,
  { place, existing }: { place: FieldPlace; existing: unknown },
): (Decoded | null)[] {
  if (!Array.isArray(value)) return mismatch(value, `[]*${struct.name}`, place);
  const before: readonly unknown[] = Array.isArray(existing) ? existing : [];
  return value.map((item: unknown, index) => {
    if (item === null) return null;
    if (!isRecord(item)) return mismatch(item, struct.name, place);
    // Go decodes into the items that a list already has.
    const old = before[index];
    return fillStruct(item, struct, { into: isRecord(old) ? { ...old } : {}, path: `${place.path}.` });
  });
}

/** sigs.k8s.io/yaml writes scalars as text for fields of text. */
function readText(value: unknown, place: FieldPlace): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (value instanceof WrittenNumber) return value.text;
  return mismatch(value, "string", place);
}

function mismatch(value: unknown, wanted: string, { struct, path }: FieldPlace): never {
  throw new DecodeError(
    `json: cannot unmarshal ${kindOf(value)} into Go struct field ${struct}.${path} of type ${wanted}`,
  );
}

function kindOf(value: unknown): string {
  if (value instanceof WrittenNumber) return "number";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "object";
}

/** Data without written numbers. */
function plain(value: unknown): unknown {
  if (value instanceof WrittenNumber) return value.value;
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);
}
