import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { JsonObject } from "../json-object.ts";
import { applyConfig } from "./apply-config.ts";
import type { FieldSet } from "./field-set.ts";
import { emptyFieldSet } from "./field-set.ts";
import { takeFields } from "./take-fields.ts";
import { testKind } from "../../test/kind.ts";

const member: FieldSet = emptyFieldSet;
const object = { spec: { size: 1, on: true, items: [{ name: "a", value: "1" }, { name: "b" }], tags: ["x", "y"] } };

type Case = readonly [what: string, sets: { readonly last: FieldSet; readonly owned: FieldSet }, spec: unknown];
const cases: readonly Case[] = [
  ["nothing that was not applied", { last: {}, owned: {} }, object.spec],
  [
    "a field",
    { last: { "f:spec": { "f:size": member } }, owned: { "f:spec": { "f:on": member } } },
    { on: true, items: object.spec.items, tags: object.spec.tags },
  ],
  [
    "no field that somebody owns",
    { last: { "f:spec": { "f:size": member } }, owned: { "f:spec": { "f:size": member } } },
    object.spec,
  ],
  [
    "a map that nobody owns any more, with all that is in it",
    { last: { "f:spec": { "f:size": member } }, owned: {} },
    undefined,
  ],
  [
    "an item of a list by its keys",
    {
      last: { "f:spec": { "f:items": { 'k:{"name":"a"}': { ".": member, "f:name": member, "f:value": member } } } },
      owned: { "f:spec": { "f:items": { 'k:{"name":"b"}': { ".": member, "f:name": member } } } },
    },
    { ...object.spec, items: [{ name: "b" }] },
  ],
  [
    "a field of an item that others own",
    {
      last: { "f:spec": { "f:items": { 'k:{"name":"a"}': { ".": member, "f:name": member, "f:value": member } } } },
      owned: { "f:spec": { "f:items": { 'k:{"name":"a"}': { ".": member, "f:name": member } } } },
    },
    { ...object.spec, items: [{ name: "a" }, { name: "b" }] },
  ],
  [
    "a value of a set",
    { last: { "f:spec": { "f:tags": { 'v:"x"': member } } }, owned: { "f:spec": { "f:tags": { 'v:"y"': member } } } },
    { ...object.spec, tags: ["y"] },
  ],
  [
    "an item by its place",
    { last: { "f:spec": { "f:tags": { "i:1": member } } }, owned: { "f:spec": { "f:tags": { "i:0": member } } } },
    { ...object.spec, tags: ["x"] },
  ],
];

describe("takeFields", () => {
  it.each(cases)("takes %s", (_what, sets, spec) => {
    expect(takeFields(object, sets)).toEqual(spec === undefined ? {} : { spec });
  });

  it("takes what an apply takes that knows the schema", () => {
    const item = fc.record({ name: fc.constantFrom("a", "b", "c"), value: fc.constantFrom("1", "2") });
    const spec = fc.record(
      {
        size: fc.integer({ min: 0, max: 3 }),
        plain: fc.array(fc.constantFrom("x", "y"), { minLength: 1 }),
        items: fc.uniqueArray(item, { selector: ({ name }) => name, minLength: 1 }),
        whole: fc.dictionary(fc.constantFrom("k", "l"), fc.constantFrom("1", "2"), { minKeys: 1 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(spec, spec, fc.boolean(), (first, second, isShared) => {
        let live: JsonObject | undefined;
        const apply = (manager: string, content: JsonObject): JsonObject => {
          const writer = { manager, operation: "Apply", apiVersion: "v1", subresource: "", now: "now" } as const;
          const config = { apiVersion: "v1", kind: "Test", metadata: { name: "x" }, spec: content };
          const { object: applied, managedFields } = applyConfig({ kind: testKind, writer, live, config, force: true });
          live = { ...applied, metadata: { name: "x", managedFields } };
          return applied;
        };
        const fieldsOf = (manager: string): FieldSet => {
          const { managedFields } = (live?.["metadata"] ?? {}) as {
            managedFields?: readonly { manager: string; fieldsV1: FieldSet }[];
          };
          return managedFields?.find((entry) => entry.manager === manager)?.fieldsV1 ?? emptyFieldSet;
        };
        apply("one", first);
        if (isShared) apply("two", second);
        const before = apply("one", first);
        const taken = takeFields(before, { last: fieldsOf("one"), owned: fieldsOf("two") });
        const after = apply("one", {});
        expect(taken["spec"] ?? {}).toEqual(after["spec"] ?? {});
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
