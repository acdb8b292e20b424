import { defaultTable } from "../defaults/default-table.ts";
import { isRecord } from "../objects/json.ts";
import { jsonTypeName, readScalar, structScalars, zeroScalar } from "./go-scalars.ts";
import type { GoField, GoStruct, GoType } from "./parse-builtin-types.ts";

/** A value that Go's decoder refuses; the message is Go's. */
export class GoDecodeError extends Error {
  override readonly name = "GoDecodeError";
}

export interface GoDecoded {
  readonly value: Record<string, unknown>;
  /** `unknown field "spec.x"`, in the order of the document. */
  readonly unknownFields: readonly string[];
}

interface Walk {
  readonly unknownFields: string[];
}

/** Where a value stands: `fields` for Go's type errors (no list positions), `path` for unknown fields. */
interface Place {
  readonly struct: string;
  readonly fields: string;
  readonly path: string;
}

/**
 * Reads an object as the real server does and answers what it would write again: fields that the struct lacks are dropped, empty ones
 * left out or written as Go's zero values, defaults are set, quantities and times in their canonical form. Throws GoDecodeError.
 */
export function decodeJson(struct: GoStruct, value: Readonly<Record<string, unknown>>): GoDecoded {
  const walk: Walk = { unknownFields: [] };
  const place = { struct: struct.name, fields: "", path: "" };
  return { value: readStruct(walk, struct, { value, place }), unknownFields: walk.unknownFields };
}

/** Kinds that other kinds hold whole, with kind and apiVersion: the claims of a StatefulSet. */
const embeddedKinds: ReadonlySet<string> = new Set(["PersistentVolumeClaim"]);

/** Fields of features that are off by default in the version that this server answers as: silently dropped. */
const disabledFields: ReadonlyMap<string, readonly string[]> = new Map([
  ["Container", ["restartPolicyRules"]],
  ["Lifecycle", ["stopSignal"]],
  ["PodSpec", ["hostnameOverride"]],
  ["RollingUpdateStatefulSetStrategy", ["maxUnavailable"]],
  ["EnvVarSource", ["fileKeyRef"]],
  ["Volume", ["image"]],
  ["VolumeProjection", ["clusterTrustBundle", "podCertificate"]],
]);

interface At<T> {
  readonly value: T;
  readonly place: Place;
}

function readStruct(
  walk: Walk,
  struct: GoStruct,
  { value, place }: At<Readonly<Record<string, unknown>>>,
): Record<string, unknown> {
  const given = new Map<string, unknown>();
  const typeMeta: Record<string, unknown> = {};
  for (const [name, content] of Object.entries(value)) {
    const field = struct.byName.get(name);
    const path = join(place.path, name);
    if (disabledFields.get(struct.name)?.includes(name) === true) continue;
    if (field !== undefined) {
      const inner = { struct: struct.name, fields: join(place.fields, name), path };
      if (content !== undefined && content !== null)
        given.set(name, readValue(walk, field.type, { value: content, place: inner }));
    } else if (name !== "kind" && name !== "apiVersion") {
      walk.unknownFields.push(`unknown field ${JSON.stringify(path)}`);
    } else if (place.path !== "") {
      if (!embeddedKinds.has(struct.name)) walk.unknownFields.push(`unknown field ${JSON.stringify(path)}`);
      else if (typeof content === "string" && content !== "") typeMeta[name] = content;
    }
  }
  const result: Record<string, unknown> = typeMeta;
  for (const field of struct.byName.values()) {
    const written = writeField(field, given.get(field.json));
    if (written !== undefined) result[field.json] = written;
  }
  defaultTable.get(struct.name)?.(result, struct);
  return result;
}

/** What Go writes for a field with this value; `undefined` in both directions is "not there". */
function writeField(field: GoField, value: unknown): unknown {
  if (field.isPointer) return value ?? (field.omitEmpty ? undefined : null);
  const written = value ?? zeroOf(field.type);
  if (field.omitZero && value === undefined) return undefined;
  // Objects are stored as protobuf, which has no empty lists and maps.
  if (!field.omitEmpty) return field.type.kind !== "struct" && isEmptyList(written) ? null : written;
  // Go leaves out false, 0, "", and empty lists and maps, but never an empty struct.
  return isEmpty(field.type, written) ? undefined : written;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isEmpty(type: GoType, value: unknown): boolean {
  switch (type.kind) {
    case "struct":
      return false;
    case "list":
      return !Array.isArray(value) || value.length === 0;
    case "map":
      return !isRecord(value) || Object.keys(value).length === 0;
    case "scalar":
      return isEmptyScalar(type, value);
  }
}

function isEmptyScalar({ scalar }: GoType & { kind: "scalar" }, value: unknown): boolean {
  if (structScalars.has(scalar)) return false;
  return value === null || value === "" || value === 0 || value === false;
}

function zeroOf(type: GoType): unknown {
  switch (type.kind) {
    case "struct":
      return zeroStruct(type.struct);
    case "list":
    case "map":
      return null;
    case "scalar":
      return zeroScalar(type.scalar);
  }
}

/** What Go writes for a struct in which nothing was set. */
export function zeroStruct(struct: GoStruct): Record<string, unknown> {
  return decodeJson(struct, {}).value;
}

function readValue(walk: Walk, type: GoType, at: At<unknown>): unknown {
  const { value, place } = at;
  switch (type.kind) {
    case "scalar": {
      const result = readScalar(type.scalar, value);
      if ("value" in result) return result.value;
      if ("problem" in result) throw new GoDecodeError(result.problem);
      throw mismatch(result.mismatch, type, place);
    }
    case "list":
      if (!Array.isArray(value)) throw mismatch(jsonTypeName(value), type, place);
      return value.map((item: unknown, i) =>
        readItem(walk, type.item, { value: item, place: { ...place, path: `${place.path}[${i}]` } }),
      );
    case "map": {
      if (!isRecord(value)) throw mismatch(jsonTypeName(value), type, place);
      const entries = Object.entries(value).map(([key, item]) => {
        const inner = { ...place, path: join(place.path, key) };
        return [key, readItem(walk, type.value, { value: item, place: inner })] as const;
      });
      return Object.fromEntries(entries);
    }
    case "struct":
      if (!isRecord(value)) throw mismatch(jsonTypeName(value), type, place);
      return readStruct(walk, type.struct, { value, place });
  }
}

/** null in a list or map is the zero value there. */
function readItem(walk: Walk, type: GoType, at: At<unknown>): unknown {
  return at.value === null ? zeroOf(type) : readValue(walk, type, at);
}

function mismatch(found: string, type: GoType, { struct, fields }: Place): GoDecodeError {
  return new GoDecodeError(
    `json: cannot unmarshal ${found} into Go struct field ${struct}.${fields} of type ${type.name}`,
  );
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
