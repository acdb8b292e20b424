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

export interface TreeShape {
  /** Number of groups of the root, and of leaves of each group. */
  readonly width: number;
}

/** Number of Installations: root, groups and leaves. */
export const treeSize = ({ width }: TreeShape): number => 1 + width + width ** 2;

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
  { width }: TreeShape,
  child: (index: number) => { readonly name: string; readonly blueprint: Readonly<Record<string, unknown>> },
  namesOf: (name: string) => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const subinstallations = Array.from({ length: width }, (_, index) => {
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
    exportExecutions: goTemplate(`exports: { number: {{ index .values.dataobjects "number-${width - 1}" }} }\n`),
  };
}

/** The number that the root of a tree exports when it started from `start`. */
export const treeResult = (start: number, { width }: TreeShape): number => start + width ** 2;

/** An Installation that imports DataObject `start` and Target `cluster` and exports DataObject `end`. */
export function createTree(name: string, namespace: string, shape: TreeShape): UnstructuredObject {
  const leaf = leafBlueprint(namespace);
  const group = (index: number): { name: string; blueprint: Readonly<Record<string, unknown>> } => ({
    name: `group-${index}`,
    blueprint: chainBlueprint(
      shape,
      (leafIndex) => ({ name: `leaf-${index}-${leafIndex}`, blueprint: leaf }),
      (leafName) => ({ importDataMappings: { name: leafName } }),
    ),
  });
  return inlineInstallation({
    name,
    blueprint: chainBlueprint(shape, group, () => ({})),
    imports: {
      targets: [{ name: "cluster", target: "cluster" }],
      data: [{ name: "previous", dataRef: "start" }],
    },
    exports: { data: [{ name: "number", dataRef: "end" }] },
  });
}
