import type { UnstructuredObject } from "@landscaper/api";
import {
  clusterImport,
  dataParameter,
  goTemplate,
  inlineInstallation,
  manifestItem,
} from "../../src/installations/inline-installation.ts";
import { subInstallationTemplate } from "../../src/installations/sub-installations.ts";
import { stringify } from "yaml";

/** Groups of the root, and leaves of each group: 1 -> 5 -> 25 Installations. */
export const treeWidth = 5;
/** Root, groups and leaves. */
export const treeSize = 1 + treeWidth + treeWidth ** 2;

const number = { type: "integer" };
const imports = [clusterImport, dataParameter("previous", number)];
const exports = [dataParameter("number", number)];

/** A DeployItem with a ConfigMap; it exports the number of the one before it plus one. */
function leafBlueprint(namespace: string): Readonly<Record<string, unknown>> {
  const configMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "{{ .imports.name }}", namespace },
    data: { number: "{{ add .imports.previous 1 | toString }}" },
  };
  const item = manifestItem({
    manifests: [configMap],
    config: {
      exports: {
        exports: [
          {
            key: "number",
            jsonPath: ".data.number",
            fromResource: { apiVersion: "v1", kind: "ConfigMap", name: "{{ .imports.name }}", namespace },
          },
        ],
      },
    },
  });
  return {
    imports: [...imports, dataParameter("name", { type: "string" })],
    exports,
    deployExecutions: goTemplate(stringify({ deployItems: [item] })),
    exportExecutions: goTemplate('exports: { number: {{ index .values.deployitems "item" "number" }} }\n'),
  };
}

/** A chain of sub-installations: each imports what the one before it exports; the last export is the blueprint's. */
function chainBlueprint(
  child: (index: number) => { readonly name: string; readonly blueprint: Readonly<Record<string, unknown>> },
  namesOf: (name: string) => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const subinstallations = Array.from({ length: treeWidth }, (_, index) => {
    const { name, blueprint } = child(index);
    const previous = index === 0 ? "previous" : `number-${index - 1}`;
    return subInstallationTemplate({
      name,
      blueprint,
      imports: {
        targets: [{ name: "cluster", target: "cluster" }],
        data: [{ name: "previous", dataRef: previous }],
      },
      exports: { data: [{ name: "number", dataRef: `number-${index}` }] },
      ...namesOf(name),
    });
  });
  return {
    imports,
    exports,
    subinstallations,
    exportExecutions: goTemplate(`exports: { number: {{ index .values.dataobjects "number-${treeWidth - 1}" }} }\n`),
  };
}

/** The number that the root of a tree exports when it started from `start`. */
export const treeResult = (start: number): number => start + treeWidth ** 2;

/** An Installation that imports DataObject `start` and Target `cluster` and exports DataObject `end`. */
export function createTree(name: string, namespace: string): UnstructuredObject {
  const leaf = leafBlueprint(namespace);
  const group = (index: number): { name: string; blueprint: Readonly<Record<string, unknown>> } => ({
    name: `group-${index}`,
    blueprint: chainBlueprint(
      (leafIndex) => ({ name: `leaf-${index}-${leafIndex}`, blueprint: leaf }),
      (leafName) => ({ importDataMappings: { name: leafName } }),
    ),
  });
  return inlineInstallation({
    name,
    blueprint: chainBlueprint(group, () => ({})),
    imports: {
      targets: [{ name: "cluster", target: "cluster" }],
      data: [{ name: "previous", dataRef: "start" }],
    },
    exports: { data: [{ name: "number", dataRef: "end" }] },
  });
}
