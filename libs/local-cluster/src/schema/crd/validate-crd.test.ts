import type { UnstructuredObject } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { validateCrd } from "./validate-crd.ts";

interface Version {
  name: string;
  storage: boolean;
  schema: unknown;
  columns?: unknown[];
}

function crd(...versions: Version[]): UnstructuredObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.schema.test" },
    spec: {
      group: "schema.test",
      scope: "Namespaced",
      names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
      versions: versions.map(({ name, storage, schema, columns }) => ({
        name,
        storage,
        served: true,
        schema: { openAPIV3Schema: schema },
        ...(columns === undefined ? {} : { additionalPrinterColumns: columns }),
      })),
    },
  };
}

const good = { type: "object" };
const bad = { type: "object", properties: { a: {} } };
const missing = {
  reason: "FieldValueRequired",
  message: "Required value: must not be empty for specified object fields",
};

describe("validateCrd with several versions", () => {
  it("accepts them", () => {
    expect(
      validateCrd(crd({ name: "v1", storage: false, schema: good }, { name: "v2", storage: true, schema: good })),
    ).toEqual([]);
  });

  it("names the version when their schemas differ", () => {
    expect(
      validateCrd(crd({ name: "v1", storage: false, schema: good }, { name: "v2", storage: true, schema: bad })),
    ).toEqual([{ ...missing, field: "spec.versions[1].schema.openAPIV3Schema.properties[a].type" }]);
  });

  it("tells a problem of a shared schema once", () => {
    expect(
      validateCrd(crd({ name: "v1", storage: false, schema: bad }, { name: "v2", storage: true, schema: bad })),
    ).toEqual([{ ...missing, field: "spec.validation.openAPIV3Schema.properties[a].type" }]);
  });

  it("names the version of a column", () => {
    const columns = [{ name: "A", type: "string" }];
    expect(
      validateCrd(
        crd({ name: "v1", storage: false, schema: good, columns }, { name: "v2", storage: true, schema: good }),
      ),
    ).toEqual([
      {
        reason: "FieldValueRequired",
        field: "spec.versions[0].additionalPrinterColumns[0].JSONPath",
        message: "Required value",
      },
    ]);
  });

  it("tells syntax errors of rules in the words of cel-js", () => {
    const schema = { type: "object", "x-kubernetes-validations": [{ rule: "self ==" }] };
    expect(validateCrd(crd({ name: "v1", storage: true, schema }))).toEqual([
      {
        reason: "FieldValueInvalid",
        field: "spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule",
        message:
          'Invalid value: {"Rule":"self ==","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: ' +
          "compilation failed: ERROR: <input>:1:8: Syntax error: Unexpected token: EOF\n | self ==\n | .......^",
      },
    ]);
  });
});
