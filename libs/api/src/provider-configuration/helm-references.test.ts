import { describe, expect, it } from "@jest/globals";
import { helmProviderConfigurationSchema } from "./helm.ts";
import { findHelmReferences } from "./helm-references.ts";

/** Of a configuration or a part of it. */
type Schema = object;

/** Lists the configurations that each have one field of the name, somewhere in the schema. */
function configurationsWith(schema: Schema, field: string, value: unknown): readonly unknown[] {
  const { properties = {}, items } = schema as {
    readonly properties?: Record<string, Schema>;
    readonly items?: Schema;
  }; // JSON Schema
  const below = Object.entries(properties).flatMap(([name, part]) =>
    name === field ? [{ [name]: value }] : configurationsWith(part, field, value).map((inner) => ({ [name]: inner })),
  );
  return items === undefined ? below : configurationsWith(items, field, value).map((inner) => [inner]);
}

/** Fields of the schema that name an object of a kind, or a reference by kind and name. */
function fieldsMatching(schema: Schema, pattern: RegExp): readonly string[] {
  const { properties = {}, items } = schema as {
    readonly properties?: Record<string, Schema>;
    readonly items?: Schema;
  }; // JSON Schema
  const own = Object.keys(properties).filter((name) => pattern.test(name));
  const parts = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return [...new Set([...own, ...parts.flatMap((part) => fieldsMatching(part, pattern))])].toSorted();
}

describe("findHelmReferences", () => {
  it("finds the Secrets of valuesFrom, each once", () => {
    const valuesFrom = [
      { kind: "Secret", name: "a" },
      { kind: "ConfigMap", name: "b" },
      { kind: "DataObject", name: "c" },
      { kind: "Secret", name: "d", optional: true },
      { kind: "Secret", name: "a", targetPath: "x" },
    ];
    expect(findHelmReferences({ valuesFrom })).toEqual({ secrets: ["a", "d"], targets: [] });
  });

  it("finds the Target of every field targetName that the schema has", () => {
    const configurations = configurationsWith(helmProviderConfigurationSchema, "targetName", "other");
    expect(configurations).toHaveLength(5);
    for (const configuration of configurations) {
      expect([configuration, findHelmReferences(configuration)]).toEqual([
        configuration,
        { secrets: [], targets: ["other"] },
      ]);
    }
  });

  it("covers all fields of the schema that refer to other objects of the namespace", () => {
    expect(fieldsMatching(helmProviderConfigurationSchema, /secret|targetName|valuesFrom|context/i)).toEqual([
      "targetName",
      "valuesFrom",
    ]);
  });

  it.each([
    undefined,
    null,
    "text",
    [],
    { valuesFrom: "text" },
    { valuesFrom: [null, "a", { kind: "Secret" }, { kind: "Secret", name: 1 }, { kind: "Secret", name: "" }] },
    { exports: { exports: { targetName: "x" } }, readinessChecks: [], deletionGroups: [{}] },
  ])("finds nothing in %j", (config) => {
    expect(findHelmReferences(config)).toEqual({ secrets: [], targets: [] });
  });
});
