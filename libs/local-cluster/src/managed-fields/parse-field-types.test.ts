import type { FieldSchema } from "@landscaper/patch";
import { describe, expect, it } from "@jest/globals";
import { builtinResources } from "../resources/builtin-resources.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import { crdFieldSchema } from "./crd-field-schema.ts";
import { findFieldSchema } from "./parse-field-types.ts";

function at(schema: FieldSchema | undefined, ...path: readonly string[]): FieldSchema | undefined {
  return path.reduce<FieldSchema | undefined>((found, name) => {
    const inner = found?.kind === "list" ? found.item : found;
    return inner?.kind === "map" ? (inner.fields.get(name) ?? inner.values) : undefined;
  }, schema);
}

describe("findFieldSchema", () => {
  it("knows every kind that is stored", () => {
    const stored = builtinResources.filter(({ verbs }) => verbs.includes("get"));
    const unknown = stored.filter((definition) => {
      return findFieldSchema(groupVersionOf(definition), definition.kind) === undefined;
    });
    expect(unknown.map(({ plural }) => plural)).toEqual([]);
  });

  it("reads lists by key with the defaults of the keys, sets, atomic structures and scalars", () => {
    const pod = findFieldSchema("v1", "Pod");
    expect(at(pod, "spec", "containers", "ports")).toMatchObject({
      kind: "list",
      relation: "map",
      keys: [
        { name: "containerPort", defaultValue: 0 },
        { name: "protocol", defaultValue: "TCP" },
      ],
    });
    expect(at(pod, "metadata", "finalizers")).toMatchObject({ kind: "list", relation: "set" });
    expect(at(pod, "spec", "containers", "args")).toMatchObject({ kind: "list", relation: "atomic" });
    expect(at(pod, "spec", "nodeSelector")).toMatchObject({ kind: "map", isAtomic: true });
    expect(at(findFieldSchema("apps/v1", "Deployment"), "spec", "selector")).toMatchObject({ isAtomic: true });
    expect(at(pod, "spec", "containers", "resources", "limits", "cpu")).toEqual({ kind: "scalar", type: "untyped" });
    expect(at(pod, "spec", "hostNetwork")).toEqual({ kind: "scalar", type: "boolean" });
    expect(findFieldSchema("v1", "Nothing")).toBeUndefined();
  });

  it("contains itself where a type does", () => {
    const crd = findFieldSchema("apiextensions.k8s.io/v1", "CustomResourceDefinition");
    const schema = at(crd, "spec", "versions", "schema", "openAPIV3Schema");
    expect(schema).toBeDefined();
    expect(at(schema, "not")).toBe(schema);
  });
});

describe("crdFieldSchema", () => {
  it("adds metadata and takes an empty schema for anything", () => {
    expect(at(crdFieldSchema({}), "metadata", "finalizers")).toMatchObject({ relation: "set" });
    expect(at(crdFieldSchema({}), "spec")).toEqual({ kind: "any", isAtomic: false });
    const closed = crdFieldSchema({ type: "object", properties: { spec: { type: "object", properties: { a: {} } } } });
    expect(at(closed, "other")).toBeUndefined();
    expect(at(closed, "spec", "b")).toBeUndefined();
  });
});
