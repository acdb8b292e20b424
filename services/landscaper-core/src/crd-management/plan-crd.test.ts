import { describe, expect, it } from "@jest/globals";
import {
  generateCrds,
  type CustomResourceDefinition,
  type CustomResourceDefinitionVersion,
  type StructuralSchema,
} from "@landscaper/api";
import { planCrd } from "./plan-crd.ts";

type Version = CustomResourceDefinitionVersion;

function version(name: string, schema: StructuralSchema, fields: Partial<Version> = {}): Version {
  return { name, served: true, storage: true, schema: { openAPIV3Schema: schema }, ...fields };
}

function crd(...versions: Version[]): CustomResourceDefinition {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: { group: "example.com", names: { kind: "Thing", plural: "things" }, scope: "Namespaced", versions },
  };
}

const text: StructuralSchema = { type: "string" };
const ours = crd(version("v1", { type: "object", properties: { a: text } }));
const always = { forceUpdate: true };

/** As the API server returns it. */
function stored(object: CustomResourceDefinition, spec: Record<string, unknown> = {}): CustomResourceDefinition {
  return {
    ...object,
    metadata: { ...object.metadata, resourceVersion: "7", labels: { theirs: "x" } },
    spec: { ...object.spec, ...spec },
    status: { storedVersions: object.spec.versions.map(({ name }) => name) },
  };
}

function updated(live: CustomResourceDefinition, wanted = ours): CustomResourceDefinition {
  const plan = planCrd(wanted, live, always);
  if (plan.kind !== "update") throw new Error(`expected an update, found ${plan.kind}`);
  return plan.crd;
}

describe("what becomes of a CRD", () => {
  it("is made when it is not there", () => {
    expect(planCrd(ours, undefined, { forceUpdate: false })).toEqual({ kind: "create", crd: ours });
  });

  it("stays as it is when it says the same, whatever the server has added", () => {
    expect(planCrd(ours, stored(ours, { conversion: { strategy: "None" } }), always)).toEqual({ kind: "keep" });
    for (const each of generateCrds()) expect(planCrd(each, stored(each), always)).toEqual({ kind: "keep" });
  });

  it("stays as it is without forceUpdate", () => {
    const live = stored(crd(version("v1", { type: "object" })));
    expect(planCrd(ours, live, { forceUpdate: false })).toEqual({ kind: "keep" });
  });

  it("gets our schema; its metadata, its names and its conversion stay", () => {
    const kept = { conversion: { strategy: "Webhook" }, names: { kind: "Thing", plural: "things", singular: "it" } };
    const live = stored(crd(version("v1", { type: "object" })), kept);
    expect(updated(live)).toEqual({ ...live, spec: { ...ours.spec, ...kept } });
  });

  it("gets the names that are in force where others were refused, and is judged anew", () => {
    const names = { kind: "Thing", plural: "things", singular: "thing", categories: ["all"] };
    const refused = (spec: object): CustomResourceDefinition => {
      const live = stored(ours, { names: spec });
      const conditions = [{ type: "NamesAccepted", status: "False" as const }];
      return { ...live, status: { ...live.status, acceptedNames: names, conditions } };
    };
    const repaired = { ...names, categories: ["all", "landscaper-names"] };
    for (const spec of [{ ...names, singular: "things" }, names]) {
      expect(updated(refused(spec)).spec.names).toEqual(repaired);
    }
    // Until the API server has judged them, then the mark goes.
    expect(planCrd(ours, refused(repaired), always)).toEqual({ kind: "keep" });
    expect(updated(stored(ours, { names: repaired })).spec.names).toEqual(names);
    expect(planCrd(ours, refused({ ...names, singular: "things" }), { forceUpdate: false })).toEqual({ kind: "keep" });
  });

  it("gets our names where none are in force", () => {
    const live = stored(ours, { names: { kind: "Other", plural: "things" } });
    const conditions = [{ type: "NamesAccepted", status: "False" as const }];
    const status = { ...live.status, acceptedNames: { kind: "", plural: "" }, conditions };
    expect(updated({ ...live, status }).spec.names).toEqual({ ...ours.spec.names, categories: ["landscaper-names"] });
  });

  it("keeps versions that we do not know, and where objects are stored", () => {
    const newer = version("v2", { type: "object", properties: { z: text } });
    const live = stored(crd(version("v1", { type: "object" }, { storage: false }), newer));
    const { versions } = updated(live).spec;
    expect(versions).toEqual([{ ...ours.spec.versions[0], storage: false }, newer]);
    expect(planCrd(ours, { ...live, spec: { ...live.spec, versions } }, always)).toEqual({ kind: "keep" });
  });

  it("takes the storage over from a version that is served, but not stored any more", () => {
    const older = version("v0", { type: "object" }, { storage: false });
    const live = stored(crd(older, version("v1", { type: "object" })));
    expect(updated(live).spec.versions).toEqual([ours.spec.versions[0], older]);
  });

  const object = (properties: Record<string, StructuralSchema>, more: StructuralSchema = {}): StructuralSchema => ({
    type: "object",
    properties,
    ...more,
  });
  it.each<[name: string, wanted: StructuralSchema, live: StructuralSchema, expected: StructuralSchema]>([
    ["a field that only the live schema has", object({ a: text }), object({ b: text }), object({ a: text, b: text })],
    [
      "one further down",
      object({ a: object({ x: text }) }),
      object({ a: object({ y: text }) }),
      object({ a: object({ x: text, y: text }) }),
    ],
    [
      "one of the elements of a list",
      object({ a: { type: "array", items: object({ x: text }) } }),
      object({ a: { type: "array", items: object({ y: text }) } }),
      object({ a: { type: "array", items: object({ x: text, y: text }) } }),
    ],
    [
      "one of the values of a map",
      object({ a: { type: "object", additionalProperties: object({ x: text }) } }),
      object({ a: { type: "object", additionalProperties: object({ y: text }) } }),
      object({ a: { type: "object", additionalProperties: object({ x: text, y: text }) } }),
    ],
  ])("keeps %s: older pods must not prune what newer ones store", (...[, wanted, live, expected]) => {
    const { versions } = updated(stored(crd(version("v1", live))), crd(version("v1", wanted))).spec;
    expect(versions[0]?.schema?.openAPIV3Schema).toEqual(expected);
  });

  it("is ours in everything that both have: types, rules, required fields", () => {
    const wanted = object({ a: { type: "integer" } }, { required: ["a"] });
    const live = object({ a: { type: "string", maxLength: 3 } }, { required: ["a", "b"] });
    expect(updated(stored(crd(version("v1", live))), crd(version("v1", wanted))).spec.versions).toEqual([
      version("v1", wanted),
    ]);
    // A map stays a map.
    const map: StructuralSchema = { type: "object", additionalProperties: text };
    expect(updated(stored(crd(version("v1", live))), crd(version("v1", map))).spec.versions).toEqual([
      version("v1", map),
    ]);
  });
});
