// The ways in which a target map reaches deploy items: each deploys one ConfigMap for each key, named by it.
import type { UnstructuredObject } from "@landscaper/api";
import { configMapItem } from "./config-map-item.ts";
import { blueprintYaml, clusterImport, dataParameter, goTemplate, inlineInstallation } from "./inline-installation.ts";
import { subInstallationTemplate } from "./sub-installations.ts";

type Keys = readonly string[];

export interface TargetMapVariant {
  readonly name: string;
  /** The Installation `root` and what it needs, for Targets "target-<key>" and the DataObject "namespace". */
  readonly objects: (keys: Keys) => readonly UnstructuredObject[];
}

const text = { type: "string" };
const type = clusterImport.targetType;
const mapParameter = { name: "clusters", type: "targetMap", targetType: type };
const namespaceParameter = dataParameter("namespace", text);
const data = [{ name: "namespace", dataRef: "namespace" }];

const byKey = (keys: Keys, nameOf: (key: string) => string): Record<string, string> =>
  Object.fromEntries(keys.map((key) => [key, nameOf(key)]));
const targetNames = (keys: Keys): Record<string, string> => byKey(keys, (key) => `target-${key}`);
const elements = (keys: Keys): Record<string, string> => byKey(keys, (key) => `clusters[${key}]`);

/** A blueprint with one deploy item for each key of the map that it imports. */
const itemPerKey = {
  imports: [mapParameter, namespaceParameter],
  deployExecutions: goTemplate(`
{{- $keys := keys .imports.clusters | sortAlpha | join " " }}
deployItems:
{{- range $key, $target := .imports.clusters }}
${configMapItem({
  item: "item-{{ $key }}",
  name: "{{ $key }}",
  data: { keys: "{{ $keys }}" },
  target: "{ import: clusters, key: {{ $key }} }",
}).replaceAll(".imports.namespace", "$.imports.namespace")}
{{- end }}
`),
};

/** A blueprint with one deploy item for the target that it imports; mappings give it its name. */
const itemForOne = {
  imports: [clusterImport, namespaceParameter, dataParameter("key", text), dataParameter("keys", text)],
  deployExecutions: goTemplate(
    `deployItems:${configMapItem({ name: "{{ .imports.key }}", data: { keys: "{{ .imports.keys }}" } })}`,
  ),
};

/** A sub-installation with `itemForOne` for one key. */
function oneOf(keys: Keys, key: string): Record<string, unknown> {
  return subInstallationTemplate({
    name: `sub-${key}`,
    blueprint: itemForOne,
    imports: { targets: [{ name: "cluster", target: `clusters[${key}]` }], data },
    importDataMappings: { key, keys: keys.toSorted().join(" ") },
  });
}

/** A sub-installation of the blueprint `itemPerKey` with this import of the map. */
function perKey(map: Record<string, unknown>): Record<string, unknown> {
  return subInstallationTemplate({
    name: "per-key",
    blueprint: itemPerKey,
    imports: { targets: [{ name: "clusters", ...map }], data },
  });
}

const colors = ["red", "blue", "yellow"];
const colorParameters = colors.map((color) => ({ ...clusterImport, name: color }));
const exportedName = (key: string): string => `exported-${key}`;

/**
 * Exports the targets that it imports under other names; all of them always: an item that goes needs the Target that it was deployed
 * with.
 */
const exporter = {
  blueprint: {
    imports: colorParameters,
    exports: colors.map((color) => ({ name: color, type: "target", targetType: type })),
    exportExecutions: goTemplate(
      `exports:\n${colors.map((color) => `  ${color}: { type: ${type}, config: {{ .imports.${color}.spec.config | toJson }} }\n`).join("")}`,
    ),
  },
  exports: { targets: colors.map((color) => ({ name: color, target: exportedName(color) })) },
};

function root(
  blueprint: Readonly<Record<string, unknown>>,
  targets: readonly Record<string, unknown>[],
): UnstructuredObject {
  return inlineInstallation({ name: "root", blueprint, imports: { targets, data } });
}

/** A root that imports the map and has these sub-installations. */
const parentOf = (keys: Keys, ...subinstallations: readonly Record<string, unknown>[]): UnstructuredObject =>
  root({ imports: [mapParameter, namespaceParameter], subinstallations }, [
    { name: "clusters", targetMap: targetNames(keys) },
  ]);

const singles = (keys: Keys): Record<string, unknown>[] =>
  keys.map((key) => ({ name: `cluster-${key}`, target: `target-${key}` }));
const singleParameters = (keys: Keys): Record<string, unknown>[] =>
  keys.map((key) => ({ ...clusterImport, name: `cluster-${key}` }));

/** The same templates as `oneOf`, made by a subinstallation execution from the map itself. */
const templatedPerKey = {
  imports: [mapParameter, namespaceParameter],
  subinstallationExecutions: goTemplate(`
{{- $keys := keys .imports.clusters | sortAlpha | join " " }}
subinstallations:
{{- range $key, $target := .imports.clusters }}
- apiVersion: landscaper.gardener.cloud/v1alpha1
  kind: InstallationTemplate
  name: sub-{{ $key }}
  blueprint:
    filesystem:
      blueprint.yaml: {{ readFile "one.yaml" | toString | toJson }}
  imports:
    targets: [{ name: cluster, target: "clusters[{{ $key }}]" }]
    data: [{ name: namespace, dataRef: namespace }]
  importDataMappings: { key: {{ $key }}, keys: {{ $keys }} }
{{- end }}
`),
};

export const targetMapVariants: readonly TargetMapVariant[] = [
  {
    name: "a deploy item for each key",
    objects: (keys) => [root(itemPerKey, [{ name: "clusters", targetMap: targetNames(keys) }])],
  },
  {
    name: "a map that is written as a list of maps",
    objects: (keys) => [
      root(itemPerKey, [{ name: "clusters", targets: keys.map((key) => ({ [key]: `target-${key}` })) }]),
    ],
  },
  {
    name: "passed on by targetMapRef",
    objects: (keys) => [parentOf(keys, perKey({ targetMapRef: "clusters" }))],
  },
  {
    name: "passed on by targetMapRef twice",
    objects: (keys) => [
      parentOf(
        keys,
        subInstallationTemplate({
          name: "middle",
          blueprint: {
            imports: [mapParameter, namespaceParameter],
            subinstallations: [perKey({ targetMapRef: "clusters" })],
          },
          imports: { targets: [{ name: "clusters", targetMapRef: "clusters" }], data },
        }),
      ),
    ],
  },
  {
    name: "a sub-installation for each key",
    objects: (keys) => [parentOf(keys, ...keys.map((key) => oneOf(keys, key)))],
  },
  {
    name: "a templated sub-installation for each key",
    objects: (keys) => [
      inlineInstallation({
        name: "root",
        blueprint: templatedPerKey,
        files: { "one.yaml": blueprintYaml(itemForOne) },
        imports: { targets: [{ name: "clusters", targetMap: targetNames(keys) }], data },
      }),
    ],
  },
  {
    name: "composed of elements of the parent's map",
    objects: (keys) => [parentOf(keys, perKey({ targetMap: elements(keys) }))],
  },
  {
    name: "composed of single targets of the parent",
    objects: (keys) => [
      root(
        {
          imports: [...singleParameters(keys), namespaceParameter],
          subinstallations: [perKey({ targetMap: byKey(keys, (key) => `cluster-${key}`) })],
        },
        singles(keys),
      ),
    ],
  },
  {
    name: "composed of exports of a sibling",
    objects: (keys) => [
      root(
        {
          imports: [...colorParameters, namespaceParameter],
          subinstallations: [
            subInstallationTemplate({
              name: "exporter",
              ...exporter,
              imports: { targets: colors.map((color) => ({ name: color, target: color })) },
            }),
            perKey({ targetMap: byKey(keys, exportedName) }),
          ],
        },
        colors.map((color) => ({ name: color, target: `target-${color}` })),
      ),
    ],
  },
  {
    name: "composed of exports of another root",
    objects: (keys) => [
      inlineInstallation({
        name: "exporter",
        ...exporter,
        imports: { targets: colors.map((color) => ({ name: color, target: `target-${color}` })) },
      }),
      root(itemPerKey, [{ name: "clusters", targetMap: byKey(keys, exportedName) }]),
    ],
  },
];
