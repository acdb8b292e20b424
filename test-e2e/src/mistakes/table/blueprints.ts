import type { Mistake } from "../mistake.ts";
import { goTemplate, spiff } from "../../installations/inline-installation.ts";
import { fail, map, withBlueprint, withTemplate } from "./build.ts";

const area = "blueprints";
const config = `  config: { apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1, kind: ProviderConfiguration }
`;
const item = `- name: item
  type: landscaper.gardener.cloud/mock
`;
const itemLines = `deployItems:\n${item}`;
/** A dump of the inputs. */
const dump = /kubeconfig|current-context/;
const withExport = (template: string): Record<string, unknown>[] => [{ name: "values", type: "GoTemplate", template }];

export const blueprintMistakes: readonly Mistake[] = [
  {
    area,
    title: "a Go template with a syntax error",
    make: async (scope) => fail(scope, withTemplate("deployItems:\n- name: {{ .imports.cluster.metadata.name }\n")),
    place: /execution "default".*(line 2|:2)/s,
    cause: /unexpected "}"/,
    remedy: /[Cc]orrect the template|blueprint/,
    misleading: dump,
  },
  {
    area,
    title: "a Go template with an unknown function",
    make: async (scope) => fail(scope, withTemplate('deployItems:\n- name: {{ "A" | lowerr }}\n')),
    place: /execution "default".*(line 2|:2)/s,
    cause: /function "lowerr"/,
    remedy: /did you mean "?lower/,
    misleading: dump,
  },
  {
    area,
    title: "a Go template reads a field of a missing value",
    make: async (scope) => fail(scope, withTemplate("deployItems:\n- name: {{ .imports.clusters.metadata.name }}\n")),
    place: /execution "default".*(line 2|:2)/s,
    cause: /clusters/,
    remedy: /did you mean "?cluster\b/,
    misleading: dump,
  },
  {
    area,
    title: "a Go template indexes beyond a list",
    make: async (scope) => fail(scope, withTemplate('deployItems:\n- name: {{ index (list "a") 3 }}\n')),
    place: /execution "default".*(line 2|:2)/s,
    cause: /index.*(out of range|3)/s,
    remedy: /[Cc]orrect/,
    misleading: dump,
  },
  {
    area,
    title: "the output of a Go template is not YAML",
    make: async (scope) => fail(scope, withTemplate(`${itemLines}  config:\n   kind: a: b\n`)),
    place: /execution "default".*line 5/s,
    cause: /templated output[\s\S]*5.*kind: a: b/,
    remedy: /[Cc]orrect|[Qq]uote/,
    misleading: dump,
  },
  {
    area,
    title: "the indentation of a Go template's output is wrong",
    make: async (scope) =>
      fail(scope, withTemplate(`${itemLines}  config:\n{{ toYaml (dict "kind" "a") | indent 1 }}\n`)),
    place: /execution "default".*line 5/s,
    cause: /templated output[\s\S]*5.*kind: a/,
    remedy: /[Cc]orrect|indent/,
    misleading: dump,
  },
  {
    area,
    title: "a spiff template with an unknown field",
    make: async (scope) =>
      fail(
        scope,
        withBlueprint({ deployExecutions: spiff({ deployItems: [{ name: "(( imports.clustr.metadata.name ))" }] }) }),
      ),
    place: /execution "default".*deployItems\.\[?0\]?\.name/s,
    cause: /imports\.clustr/,
    remedy: /did you mean "?(imports\.)?cluster/,
    misleading: dump,
  },
  {
    area,
    title: "a spiff template with a syntax error",
    make: async (scope) =>
      fail(scope, withBlueprint({ deployExecutions: spiff({ deployItems: [{ name: "(( 1 + ))" }] }) })),
    place: /execution "default".*deployItems\.\[?0\]?\.name/s,
    cause: /syntax|parse|expected/,
    remedy: /[Cc]orrect/,
    misleading: dump,
  },
  {
    area,
    title: "an error in an export template",
    make: async (scope) =>
      fail(
        scope,
        withBlueprint({
          exports: [{ name: "address", type: "data", schema: { type: "string" } }],
          exportExecutions: withExport("exports:\n  address: {{ .values.deployitems.itm.address }}\n"),
          deployExecutions: goTemplate(
            `${itemLines}  config: { apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1, kind: ProviderConfiguration, export: { address: a } }\n`,
          ),
        }),
      ),
    place: /execution "values".*(line 2|:2)/s,
    cause: /itm/,
    remedy: /did you mean "?item/,
    misleading: dump,
  },
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
    title: "two items with one name",
    make: async (scope) => fail(scope, withTemplate(`${itemLines}${config}${item}${config}`)),
    place: /"item"/,
    cause: /twice|more than once|duplicate|unique/i,
    remedy: /[Rr]ename|[Uu]se (an)?other|must be unique/,
  },
  {
    area,
    title: "an item names a Target import that does not exist",
    make: async (scope) => fail(scope, withTemplate(`${itemLines}${config}  target: { import: clustr }\n`)),
    place: /item\S* "?item"?.*target/is,
    cause: /"?clustr"?/,
    remedy: /did you mean "?cluster/,
  },
  {
    area,
    title: "deployItems is a string",
    make: async (scope) => fail(scope, withTemplate("deployItems: item\n")),
    place: /execution "default".*deployItems/s,
    cause: /expected (a list|an array).*(string|text)/s,
    remedy: /[Cc]orrect|list/,
  },
  {
    area,
    title: "the output of a template is a list of manifests",
    make: async (scope) => fail(scope, withTemplate(JSON.stringify([map(scope)]))),
    place: /execution "default"/,
    cause: /expected an object|expected a map|found a list|found an array/,
    remedy: /deployItems/,
  },
];
