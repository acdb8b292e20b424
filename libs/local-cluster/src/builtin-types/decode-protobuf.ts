import { canonicalIntegers, parseJson } from "@landscaper/json";
import type { GoField, GoStruct, GoType } from "./parse-builtin-types.ts";
import { findBuiltinType } from "./parse-builtin-types.ts";
import type { WireField } from "./protobuf-reader.ts";
import { readFields } from "./protobuf-reader.ts";

const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** Protobuf that is not of Kubernetes' form or of a kind without a known form. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}

/**
 * Reads a Kubernetes protobuf body (an envelope with type meta and the object) as the JSON object that it stands for: real `kubectl` writes some
 * built-in kinds that way. Throws ProtobufError.
 */
export function decodeProtobuf(body: Buffer): Record<string, unknown> {
  if (!body.subarray(0, 4).equals(magic)) {
    throw new ProtobufError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  const envelope = readFields(body.subarray(4));
  const typeMeta = readFields(bytesOf(last(envelope, 1)));
  const apiVersion = textOf(last(typeMeta, 1));
  const kind = textOf(last(typeMeta, 2));
  const struct = findBuiltinType(apiVersion, kind) ?? findBuiltinType("v1", kind);
  if (struct === undefined) throw new ProtobufError(`no protobuf form is known for ${apiVersion} ${kind}`);
  return { apiVersion, kind, ...readMessage(struct, bytesOf(last(envelope, 2))) };
}

function readMessage(struct: GoStruct, bytes: Buffer): Record<string, unknown> {
  const fields = readFields(bytes);
  const result: Record<string, unknown> = {};
  for (const field of struct.fields) {
    const values = fields.filter(({ number }) => number === field.number);
    if (values.length === 0 || field.number === 0) continue;
    if (field.json === "" && field.type.kind === "struct") {
      Object.assign(result, readMessage(field.type.struct, bytesOf(values.at(-1))));
    } else {
      result[field.json] = readField(field, values);
    }
  }
  return result;
}

function readField({ type }: GoField, values: readonly WireField[]): unknown {
  switch (type.kind) {
    case "list":
      return type.isMessage
        ? readFields(bytesOf(values.at(-1))).map((item) => readValue(type.item, item))
        : values.map((item) => readValue(type.item, item));
    case "map":
      return Object.fromEntries(
        values.map((entry) => {
          const pair = readFields(bytesOf(entry));
          const value = last(pair, 2);
          return [textOf(last(pair, 1)), value === undefined ? emptyOf(type.value) : readValue(type.value, value)];
        }),
      );
    case "scalar":
    case "struct":
      return readValue(type, values.at(-1));
  }
}

function emptyOf(type: GoType): unknown {
  return readValue(type, { number: 2, varint: 0n, bytes: Buffer.alloc(0) });
}

function readValue(type: GoType, field: WireField | undefined): unknown {
  switch (type.kind) {
    case "struct":
      return readMessage(type.struct, bytesOf(field));
    case "list":
      return readFields(bytesOf(field)).map((item) => readValue(type.item, item));
    case "map":
      throw new ProtobufError("a map may not stand in a list");
    case "scalar":
      return readScalar(type, field);
  }
}

function readScalar({ scalar }: GoType & { kind: "scalar" }, field: WireField | undefined): unknown {
  switch (scalar) {
    case "string":
      return textOf(field);
    case "bytes":
      return bytesOf(field).toString("base64");
    case "bool":
      return (field?.varint ?? 0n) !== 0n;
    case "int32":
    case "int64":
      return canonicalIntegers(BigInt.asIntN(64, field?.varint ?? 0n));
    case "float64":
      return field?.double ?? 0;
    case "quantity":
      return textOf(last(readFields(bytesOf(field)), 1));
    case "time":
    case "microtime":
      return readTime(readFields(bytesOf(field)), scalar);
    case "duration":
      return `${signed(last(readFields(bytesOf(field)), 1)) / 1e9}s`;
    case "intOrString": {
      const parts = readFields(bytesOf(field));
      return signed(last(parts, 1)) === 1 ? textOf(last(parts, 3)) : signed(last(parts, 2));
    }
    case "raw":
    case "any": {
      const raw = textOf(last(readFields(bytesOf(field)), 1));
      return raw === "" ? null : parseJson(raw);
    }
  }
}

function readTime(fields: readonly WireField[], scalar: "time" | "microtime"): string | null {
  const seconds = last(fields, 1);
  // Go's zero time is an empty message.
  if (seconds === undefined) return null;
  const text = new Date(signed(seconds) * 1000).toISOString().slice(0, 19);
  if (scalar === "time") return `${text}Z`;
  return `${text}.${String(Math.trunc(signed(last(fields, 2)) / 1000)).padStart(6, "0")}Z`;
}

function last(fields: readonly WireField[], number: number): WireField | undefined {
  return fields.findLast((field) => field.number === number);
}

function bytesOf(field: WireField | undefined): Buffer {
  return field?.bytes ?? Buffer.alloc(0);
}

function textOf(field: WireField | undefined): string {
  return bytesOf(field).toString("utf8");
}

function signed(field: WireField | undefined): number {
  return Number(BigInt.asIntN(64, field?.varint ?? 0n));
}
