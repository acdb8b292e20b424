import { describe, expect, it } from "@jest/globals";
import { Type } from "typebox";
import { anyJson, anyObject, embeddedObject, mapOf, object, optional, withDefault } from "./schema-fields.ts";
import { toStructuralSchema } from "./structural-schema.ts";

describe("toStructuralSchema", () => {
  it("keeps types, descriptions, bounds and what is required", () => {
    const schema = object(
      {
        name: Type.String({ minLength: 1, maxLength: 9, pattern: "^a", description: "N." }),
        size: optional(Type.Integer({ format: "int64", minimum: 1 })),
        color: optional(Type.Enum(["red"])),
        list: optional(Type.Array(Type.Boolean(), { maxItems: 3 })),
        set: optional(Type.Array(Type.String(), { uniqueItems: true, "x-kubernetes-list-type": "set" })),
      },
      "D.",
    );
    expect(toStructuralSchema(schema)).toEqual({
      type: "object",
      description: "D.",
      required: ["name"],
      properties: {
        name: { type: "string", description: "N.", minLength: 1, maxLength: 9, pattern: "^a" },
        size: { type: "integer", format: "int64", minimum: 1 },
        color: { enum: ["red"] },
        list: { type: "array", items: { type: "boolean" }, maxItems: 3 },
        // No CRD may have uniqueItems.
        set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
      },
    });
  });

  it("writes maps as additionalProperties", () => {
    expect(toStructuralSchema(mapOf(Type.String(), "M."))).toEqual({
      type: "object",
      description: "M.",
      additionalProperties: { type: "string" },
    });
  });

  it("keeps unknown fields where any value may stand", () => {
    expect(toStructuralSchema(anyJson("A."))).toEqual({
      description: "A.",
      "x-kubernetes-preserve-unknown-fields": true,
    });
    expect(toStructuralSchema(anyObject("A."))).toEqual({
      type: "object",
      description: "A.",
      "x-kubernetes-preserve-unknown-fields": true,
    });
    expect(toStructuralSchema(embeddedObject("A."))).toEqual({
      type: "object",
      description: "A.",
      "x-kubernetes-preserve-unknown-fields": true,
      "x-kubernetes-embedded-resource": true,
    });
  });

  it("drops unions, which no structural schema can say", () => {
    const either = Type.Union([Type.String(), Type.Number()], { "x-kubernetes-preserve-unknown-fields": true });
    expect(toStructuralSchema(either)).toEqual({ "x-kubernetes-preserve-unknown-fields": true });
  });

  it("drops keywords that only parsers and editors read", () => {
    const schema = Type.Object({}, { additionalProperties: false, oneOf: [{ required: ["a"] }], $id: "x" });
    expect(toStructuralSchema(schema)).toEqual({ type: "object", properties: {} });
  });

  it("keeps defaults and rules", () => {
    const rule = { rule: "has(self.a)", message: "m" };
    const schema = Type.Object(
      { a: optional(withDefault(Type.String(), "x")) },
      { "x-kubernetes-validations": [rule] },
    );
    expect(toStructuralSchema(schema)).toEqual({
      type: "object",
      properties: { a: { type: "string", default: "x" } },
      "x-kubernetes-validations": [rule],
    });
  });
});
