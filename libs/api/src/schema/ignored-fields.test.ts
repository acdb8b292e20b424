import { describe, expect, it } from "@jest/globals";
import { blueprintSchema } from "../kinds/blueprint.ts";
import { installationTemplateSchema } from "../kinds/installation-template.ts";
import { containerDeployerConfigurationSchema } from "../configuration/container-deployer-configuration.ts";
import { helmDeployerConfigurationSchema } from "../configuration/deployer-configuration.ts";
import { manifestProviderConfigurationSchema } from "../provider-configuration/manifest.ts";
import { describeIgnoredField, findIgnoredFields } from "./ignored-fields.ts";

const blueprint = { ...blueprintSchema };
const describeAll = (schema: object, value: unknown): readonly string[] =>
  findIgnoredFields({ ...schema }, value).map(describeIgnoredField);

describe("fields that a schema does not name", () => {
  it.each<readonly [string, object, unknown, readonly string[]]>([
    ["none", blueprint, { imports: [{ name: "a", schema: { anything: 1 } }], deployExecutions: [] }, []],
    [
      "at the top",
      blueprint,
      { deployExecution: [] },
      ['unknown field "deployExecution", did you mean "deployExecutions"?'],
    ],
    [
      "in a list",
      blueprint,
      { imports: [{ name: "a" }, { name: "b", requierd: false }] },
      ['unknown field "imports[1].requierd", did you mean "required"?'],
    ],
    [
      "in a schema that contains itself",
      blueprint,
      { imports: [{ name: "a", imports: [{ name: "b", imports: [{ nam: "c" }] }] }] },
      ['unknown field "imports[0].imports[0].imports[0].nam", did you mean "name"?'],
    ],
    [
      "in the form of a union that knows most",
      blueprint,
      {
        subinstallations: [
          { file: "a.yaml" },
          {
            apiVersion: "v",
            kind: "InstallationTemplate",
            name: "a",
            blueprint: { filesystem: { x: {} } },
            export: {},
          },
        ],
      },
      ['unknown field "subinstallations[1].export", did you mean "exports"?'],
    ],
    [
      "below a map",
      helmDeployerConfigurationSchema,
      { targets: { shares: { perNamespce: 1 } } },
      ['unknown field "targets.shares.perNamespce", did you mean "perNamespace"?'],
    ],
    ["where everything is kept", installationTemplateSchema, { blueprint: { filesystem: { any: { thing: 1 } } } }, []],
    [
      "in a manifest, which is the target's",
      manifestProviderConfigurationSchema,
      { manifests: [{ manifest: { a: 1 } }] },
      [],
    ],
    ["like nothing that is known", blueprint, { somethingElse: 1 }, ['unknown field "somethingElse"']],
    ["of a short name", blueprint, { x: 1 }, ['unknown field "x"']],
    ["of another case", blueprint, { EXPORTS: 1 }, ['unknown field "EXPORTS", did you mean "exports"?']],
    ["no name of a field", blueprint, { "a b.c": 1 }, ['unknown field "["a b.c"]"']],
    ["of no object", blueprint, "text", []],
    [
      "in an object where a list of objects may be, too",
      containerDeployerConfigurationSchema,
      { targetSelector: { label: [] }, initContainer: { command: "x" } },
      ['unknown field "targetSelector.label", did you mean "labels"?'],
    ],
  ])("%s", (...[, schema, value, expected]) => {
    expect(describeAll(schema, value)).toEqual(expected);
  });

  it("are told fifty times at most, however many there are", () => {
    const value = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`deployExecution${index}`, 1]));
    expect(findIgnoredFields(blueprint, value)).toHaveLength(50);
  });
});
