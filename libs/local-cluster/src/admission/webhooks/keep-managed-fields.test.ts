import { expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { keepManagedFields } from "./keep-managed-fields.ts";

const entry = {
  manager: "kubectl",
  operation: "Update",
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": { "f:a": {} } },
};

function map(managedFields: unknown): UnstructuredObject {
  const metadata = { name: "map", ...(managedFields === undefined ? {} : { managedFields }) };
  return { apiVersion: "v1", kind: "ConfigMap", metadata } as UnstructuredObject;
}

const other = { ...entry, manager: "hook" };

it.each<[string, unknown, unknown, number]>([
  ["valid entries", [other], [other], 0],
  ["no list", undefined, undefined, 0],
  ["an empty list", [], undefined, 0],
  ["an unknown operation", [{ ...entry, operation: "Nope" }], [entry], 1],
  ["an unknown type of fields", [{ ...entry, fieldsType: "Foo" }], [entry], 1],
  ["a key that is not a field", [{ ...entry, fieldsV1: JSON.parse('{"__proto__": {"f:a": {}}}') }], [entry], 1],
  ["an empty entry", [{}, entry], [entry], 1],
  ["a list that is a text", "entry", [entry], 1],
])("keeps valid managed fields if a webhook leaves %s", (...[_what, patched, kept, warnings]) => {
  const admitted = keepManagedFields(map([entry]), map(patched));
  expect(admitted.object).toEqual(map(kept));
  expect(admitted.warnings).toHaveLength(warnings);
});

it("restores the absence of managed fields", () => {
  expect(keepManagedFields(map(undefined), map([{}, {}])).object).toEqual(map(undefined));
});
