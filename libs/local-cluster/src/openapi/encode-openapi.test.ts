import { describe, expect, it } from "@jest/globals";
import { encodeOpenApi } from "./encode-openapi.ts";

/** Fields of a protobuf message with one-byte tags or two-byte tags, all length-delimited. */
function fieldsOf(message: Buffer): readonly (readonly [number: number, content: Buffer])[] {
  const fields: [number, Buffer][] = [];
  let position = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[position] ?? 0;
      position += 1;
      value += (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (position < message.length) {
    const number = varint() >>> 3;
    const length = varint();
    fields.push([number, message.subarray(position, position + length)]);
    position += length;
  }
  return fields;
}

function fieldOf(message: Buffer, number: number): Buffer {
  return fieldsOf(message).find(([found]) => found === number)?.[1] ?? Buffer.alloc(0);
}

describe("encodeOpenApi", () => {
  const text = "x".repeat(300);
  const message = encodeOpenApi({
    swagger: "2.0",
    info: { title: "Test", version: "v1" },
    paths: {},
    definitions: { A: { type: "object", description: text, required: ["a"], properties: { a: { type: "string" } } } },
  });

  it("writes the version of the format as the first field", () => {
    expect(fieldOf(message, 1).toString()).toBe("2.0");
  });

  it("writes each schema with its name, its long description and its properties", () => {
    const definition = fieldsOf(message)
      .map(([, content]) => content)
      .find((content) => content.includes(text));
    const entry = fieldOf(definition ?? Buffer.alloc(0), 1);
    expect(fieldOf(entry, 1).toString()).toBe("A");
    const schema = fieldOf(entry, 2);
    expect(fieldOf(schema, 4).toString()).toBe(text);
    expect(fieldOf(schema, 19).toString()).toBe("a");
    const property = fieldOf(fieldOf(schema, 25), 1);
    expect(fieldOf(property, 1).toString()).toBe("a");
    expect(fieldOf(fieldOf(fieldOf(property, 2), 22), 1).toString()).toBe("string");
  });
});
