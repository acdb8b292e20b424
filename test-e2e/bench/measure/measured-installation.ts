import type { KubeObject } from "@landscaper/api";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";

/** One DataObject import, one Target import, one manifest DeployItem with a ConfigMap, one export. */
const createBlueprint = (
  name: string,
  namespace: string,
  updateOnChangeOnly: boolean,
): string => `apiVersion: ${apiVersion}
kind: Blueprint
imports:
  - name: value
    type: data
    schema: { type: string }
  - name: cluster
    type: target
    targetType: landscaper.gardener.cloud/kubernetes-cluster
exports:
  - name: result
    type: data
    schema: { type: string }
deployExecutions:
  - name: default
    type: GoTemplate
    template: |
      deployItems:
        - name: item
          type: landscaper.gardener.cloud/kubernetes-manifest
          target: { import: cluster }
          updateOnChangeOnly: ${updateOnChangeOnly}
          config:
            apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
            kind: ProviderConfiguration
            updateStrategy: update
            manifests:
              - policy: manage
                manifest:
                  apiVersion: v1
                  kind: ConfigMap
                  metadata:
                    name: ${name}
                    namespace: ${namespace}
                  data:
                    value: {{ .imports.value | quote }}
            exports:
              exports:
                - key: result
                  jsonPath: .data.value
                  fromResource:
                    apiVersion: v1
                    kind: ConfigMap
                    name: ${name}
                    namespace: ${namespace}
exportExecutions:
  - name: default
    type: GoTemplate
    template: |
      exports:
        result: {{ index .values.deployitems "item" "result" }}
`;

export const targetName = "cluster";

/** The Target that all measured Installations share. */
export function createTarget(namespace: string, kubeconfig: string): KubeObject & { spec: unknown } {
  return {
    apiVersion,
    kind: "Target",
    metadata: { name: targetName, namespace },
    spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } },
  };
}

export const installationName = (index: number): string => `bench-${index}`;

export function createDataObject(namespace: string, index: number, value: string): KubeObject & { data: unknown } {
  return {
    apiVersion,
    kind: "DataObject",
    metadata: { name: `value-${index}`, namespace },
    data: value,
  };
}

/** With the operation annotation: the job starts at once. */
export function createInstallation(
  namespace: string,
  index: number,
  { updateOnChangeOnly = false }: { readonly updateOnChangeOnly?: boolean } = {},
): KubeObject & { spec: unknown } {
  const name = installationName(index);
  const blueprint = createBlueprint(name, namespace, updateOnChangeOnly);
  return {
    apiVersion,
    kind: "Installation",
    metadata: {
      name,
      namespace,
      annotations: { "landscaper.gardener.cloud/operation": "reconcile" },
    },
    spec: {
      context: "default",
      blueprint: { inline: { filesystem: { "blueprint.yaml": blueprint } } },
      imports: {
        data: [{ name: "value", dataRef: `value-${index}` }],
        targets: [{ name: "cluster", target: targetName }],
      },
      exports: { data: [{ name: "result", dataRef: `result-${index}` }] },
    },
  };
}
