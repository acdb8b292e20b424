import type { UnstructuredObject } from "@landscaper/api";
import { annotations, operations } from "@landscaper/api";
import { stringify } from "yaml";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";

export interface InlineInstallation {
  readonly name: string;
  /** Fields of blueprint.yaml; templates are texts. */
  readonly blueprint: Readonly<Record<string, unknown>>;
  /** Other files and folders of the blueprint, by name. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly imports?: Readonly<Record<string, unknown>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  /** False: the Installation waits for `trigger`. */
  readonly triggered?: boolean;
}

export function blueprintYaml(blueprint: Readonly<Record<string, unknown>>): string {
  return stringify({ apiVersion, kind: "Blueprint", ...blueprint });
}

/** An Installation with its blueprint inline. */
export function inlineInstallation(options: InlineInstallation): UnstructuredObject {
  const { name, blueprint, files, imports, exports, spec, triggered } = options;
  return {
    apiVersion,
    kind: "Installation",
    metadata: {
      name,
      ...(triggered === false ? {} : { annotations: { [annotations.operation]: operations.reconcile } }),
    },
    spec: {
      blueprint: { inline: { filesystem: { "blueprint.yaml": blueprintYaml(blueprint), ...files } } },
      ...(imports === undefined ? {} : { imports }),
      ...(exports === undefined ? {} : { exports }),
      ...spec,
    },
  };
}

/** A DataObject; its value stands at the top level. */
export function dataObject(name: string, data: unknown): UnstructuredObject {
  return { apiVersion, kind: "DataObject", metadata: { name }, data };
}

export const clusterImport = {
  name: "cluster",
  type: "target",
  targetType: "landscaper.gardener.cloud/kubernetes-cluster",
} as const;

/** The Installation "root" of a blueprint that imports the Target "cluster" under its name. */
export function clusterInstallation(definition: Readonly<Record<string, unknown>>): UnstructuredObject {
  const imports = { targets: [{ name: "cluster", target: "cluster" }] };
  return inlineInstallation({ name: "root", blueprint: { imports: [clusterImport], ...definition }, imports });
}

/** A data import or export with a JSON schema. */
export function dataParameter(name: string, schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { name, type: "data", schema };
}

/** One GoTemplate executor called "default". */
export function goTemplate(template: string): Record<string, unknown>[] {
  return [{ name: "default", type: "GoTemplate", template }];
}

/** One Spiff executor called "default"; its template is YAML, or a text of it. */
export function spiff(template: unknown): Record<string, unknown>[] {
  return [{ name: "default", type: "Spiff", template }];
}

/** An Installation "root" with these entries of `deployItems`, whose import "cluster" is the Target `target`. */
export function itemsInstallation(
  items: readonly Readonly<Record<string, unknown>>[],
  { name = "root", target = "target" }: { readonly name?: string; readonly target?: string } = {},
): UnstructuredObject {
  return inlineInstallation({
    name,
    blueprint: { imports: [clusterImport], deployExecutions: deployItems(...items) },
    imports: { targets: [{ name: "cluster", target }] },
  });
}

export interface ManifestItem {
  readonly name?: string;
  readonly manifests: readonly unknown[];
  /** Other fields of the ProviderConfiguration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Other fields of the deploy item. */
  readonly item?: Readonly<Record<string, unknown>>;
}

/** One entry of `deployItems` for the manifest deployer (v1alpha2), for the import "cluster". */
export function manifestItem({ name = "item", manifests, config, item }: ManifestItem): Record<string, unknown> {
  return {
    name,
    type: "landscaper.gardener.cloud/kubernetes-manifest",
    target: { import: "cluster" },
    config: {
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
      kind: "ProviderConfiguration",
      manifests: manifests.map((manifest) => ({ policy: "manage", manifest })),
      ...config,
    },
    ...item,
  };
}

export interface HelmItem {
  /** Of the release "app". */
  readonly namespace: string;
  /** Other fields of the ProviderConfiguration: the chart, at least. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Other fields of the deploy item. */
  readonly item?: Readonly<Record<string, unknown>>;
}

/** One entry of `deployItems` for the helm deployer, for the import "cluster". */
export function helmItem({ namespace, config, item }: HelmItem): Record<string, unknown> {
  return {
    name: "item",
    type: "landscaper.gardener.cloud/helm",
    target: { import: "cluster" },
    timeout: "2m",
    config: {
      apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "ProviderConfiguration",
      name: "app",
      namespace,
      ...config,
    },
    ...item,
  };
}

/** One entry of `deployItems` for the mock deployer. */
export function mockItem(
  name: string,
  config: Readonly<Record<string, unknown>> = {},
  item: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    name,
    type: "landscaper.gardener.cloud/mock",
    config: {
      apiVersion: "mock.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "ProviderConfiguration",
      ...config,
    },
    ...item,
  };
}

/** A deploy execution without any template logic: the items as they stand. */
export function deployItems(...items: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown>[] {
  return goTemplate(stringify({ deployItems: items }));
}
