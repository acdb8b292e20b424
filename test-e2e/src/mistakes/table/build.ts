import type { UnstructuredObject } from "@landscaper/api";
import {
  clusterImport,
  goTemplate,
  inlineInstallation,
  itemsInstallation,
  manifestItem,
  type ManifestItem,
} from "../../installations/inline-installation.ts";
import type { TestNamespace } from "../../namespaces/test-namespace.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A ConfigMap for the target. */
export const map = (scope: TestNamespace, fields: Fields = {}): Fields => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "map", namespace: scope.targetNamespace },
  ...fields,
});

export interface DeploymentOptions {
  /** Such as `{ readinessProbe: {} }`. */
  readonly probe?: Fields | undefined;
  readonly image?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Fields;
}

/** A Deployment "web" for the target; its container is called "main". */
export function deployment(scope: TestNamespace, options: DeploymentOptions = {}): Fields {
  const { image = "registry.example.test/web:1", annotations = {}, labels = { app: "web" }, spec, probe } = options;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: scope.targetNamespace },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels, annotations }, spec: { containers: [{ name: "main", image, ...probe }] } },
      ...spec,
    },
  };
}

/** Annotation of a pod template for the simulation of workloads. */
export const simulated = (name: string, value: string): { readonly annotations: Readonly<Record<string, string>> } => ({
  annotations: { [`simulation.landscaper.gardener.cloud/${name}`]: value },
});

/** The Installation "root" with the only item "item", for the Target "target". */
export function withItem(options: ManifestItem): UnstructuredObject {
  return itemsInstallation([manifestItem(options)]);
}

/** The Installation "root" of a blueprint that deploys to the Target "target". */
export function withBlueprint(blueprint: Fields, files: Readonly<Record<string, string>> = {}): UnstructuredObject {
  return inlineInstallation({
    name: "root",
    blueprint: { imports: [clusterImport], ...blueprint },
    files,
    imports: { targets: [{ name: "cluster", target: "target" }] },
  });
}

/** The Installation "root" whose items come from this Go template. */
export const withTemplate = (template: string): UnstructuredObject =>
  withBlueprint({ deployExecutions: goTemplate(template) });

/** Applies the objects beside the Target "target", and waits until the Installation "root" has failed. */
export async function fail(scope: TestNamespace, ...objects: readonly UnstructuredObject[]): Promise<void> {
  await scope.apply(scope.target("target"), ...objects);
  await scope.waitForPhase("root", "Failed");
}

/** Applies the objects beside the Target "target", and waits until the Installation "root" has succeeded. */
export async function succeed(scope: TestNamespace, ...objects: readonly UnstructuredObject[]): Promise<void> {
  await scope.apply(scope.target("target"), ...objects);
  await scope.waitForPhase("root", "Succeeded");
}

/** Fields of an item that the deployer retries until its time ends: long enough for a try on a busy machine. */
export const limited = { timeout: "30s" } as const;

/** Fails with an item of the manifests. */
export async function failWith(scope: TestNamespace, ...manifests: readonly unknown[]): Promise<void> {
  await fail(scope, withItem({ manifests, item: limited }));
}

/** Waits until the core has processed an Installation that is applied now: it has seen all earlier changes. */
export async function waitForCore(scope: TestNamespace): Promise<void> {
  await scope.apply(
    inlineInstallation({ name: "later", blueprint: { deployExecutions: goTemplate("deployItems: []\n") } }),
  );
  await scope.waitForPhase("later", "Succeeded");
}
