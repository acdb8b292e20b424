import type { UnstructuredObject } from "@landscaper/api";
import { dataParameter, deployItems, goTemplate, inlineInstallation, mockItem, spiff } from "./inline-installation.ts";
import { subInstallationTemplate } from "./sub-installations.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The template "leaf" below "middle" below "root"; the parts that a case changes. */
interface LeafFields {
  readonly blueprint?: Fields;
  /** Other fields of the leaf's template. */
  readonly template?: Fields;
}

const text = { type: "string" };
const forwarded = { data: [{ name: "word", dataRef: "word" }] };
const goodLeaf = {
  imports: [dataParameter("word", text)],
  exports: [dataParameter("result", text)],
  deployExecutions: deployItems(mockItem("item")),
  exportExecutions: goTemplate("exports: { result: {{ .imports.word }} }\n"),
};
const leafExport = { data: [{ name: "result", dataRef: "result" }] };

/** root > middle > leaf, and beside the leaf `siblings` of it. The word goes down, the result comes up. */
export function nestedInstallation(leaf: LeafFields = {}, ...siblings: readonly Fields[]): UnstructuredObject {
  const leafTemplate = subInstallationTemplate({
    name: "leaf",
    blueprint: { ...goodLeaf, ...leaf.blueprint },
    imports: forwarded,
    exports: leafExport,
    ...leaf.template,
  });
  const passOn = {
    imports: [dataParameter("word", text)],
    exports: [dataParameter("result", text)],
    exportExecutions: goTemplate("exports: { result: {{ .values.dataobjects.result }} }\n"),
  };
  const middle = subInstallationTemplate({
    name: "middle",
    blueprint: { ...passOn, subinstallations: [leafTemplate, ...siblings] },
    imports: forwarded,
    exports: leafExport,
  });
  return inlineInstallation({
    name: "root",
    blueprint: { ...passOn, subinstallations: [middle] },
    imports: { data: [{ name: "word", dataRef: "word" }] },
    exports: leafExport,
  });
}

/** Beside the leaf: imports and exports as given, no work of its own. */
function sibling(name: string, imports: readonly string[], exported: string): Fields {
  return subInstallationTemplate({
    name,
    blueprint: {
      imports: imports.map((one) => dataParameter(one, text)),
      exports: [dataParameter("result", text)],
      exportExecutions: goTemplate("exports: { result: x }\n"),
    },
    imports: { data: imports.map((one) => ({ name: one, dataRef: one })) },
    exports: { data: [{ name: "result", dataRef: exported }] },
  });
}

export interface NestedBadInput {
  readonly name: string;
  readonly installation: UnstructuredObject;
  /** Where the job fails first: the leaf, or the one that would have made it. */
  readonly failsIn: "leaf" | "middle";
  /** Texts that its message must contain, and the root's message, too. */
  readonly names: readonly string[];
  readonly code?: string;
}

const leafCase = (name: string, leaf: LeafFields, names: readonly string[]): NestedBadInput => ({
  name,
  installation: nestedInstallation(leaf),
  failsIn: "leaf",
  names,
});
const asCycle = (given: NestedBadInput): NestedBadInput => ({ ...given, code: "ERR_CYCLIC_DEPENDENCIES" });
const middleCase = (name: string, installation: UnstructuredObject, names: readonly string[]): NestedBadInput => ({
  name,
  installation,
  failsIn: "middle",
  names,
});

/** Every class of what users get wrong, two levels below the root. */
export const nestedBadInput: readonly NestedBadInput[] = [
  // Cycles.
  asCycle(
    leafCase(
      "a ring of deploy items",
      {
        blueprint: {
          deployExecutions: deployItems(
            mockItem("one", {}, { dependsOn: ["two"] }),
            mockItem("two", {}, { dependsOn: ["one"] }),
          ),
        },
      },
      ["one => two => one"],
    ),
  ),
  asCycle(
    leafCase(
      "a schema that refers to itself",
      {
        blueprint: {
          localTypes: { a: { $ref: "local://b" }, b: { $ref: "local://a" } },
          imports: [dataParameter("word", { $ref: "local://a" })],
        },
      },
      ["word", "local://a => local://b => local://a"],
    ),
  ),
  asCycle(
    middleCase(
      "a ring of sub-installations",
      nestedInstallation(
        {
          blueprint: { imports: [dataParameter("word", text), dataParameter("back", text)] },
          template: { imports: { data: [...forwarded.data, { name: "back", dataRef: "back" }] } },
        },
        sibling("other", ["result"], "back"),
      ),
      ["leaf => other => leaf"],
    ),
  ),
  // Duplicate exports.
  middleCase("two sub-installations with one export", nestedInstallation({}, sibling("other", [], "result")), [
    'the data "result" is exported by both "leaf" and "other"',
  ]),
  leafCase(
    "two deploy items of one name",
    { blueprint: { deployExecutions: deployItems(mockItem("item"), mockItem("item")) } },
    ['deploy item "item"', "unique"],
  ),
  // Unknown references.
  middleCase(
    "an import that neither parent nor sibling has",
    nestedInstallation({ template: { imports: { data: [{ name: "word", dataRef: "nowhere" }] } } }),
    ["leaf", "word", "nowhere"],
  ),
  leafCase(
    "a Target import that the blueprint does not have",
    { blueprint: { deployExecutions: deployItems(mockItem("item", {}, { target: { import: "nowhere" } })) } },
    ['deployItems[0], item "item"', "target.import", '"nowhere"'],
  ),
  leafCase(
    "a dependency on an item that does not exist",
    { blueprint: { deployExecutions: deployItems(mockItem("item", {}, { dependsOn: ["nowhere"] })) } },
    ['deploy item "item"', "dependsOn", "nowhere"],
  ),
  leafCase(
    "a template file that the blueprint does not have",
    { blueprint: { deployExecutions: [{ name: "default", type: "GoTemplate", file: "nowhere.yaml" }] } },
    ['deploy template execution "default"', "nowhere.yaml"],
  ),
  leafCase(
    "a local type that the blueprint does not have",
    { blueprint: { imports: [dataParameter("word", { $ref: "local://nowhere" })] } },
    ["word", "local://nowhere"],
  ),
  leafCase(
    "a resource without a component",
    { blueprint: { deployExecutions: goTemplate('deployItems: {{ getResource "name" "image" }}\n') } },
    ["getResource", "there is no component descriptor here"],
  ),
  // Wrong types.
  leafCase(
    "a text where the schema wants a number",
    { blueprint: { imports: [dataParameter("word", { type: "integer" })] } },
    ["word", "expected an integer, found a string"],
  ),
  middleCase(
    "data where the blueprint wants a Target",
    nestedInstallation({ template: { imports: { targets: [{ name: "word", target: "word" }] } } }),
    ["leaf", "word"],
  ),
  leafCase("a list of items that is a text", { blueprint: { deployExecutions: goTemplate("deployItems: text\n") } }, [
    "deployItems",
    "expected a list, found a string",
  ]),
  leafCase(
    "an exported value that its schema refuses",
    { blueprint: { exports: [dataParameter("result", { type: "integer" })] } },
    ["result", "expected an integer, found a string"],
  ),
  // Mappings that fail.
  leafCase(
    "an import mapping of what there is not",
    { template: { importDataMappings: { word: "(( nothing.here ))" } } },
    ["word", "nothing.here"],
  ),
  leafCase(
    "an export mapping of what there is not",
    { template: { exportDataMappings: { result: "(( exports.nothing ))" } } },
    ["result", "exports.nothing"],
  ),
  // Templates.
  leafCase(
    "a template that renders no value",
    { blueprint: { deployExecutions: goTemplate("deployItems: []\nx: {{ .imports.nothing }}\n") } },
    ['"no value"', "line 2:3"],
  ),
  leafCase(
    "a spiff template whose node cannot be resolved",
    { blueprint: { deployExecutions: spiff({ deployItems: "(( imports.nothing ))" }) } },
    ['deploy template execution "default"', "imports.nothing"],
  ),
  leafCase(
    "a template that does not end",
    { blueprint: { deployExecutions: goTemplate("{{ if true }}deployItems: []\n") } },
    ['deploy template execution "default"', "unexpected EOF"],
  ),
  leafCase("an export that no template gives", { blueprint: { exportExecutions: goTemplate("exports: {}\n") } }, [
    "result",
  ]),
];
