import { isRecord } from "../objects/json.ts";

type Json = Readonly<Record<string, unknown>>;

/** One field of a protobuf message: its tag and content. */
function bytesField(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(content.length), content]);
}

function textField(number: number, text: unknown): readonly Buffer[] {
  return typeof text === "string" && text !== "" ? [bytesField(number, Buffer.from(text))] : [];
}

function flagField(number: number, flag: unknown): readonly Buffer[] {
  return flag === true ? [Buffer.from([...varint(number << 3), 1])] : [];
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

/** Any value in the form of YAML, of which JSON is a part. */
function anyValue(value: unknown): Buffer {
  return bytesField(2, Buffer.from(`${JSON.stringify(value)}\n`));
}

function named(name: string, content: Buffer): Buffer {
  return Buffer.concat([...textField(1, name), bytesField(2, content)]);
}

function namedSchemas(schemas: unknown): Buffer {
  const entries = Object.entries(isRecord(schemas) ? schemas : {});
  return Buffer.concat(entries.map(([name, schema]) => bytesField(1, named(name, encodeSchema(schema)))));
}

/** A schema of OpenAPI v2; keywords that only CRDs have are left out. */
function encodeSchema(value: unknown): Buffer {
  const schema: Json = isRecord(value) ? value : {};
  const { additionalProperties, items, properties, required, type } = schema;
  const requiredNames: readonly unknown[] = Array.isArray(required) ? required : [];
  const enumeration: readonly unknown[] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  return Buffer.concat([
    ...textField(1, schema["$ref"]),
    ...textField(2, schema["format"]),
    ...textField(4, schema["description"]),
    ...textField(13, schema["pattern"]),
    ...requiredNames.flatMap((name) => textField(19, name)),
    ...enumeration.map((one) => bytesField(20, anyValue(one))),
    ...(isRecord(additionalProperties)
      ? [bytesField(21, bytesField(1, encodeSchema(additionalProperties)))]
      : additionalProperties === true
        ? [bytesField(21, Buffer.concat(flagField(2, true)))]
        : []),
    ...(typeof type === "string" ? [bytesField(22, Buffer.concat(textField(1, type)))] : []),
    ...(isRecord(items) ? [bytesField(23, bytesField(1, encodeSchema(items)))] : []),
    ...(isRecord(properties) ? [bytesField(25, namedSchemas(properties))] : []),
    ...Object.entries(schema)
      .filter(([name]) => name.startsWith("x-"))
      .map(([name, content]) => bytesField(31, named(name, anyValue(content)))),
  ]);
}

/** The document as the protobuf message `openapi.v2.Document`, which kubectl asks for. */
export function encodeOpenApi(document: Json): Buffer {
  const info: Json = isRecord(document["info"]) ? document["info"] : {};
  return Buffer.concat([
    ...textField(1, document["swagger"]),
    bytesField(2, Buffer.concat([...textField(1, info["title"]), ...textField(2, info["version"])])),
    bytesField(8, Buffer.alloc(0)),
    bytesField(9, namedSchemas(document["definitions"])),
  ]);
}
