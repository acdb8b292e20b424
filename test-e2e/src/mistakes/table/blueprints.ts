import { dataObject, goTemplate, inlineInstallation } from "../../installations/inline-installation.ts";
import type { Mistake } from "../mistake.ts";
import { fail, withBlueprint } from "./build.ts";

const area = "blueprints";

/** Mistakes in the fields and files of a blueprint. */
export const blueprintMistakes: readonly Mistake[] = [
  {
    area,
    title: "the type of an execution is misspelt",
    make: async (scope) =>
      fail(scope, withBlueprint({ deployExecutions: [{ name: "default", type: "GoTempalte", template: "" }] })),
    place: /deployExecutions\[0\]\.type/,
    cause: /"GoTempalte"|expected one of "GoTemplate"/,
    remedy: /did you mean "?GoTemplate/,
  },
  {
    area,
    title: "the blueprint is called blueprint.yml",
    make: async (scope) => {
      const installation = withBlueprint({ deployExecutions: goTemplate("") });
      const { blueprint } = installation["spec"] as { blueprint: { inline: { filesystem: Record<string, string> } } };
      const { filesystem } = blueprint.inline;
      const { "blueprint.yaml": text = "" } = filesystem;
      const renamed = { blueprint: { inline: { filesystem: { "blueprint.yml": text } } } };
      await fail(scope, { ...installation, spec: { ...(installation["spec"] as object), ...renamed } });
    },
    place: /blueprint\.yaml/,
    cause: /blueprint\.yml/,
    remedy: /[Rr]ename/,
  },
  {
    area,
    title: "the file of an execution does not exist",
    make: async (scope) =>
      fail(
        scope,
        withBlueprint(
          { deployExecutions: [{ name: "default", type: "GoTemplate", file: "itmes.yaml" }] },
          { "items.yaml": "deployItems: []\n" },
        ),
      ),
    place: /deployExecutions\[0\]\.file|execution "default"/,
    cause: /itmes\.yaml/,
    remedy: /did you mean "?items\.yaml/,
  },
  {
    area,
    title: "deployExecution instead of deployExecutions",
    make: async (scope) => {
      await scope.apply(scope.target("target"), withBlueprint({ deployExecution: goTemplate("deployItems: []\n") }));
      await scope.waitForPhase("root", "Succeeded");
    },
    place: /blueprint\.yaml/,
    cause: /deployExecution\b/,
    remedy: /did you mean "?deployExecutions/,
  },
  {
    area,
    title: "the blueprint is not YAML",
    make: async (scope) => {
      const installation = withBlueprint({});
      const blueprint = { inline: { filesystem: { "blueprint.yaml": "imports:\n- name: a\n name: b\n" } } };
      await fail(scope, { ...installation, spec: { ...(installation["spec"] as object), blueprint } });
    },
    place: /blueprint\.yaml.*line \d/s,
    cause: /YAML|indent|mapping/,
    remedy: /[Cc]orrect/,
  },
  {
    area,
    title: "the type in the schema of an import is misspelt",
    make: async (scope) => {
      const blueprint = {
        imports: [{ name: "replicas", type: "data", schema: { type: "integre" } }],
        deployExecutions: goTemplate("deployItems: []\n"),
      };
      const installation = withBlueprint(blueprint);
      const imports = { data: [{ name: "replicas", dataRef: "replicas" }] };
      await fail(
        scope,
        {
          apiVersion: "landscaper.gardener.cloud/v1alpha1",
          kind: "DataObject",
          metadata: { name: "replicas" },
          data: 1,
        },
        { ...installation, spec: { ...(installation["spec"] as object), imports } },
      );
    },
    place: /imports(\[0\]|\.replicas\b).*schema/,
    cause: /"integre"|expected one of .*"integer"/,
    remedy: /did you mean "?integer/,
  },
  {
    area,
    title: "the type of a spiff execution is misspelt",
    make: async (scope) =>
      fail(scope, withBlueprint({ deployExecutions: [{ name: "default", type: "Spif", template: {} }] })),
    place: /deployExecutions\[0\]\.type/,
    cause: /"Spif"|expected one of/,
    remedy: /did you mean "?Spiff/,
  },
  {
    area,
    title: "an execution without a template",
    make: async (scope) => fail(scope, withBlueprint({ deployExecutions: [{ name: "default", type: "GoTemplate" }] })),
    place: /deployExecutions(\[0\]| "default")/,
    cause: /template.*file|file.*template/s,
    remedy: /[Aa]dd|[Ss]et|expected/,
  },
  {
    area,
    title: "the type of an import is misspelt",
    make: async (scope) =>
      fail(
        scope,
        inlineInstallation({
          name: "root",
          blueprint: { imports: [{ name: "a", type: "targte" }], deployExecutions: goTemplate("deployItems: []\n") },
        }),
      ),
    place: /imports(\[0\]|\.a)\.type/,
    cause: /"targte"|expected one of/,
    remedy: /did you mean "?target/,
  },
  {
    area,
    title: "a Target import without a type of Targets",
    make: async (scope) =>
      fail(
        scope,
        inlineInstallation({
          name: "root",
          blueprint: { imports: [{ name: "a", type: "target" }], deployExecutions: goTemplate("deployItems: []\n") },
        }),
      ),
    place: /imports(\[0\]|\.a)/,
    cause: /targetType/,
    remedy: /kubernetes-cluster|[Aa]dd|[Ss]et/,
  },
  {
    area,
    title: "two imports of a blueprint have one name",
    make: async (scope) => {
      const twice = { name: "a", type: "data", schema: { type: "string" } };
      const imports = { data: [{ name: "a", dataRef: "a" }] };
      const blueprint = { imports: [twice, twice], deployExecutions: goTemplate("deployItems: []\n") };
      await fail(scope, dataObject("a", "a"), inlineInstallation({ name: "root", blueprint, imports }));
    },
    place: /imports\[1\]|imports?[. ]"?a\b|imports: the name "a"/,
    cause: /twice|more than once|duplicate|unique/i,
    remedy: /[Rr]ename|[Rr]emove|must be unique/,
  },
  {
    area,
    title: "the schema of an import refers to one that does not exist",
    make: async (scope) => {
      const imports = [{ name: "a", type: "data", schema: { $ref: "local://hots" } }];
      const blueprint = { localTypes: { host: { type: "string" } }, imports, deployExecutions: goTemplate("") };
      const given = { data: [{ name: "a", dataRef: "a" }] };
      await fail(scope, dataObject("a", "a"), inlineInstallation({ name: "root", blueprint, imports: given }));
    },
    place: /imports(\[0\]|[. ]"?a\b).*(schema|\$ref|local:\/\/hots)/s,
    cause: /local:\/\/hots|"hots"/,
    remedy: /did you mean "?(local:\/\/)?host|[Aa]dd.*localTypes/,
  },
  {
    area,
    title: "a tab in blueprint.yaml",
    make: async (scope) => {
      const installation = withBlueprint({});
      const blueprint = { inline: { filesystem: { "blueprint.yaml": "imports:\n\t- name: a\n" } } };
      await fail(scope, { ...installation, spec: { ...(installation["spec"] as object), blueprint } });
    },
    place: /blueprint\.yaml.*line 2/s,
    cause: /tab/,
    remedy: /[Cc]orrect|spaces/,
  },
];
