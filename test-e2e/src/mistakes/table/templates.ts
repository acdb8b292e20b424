import { resources } from "@landscaper/api";
import { goTemplate, inlineInstallation, spiff } from "../../installations/inline-installation.ts";
import type { Mistake } from "../mistake.ts";
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

/** The Installation "root" of a blueprint, which exports "address". */
function withExports(blueprint: Record<string, unknown>) {
  const exports = { data: [{ name: "address", dataRef: "address" }] };
  return inlineInstallation({ name: "root", blueprint, exports });
}

/** Mistakes in the templates of a blueprint, and in their output. */
export const templateMistakes: readonly Mistake[] = [
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
  {
    area,
    title: "a Go template with a block that does not end",
    make: async (scope) => fail(scope, withTemplate("deployItems:\n{{- if true }}\n- name: a\n")),
    place: /execution "default".*(line \d|:\d)/s,
    cause: /unexpected EOF|end/,
    remedy: /\{\{-? ?end|[Cc]orrect the template/,
    misleading: dump,
  },
  {
    area,
    title: "a Go template fails with a message of its own",
    make: async (scope) => fail(scope, withTemplate('deployItems:\n- name: {{ fail "region is required" }}\n')),
    place: /execution "default".*(line 2|:2)/s,
    cause: /region is required/,
    remedy: /[Cc]orrect/,
    misleading: dump,
  },
  {
    area,
    title: "a Go template calls a function with too few arguments",
    make: async (scope) => fail(scope, withTemplate('deployItems:\n- name: {{ replace "a" "b" }}\n')),
    place: /execution "default".*(line 2|:2)/s,
    cause: /replace.*(arguments|args)/s,
    remedy: /[Cc]orrect/,
    misleading: dump,
  },
  {
    area,
    title: "a spiff template with an unknown function",
    make: async (scope) =>
      fail(scope, withBlueprint({ deployExecutions: spiff({ deployItems: [{ name: '(( joni( "-", "a" ) ))' }] }) })),
    place: /execution "default".*deployItems\.\[?0\]?\.name/s,
    cause: /joni/,
    remedy: /did you mean "?join/,
    misleading: dump,
  },
  {
    area,
    title: "no execution sets an export",
    make: async (scope) =>
      fail(
        scope,
        withExports({
          exports: [{ name: "address", type: "data", schema: { type: "string" } }],
          exportExecutions: withExport("exports:\n  adress: a\n"),
          deployExecutions: goTemplate("deployItems: []\n"),
        }),
      ),
    place: /exports?[. ]"?address/,
    cause: /no export execution \S* ?\S* ?\S* ?gives this value/,
    remedy: /did you mean "?address/,
  },
  {
    area,
    title: "the value of an export does not fit its schema",
    make: async (scope) =>
      fail(
        scope,
        withBlueprint({
          exports: [{ name: "port", type: "data", schema: { type: "integer" } }],
          exportExecutions: withExport('exports:\n  port: "80"\n'),
          deployExecutions: goTemplate("deployItems: []\n"),
        }),
      ),
    place: /exports?[. ]"?port/,
    cause: /expected (an )?integer.*string/s,
    remedy: /[Cc]orrect/,
  },
  {
    area,
    title: "an export template without the key exports",
    make: async (scope) =>
      fail(
        scope,
        withExports({
          exports: [{ name: "address", type: "data", schema: { type: "string" } }],
          exportExecutions: withExport("export:\n  address: a\n"),
          deployExecutions: goTemplate("deployItems: []\n"),
        }),
      ),
    place: /execution "values"|exports?[. ]"?address/,
    cause: /"?export"?\b/,
    remedy: /did you mean "?exports/,
  },
  {
    area,
    title: "deployItem instead of deployItems in the output of a template",
    make: async (scope) => {
      await scope.apply(scope.target("target"), withTemplate(`deployItem:\n${item}${config}`));
      await scope.until(resources.installation, "root", (found) => /Succeeded|Failed/.test(found?.status?.phase ?? ""));
    },
    place: /execution "default"/,
    cause: /deployItem\b/,
    remedy: /did you mean "?deployItems/,
  },
  {
    area,
    title: "an item without a type",
    make: async (scope) => fail(scope, withTemplate("deployItems:\n- name: item\n")),
    place: /execution "default".*(item|deployItems\[0\]).*type/s,
    cause: /type.*(missing|required|expected)|(missing|required|expected).*type/s,
    remedy: /[Aa]dd|[Ss]et|such as|[Cc]orrect the field/,
  },
  {
    area,
    title: "an item without a name",
    make: async (scope) => fail(scope, withTemplate(`deployItems:\n- type: landscaper.gardener.cloud/mock\n${config}`)),
    place: /execution "default".*deployItems\[0\].*name/s,
    cause: /missing|required|expected/,
    remedy: /[Aa]dd|[Ss]et|such as|[Cc]orrect the field/,
  },
  {
    area,
    title: "two items depend on each other",
    make: async (scope) =>
      fail(
        scope,
        withTemplate(
          `${itemLines}${config}  dependsOn: [other]\n${item.replace("item", "other")}${config}  dependsOn: [item]\n`,
        ),
      ),
    place: /items? .*(item|depend)/s,
    cause: /(cycle|ring|each other).*item.*other|item.*other.*(cycle|ring|each other)|item.*->.*other|item => other/s,
    remedy: /[Rr]emove|[Bb]reak|[Cc]orrect/,
  },
  {
    area,
    title: "a field of an item is misspelt",
    make: async (scope) => {
      await scope.apply(scope.target("target"), withTemplate(`${itemLines}${config}  dependOn: [other]\n`));
      await scope.until(resources.installation, "root", (found) => /Succeeded|Failed/.test(found?.status?.phase ?? ""));
    },
    place: /execution "default".*item/s,
    cause: /dependOn\b/,
    remedy: /did you mean "?dependsOn/,
  },
  {
    area,
    title: "a file that a template reads does not exist",
    make: async (scope) =>
      fail(
        scope,
        withBlueprint(
          { deployExecutions: goTemplate('deployItems:\n- name: {{ readFile "nmae.txt" }}\n') },
          { "name.txt": "item" },
        ),
      ),
    place: /execution "default".*(line 2|:2)/s,
    cause: /nmae\.txt/,
    remedy: /did you mean "?name\.txt/,
    misleading: dump,
  },
];
