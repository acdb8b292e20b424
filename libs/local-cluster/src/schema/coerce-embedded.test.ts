import { describe, expect, it } from "@jest/globals";
import { compileEmbedded } from "./coerce-embedded.ts";
import { parseSchema } from "./parse-schema.ts";

const resource = { type: "object", "x-kubernetes-embedded-resource": true };
const schema = parseSchema({
  type: "object",
  properties: { one: resource, list: { type: "array", items: resource } },
});

describe("compileEmbedded", () => {
  it("returns undefined for a schema without embedded resources", () => {
    expect(compileEmbedded(parseSchema({ type: "object", properties: { a: { type: "string" } } }))).toBeUndefined();
  });

  it("reports unknown fields of the metadata with their paths, including those in lists", () => {
    const coerce = compileEmbedded(schema);
    const metadata = { name: "a", other: 1 };
    const { unknownFields } = coerce?.({ one: { metadata }, list: [{}, { metadata }] }) ?? {};
    expect(unknownFields).toEqual(["one.metadata.other", "list[1].metadata.other"]);
  });

  it.each<[metadata: unknown, found: string]>([
    [[], "array"],
    [true, "bool"],
    [1, "number"],
    [9_007_199_254_740_993n, "number"],
    ["x", "string"],
  ])("refuses %p as metadata", (metadata, found) => {
    expect(() => compileEmbedded(schema)?.({ one: { metadata } })).toThrow(
      `json: cannot unmarshal ${found} into Go value of type v1.ObjectMeta`,
    );
  });

  it("refuses a kind that is not a string", () => {
    expect(() => compileEmbedded(schema)?.({ list: [{ kind: 1 }] })).toThrow("list[0].kind: Invalid value: 1");
  });
});
