import { describe, expect, it } from "@jest/globals";
import { parseBlueprint, parseInstallationTemplate } from "./blueprint-parser.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const template = {
  apiVersion,
  kind: "InstallationTemplate",
  name: "sub",
  blueprint: { ref: "cd://componentReferences/ingress/resources/blueprint" },
};

describe("parseBlueprint", () => {
  it("takes an empty blueprint", () => {
    expect(parseBlueprint({}, "blueprint.yaml")).toEqual({
      jsonSchemaVersion: "https://json-schema.org/draft/2019-09/schema",
    });
  });

  it("takes the blueprint of the documentation, with everything in it", () => {
    const blueprint = {
      apiVersion,
      kind: "Blueprint",
      // No field of a blueprint, but in all examples (core.md §4.49).
      jsonSchema: "https://json-schema.org/draft/2019-09/schema",
      jsonSchemaVersion: "https://json-schema.org/draft-07/schema",
      annotations: { ocmSchemaVersion: "ocm.software/v3alpha1" },
      localTypes: { mytype: { type: "object" } },
      imports: [
        { name: "a", required: true, type: "data", schema: { $ref: "local://mytype" } },
        { name: "b", required: false, type: "data", schema: true, default: { value: null } },
        { name: "c", required: true, type: "target", targetType: "kubernetes-cluster" },
        { name: "d", required: true, type: "targetList", targetType: "x/y" },
        { name: "e", required: false, type: "targetMap", targetType: "x/y", imports: [{ name: "f", required: true }] },
        { name: "g", required: true, schema: {} },
      ],
      importExecutions: [{ name: "check", type: "Spiff", template: { errors: [] } }],
      exports: [
        { name: "a", type: "data", schema: { type: "string" } },
        { name: "b", type: "target", targetType: "x/y" },
      ],
      exportExecutions: [{ name: "e", type: "GoTemplate", template: "exports: {}" }],
      subinstallations: [{ file: "/installations/dns.yaml" }, template],
      subinstallationExecutions: [{ name: "s", type: "GoTemplate", file: "subs.yaml" }],
      deployExecutions: [{ name: "d", type: "GoTemplate", file: "/deploy-execution.yaml" }],
    };
    expect(parseBlueprint(blueprint, "blueprint.yaml")).toEqual(blueprint);
  });

  it("requires imports unless they say otherwise, also nested ones", () => {
    expect(parseBlueprint({ imports: [{ name: "a", imports: [{ name: "b" }] }] }, "blueprint.yaml").imports).toEqual([
      { name: "a", required: true, imports: [{ name: "b", required: true }] },
    ]);
  });

  it("takes fields without content, as YAML has them, for absent", () => {
    expect(parseBlueprint({ imports: null, exports: [{ name: "a", schema: null }] }, "blueprint.yaml")).toMatchObject({
      exports: [{ name: "a" }],
    });
  });

  it.each([
    ["text", "expected an object, found a string"],
    [{ kind: "Installation" }, 'kind: expected "Blueprint", found another text'],
    [{ apiVersion: "v1" }, `apiVersion: expected "${apiVersion}", found another text`],
    [{ imports: [{}] }, "imports[0].name: required field is missing"],
    [
      { imports: [{ name: "a", type: "x" }] },
      'imports[0].type: expected one of "data", "target", "targetList", "targetMap", found another text',
    ],
    [{ imports: [{ name: "a", schema: "x" }] }, "imports[0].schema: expected an object or a boolean, found a string"],
    [{ imports: [{ name: "a", default: 5 }] }, "imports[0].default: expected an object, found a number"],
    [{ imports: [{ name: "a", default: {} }] }, "imports[0].default.value: required field is missing"],
    [
      { imports: [{ name: "a", imports: [{ name: "b", imports: [{}] }] }] },
      "imports[0].imports[0].imports[0].name: required field is missing",
    ],
    [
      { exports: [{ name: "a", type: "targetMap" }] },
      'exports[0].type: expected one of "data", "target", found another text, did you mean "target"?',
    ],
    [{ deployExecutions: [{ name: "a" }] }, "deployExecutions[0].type: required field is missing"],
    [
      { deployExecutions: [{ name: "a", type: "Jinja" }] },
      'deployExecutions[0].type: expected one of "GoTemplate", "Spiff", found another text',
    ],
    [{ deployExecutions: {} }, "deployExecutions: expected a list, found an empty object"],
    [
      { subinstallations: [{ name: "x" }] },
      "subinstallations[0]: expected a file of the blueprint, or an InstallationTemplate with apiVersion, kind, name and blueprint, found an object",
    ],
  ])("refuses %j and names the field", (value, problem) => {
    expect(() => parseBlueprint(value, "blueprint.yaml")).toThrow(
      new Error(`blueprint.yaml: not a valid Blueprint: ${problem}`),
    );
  });
});

describe("parseInstallationTemplate", () => {
  it("takes a template with every field", () => {
    const full = {
      ...template,
      imports: {
        data: [{ name: "a", dataRef: "x" }],
        targets: [
          { name: "b", targetMapRef: "m" },
          { name: "c", targets: [] },
          { name: "d", targets: [{ red: "t" }] },
          { name: "e", targetMap: { red: "t[blue]" } },
        ],
      },
      importDataMappings: { a: "(( b ))" },
      exports: { data: [{ name: "a", dataRef: "x" }], targets: [{ name: "b", target: "t" }] },
      exportDataMappings: { a: [1] },
      optimization: { hasNoSiblingImports: true },
    };
    expect(parseInstallationTemplate(full, "sub.yaml")).toEqual(full);
  });

  it("takes a blueprint given as files", () => {
    const inline = {
      ...template,
      blueprint: { filesystem: { "blueprint.yaml": "kind: Blueprint", folder: { a: "b" } } },
    };
    expect(parseInstallationTemplate(inline, "sub.yaml")).toEqual(inline);
  });

  it.each([
    [{ ...template, kind: "Installation" }, 'kind: expected "InstallationTemplate", found another text'],
    [{ ...template, name: undefined }, "name: required field is missing"],
    [
      { ...template, blueprint: {} },
      "blueprint: expected exactly one of the fields ref, filesystem, found an empty object",
    ],
    [
      { ...template, blueprint: { ref: "a", filesystem: {} } },
      "blueprint: expected exactly one of the fields ref, filesystem, found an object",
    ],
    [
      { ...template, imports: { targets: [{ name: "a", targets: [5] }] } },
      "imports.targets[0].targets[0]: expected the name of a Target, or a map from one key to one, found a number",
    ],
    [{ ...template, exports: { data: [{ name: "a" }] } }, "exports.data[0].dataRef: required field is missing"],
  ])("refuses %j and names the field", (value, problem) => {
    expect(() => parseInstallationTemplate(value, "sub.yaml")).toThrow(
      new Error(`sub.yaml: not a valid InstallationTemplate: ${problem}`),
    );
  });

  it("takes the version of an import, and tells that it has no effect", () => {
    const versioned = { ...template, imports: { data: [{ name: "a", dataRef: "b", version: "v1" }] } };
    expect(parseInstallationTemplate(versioned, "sub.yaml")).toEqual(versioned);
    expect(parseInstallationTemplate.findIgnored(versioned)).toEqual([
      { path: "imports.data[0].version", why: "an import has one version" },
    ]);
  });
});
