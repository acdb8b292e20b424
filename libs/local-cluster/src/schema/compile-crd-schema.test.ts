import type { UnstructuredObject } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { assert, constantFrom, dictionary, integer, oneof, property, string, tuple } from "fast-check";
import { compileCrdSchema } from "./compile-crd-schema.ts";

const thing = (content: Record<string, unknown>): UnstructuredObject => ({
  apiVersion: "schema.test/v1",
  kind: "Thing",
  metadata: { name: "x", labels: { a: "b" } },
  ...content,
});

describe("compileCrdSchema", () => {
  it("keeps nothing but type meta and metadata without a schema", () => {
    const schema = compileCrdSchema(undefined);
    expect(schema.decode(thing({ spec: { a: 1 } }))).toEqual({
      object: thing({}),
      strictErrors: ['unknown field "spec"'],
    });
    expect(schema.validate(thing({}))).toEqual([]);
  });

  it("names all unknown fields in order", () => {
    const item = { type: "object", properties: { a: { type: "string" } } };
    const schema = compileCrdSchema({
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: { list: { type: "array", items: item }, map: { type: "object", additionalProperties: item } },
        },
      },
    });
    const object = thing({ spec: { map: { k: { a: "", b: 1 } }, list: [{ a: "" }, { z: 1 }], q: {} }, extra: 1 });
    expect(schema.decode(object)).toEqual({
      object: thing({ spec: { map: { k: { a: "" } }, list: [{ a: "" }, {}] } }),
      strictErrors: [
        'unknown field "extra"',
        'unknown field "spec.list[1].z"',
        'unknown field "spec.map.k.b"',
        'unknown field "spec.q"',
      ],
    });
  });

  it("does not let defaults share structure with objects", () => {
    const schema = compileCrdSchema({
      type: "object",
      properties: { spec: { type: "object", default: { list: ["a"] }, "x-kubernetes-preserve-unknown-fields": true } },
    });
    const first = schema.applyDefaults(thing({}));
    (first["spec"] as { list: string[] }).list.push("b");
    expect(schema.applyDefaults(thing({}))["spec"]).toEqual({ list: ["a"] });
  });

  it("treats __proto__ as any unknown field", () => {
    const schema = compileCrdSchema({ type: "object", properties: { spec: { type: "object", default: {} } } });
    const object = thing(JSON.parse('{"spec":{"__proto__":{"polluted":true}}}') as Record<string, unknown>);
    expect(schema.decode(object).strictErrors).toEqual(['unknown field "spec.__proto__"']);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("tells a rule that does not compile with every object, should one have got in", () => {
    const schema = compileCrdSchema({
      type: "object",
      properties: { spec: { type: "object", "x-kubernetes-validations": [{ rule: "self.nope == 1" }] } },
    });
    expect(schema.validate(thing({ spec: {} }))).toEqual([
      {
        reason: "FieldValueInvalid",
        field: "spec",
        message:
          "Invalid value: \"object\": rule compile error: compilation failed: ERROR: <input>:1:5: undefined field 'nope'\n" +
          " | self.nope == 1\n | ....^",
      },
    ]);
  });

  it("takes linear time for hostile patterns", () => {
    const schema = compileCrdSchema({
      type: "object",
      properties: { spec: { type: "string", pattern: "^(a+)+$" } },
    });
    const started = process.cpuUsage().user;
    expect(schema.validate(thing({ spec: `${"a".repeat(20_000)}b` }))).toHaveLength(1);
    expect(process.cpuUsage().user - started).toBeLessThan(2_000_000);
  });

  it("changes nothing when an object is decoded and defaulted again", () => {
    const schema = compileCrdSchema({
      type: "object",
      properties: {
        spec: {
          type: "object",
          default: {},
          properties: {
            a: { type: "string", default: "x" },
            b: { type: "integer", nullable: true },
            c: {
              type: "object",
              additionalProperties: { type: "object", properties: { a: { type: "string", default: "y" } } },
            },
          },
        },
      },
    });
    const values = oneof(integer(), string(), constantFrom(null, [], {}, { a: null }));
    const specs = dictionary(constantFrom("a", "b", "c", "d"), values);
    assert(
      property(tuple(specs, specs), ([spec, other]) => {
        const complete = (object: UnstructuredObject) => schema.applyDefaults(schema.decode(object).object);
        const once = complete(thing({ spec: { ...spec, c: other } }));
        expect(complete(once)).toEqual(once);
        expect(schema.decode(once).strictErrors).toEqual([]);
      }),
    );
  });

  it("never refuses an update that changes nothing", () => {
    const schema = compileCrdSchema({
      type: "object",
      required: ["spec"],
      properties: {
        spec: {
          type: "object",
          required: ["a", "b"],
          properties: { a: { type: "string", maxLength: 1 }, b: { type: "integer", minimum: 5 } },
          "x-kubernetes-validations": [{ rule: "self.a == 'x'" }],
        },
      },
    });
    const specs = dictionary(constantFrom("a", "b"), oneof(integer(), string()));
    assert(
      property(specs, (spec) => {
        expect(schema.validate(thing({ spec }), thing({ spec }))).toEqual([]);
      }),
    );
  });
});
