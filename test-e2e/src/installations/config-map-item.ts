// Deploy items with one ConfigMap each, as Go template text: names and data may be template expressions.

export interface ConfigMapItem {
  /** Of the item. Default: "item". */
  readonly item?: string;
  /** Of the ConfigMap. */
  readonly name: string;
  /** Values of its data; they are quoted. */
  readonly data: Readonly<Record<string, string>>;
  /** `target` of the item as YAML. Default: the import "cluster". */
  readonly target?: string;
  readonly updateOnChangeOnly?: boolean;
  /** Exports `name` and `data` of the ConfigMap. */
  readonly exports?: boolean;
}

const exportsOf = (name: string): string => `
      exports:
        exports:
          - { key: name, jsonPath: .metadata.name, fromResource: &object { apiVersion: v1, kind: ConfigMap, name: ${name}, namespace: {{ .imports.namespace }} } }
          - { key: data, jsonPath: .data, fromResource: *object }`;

/** One entry of `deployItems` for the manifest deployer; the ConfigMap goes to the namespace of the import "namespace". */
export function configMapItem(options: ConfigMapItem): string {
  const { item = "item", name, data, target = "{ import: cluster }", updateOnChangeOnly, exports } = options;
  const entries = Object.entries(data).map(([key, value]) => `${key}: "${value}"`);
  return `
  - name: ${item}
    type: landscaper.gardener.cloud/kubernetes-manifest
    target: ${target}
    updateOnChangeOnly: ${updateOnChangeOnly === true}
    config:
      apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
      kind: ProviderConfiguration
      manifests:
        - policy: manage
          manifest:
            apiVersion: v1
            kind: ConfigMap
            metadata: { name: ${name}, namespace: {{ .imports.namespace }} }
            data: { ${entries.join(", ")} }${exports === true ? exportsOf(name) : ""}
`;
}
