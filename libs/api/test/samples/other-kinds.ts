import type { UnstructuredObject } from "../../src/objects/kube-object.ts";
import { badEnvironments, goodEnvironments } from "./environments.ts";
import { denied, sample, type BadObject, type GoodObject } from "./sample-object.ts";

const config = { apiVersion: "mock.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderConfiguration" };
const target = { name: "t", namespace: "default" };
const item = { name: "a", type: "landscaper.gardener.cloud/mock", config };

function execution(...deployItems: unknown[]): UnstructuredObject {
  return sample("Execution", { spec: { deployItems } });
}

/** Items that depend on the one after them, the last on the first. */
function ring(length: number): (typeof item & { readonly dependsOn: readonly string[] })[] {
  return Array.from({ length }, (_, index) => ({
    ...item,
    name: `i${index}`,
    dependsOn: [`i${(index + 1) % length}`],
  }));
}

function chain(length: number): unknown[] {
  return ring(length).map((one, index) => (index === length - 1 ? { ...one, dependsOn: [] } : one));
}

function deployItem(spec: Record<string, unknown>): UnstructuredObject {
  return sample("DeployItem", { spec: { type: "landscaper.gardener.cloud/mock", ...spec } });
}

function refused(name: string, object: UnstructuredObject, message: string): BadObject {
  return { name, object, code: 422, message: denied(`${object.kind.toLowerCase()}s`, "sample", message) };
}

const needsTarget = "target must have a name and a namespace";

const badExecutions: readonly BadObject[] = [
  refused(
    "an Execution with an item without name",
    execution({ ...item, name: "" }),
    "spec.deployItems: every item must have a name",
  ),
  refused(
    "an Execution with two items of one name",
    execution(item, { ...item, name: "b" }, item),
    "spec.deployItems: the name a must be unique",
  ),
  refused(
    "an Execution with an item without type",
    execution({ ...item, type: "" }),
    "spec.deployItems[a]: type must be set",
  ),
  refused(
    "an Execution with an item whose target has no name",
    execution({ ...item, target: { ...target, name: "" } }),
    `spec.deployItems[a]: ${needsTarget}`,
  ),
  refused(
    "an Execution with an item whose target has no namespace",
    execution(item, { ...item, name: "b", target: { name: "t" } }),
    `spec.deployItems[b]: ${needsTarget}`,
  ),
  refused(
    "an Execution with an item that depends on an unknown one",
    execution(item, { ...item, name: "b", dependsOn: ["a", "x"] }),
    "spec.deployItems[b]: dependsOn names x, which is no item of this Execution",
  ),
  refused(
    "an Execution with an item that depends on itself",
    execution(item, { ...item, name: "b", dependsOn: ["a", "b"] }),
    "spec.deployItems: items must not depend on each other in a ring: see dependsOn of b",
  ),
  refused(
    "an Execution with a ring of twelve items",
    execution(...ring(12)),
    `spec.deployItems: items must not depend on each other in a ring: see dependsOn of ${ring(12)
      .map(({ name }) => name)
      .join(", ")}`,
  ),
  {
    name: "an Execution whose compressed items are not base64",
    object: sample("Execution", { spec: { deployItemsCompressed: "???" } }),
    code: 422,
    message:
      'Execution.landscaper.gardener.cloud "sample" is invalid: spec.deployItemsCompressed: Invalid value: "???": spec.deployItemsCompressed in body must be of type byte: "???"',
  },
];

const badDeployItems: readonly BadObject[] = [
  refused("a DeployItem with an empty type", deployItem({ type: "" }), "spec.type: must be set"),
  refused(
    "a DeployItem whose target has no name",
    deployItem({ target: { name: "", namespace: "default" } }),
    "spec.target.name: must be set",
  ),
  refused(
    "a DeployItem whose target has no namespace",
    deployItem({ target: { name: "t" } }),
    "spec.target.namespace: must be set",
  ),
  {
    name: "a DeployItem that changes its type",
    before: deployItem({ config }),
    object: deployItem({ config, type: "landscaper.gardener.cloud/helm" }),
    code: 403,
    message: denied("deployitems", "sample", "spec.type: must not change"),
  },
];

const badTargets: readonly BadObject[] = [
  refused(
    "a Target with config and secretRef",
    sample("Target", { spec: { type: "t", config: {}, secretRef: { name: "s" } } }),
    "spec: only one of config and secretRef may be set",
  ),
];

function registration(template: Record<string, unknown>): UnstructuredObject {
  return sample("DeployerRegistration", { spec: { types: ["t"], installationTemplate: template } });
}

const badManagement: readonly BadObject[] = [
  {
    name: "a DeployerRegistration without blueprint",
    object: registration({ blueprint: {} }),
    code: 422,
    message:
      'DeployerRegistration.landscaper.gardener.cloud "sample" is invalid: spec.installationTemplate: Invalid value: "object": spec.installationTemplate.blueprint: exactly one of inline and ref must be set',
  },
  {
    name: "a DeployerRegistration with an empty component descriptor",
    object: registration({ blueprint: { ref: { resourceName: "b" } }, componentDescriptor: {} }),
    code: 422,
    message:
      'DeployerRegistration.landscaper.gardener.cloud "sample" is invalid: spec.installationTemplate: Invalid value: "object": spec.installationTemplate.componentDescriptor: exactly one of inline and ref must be set',
  },
];

export const badOthers: readonly BadObject[] = [
  ...badExecutions,
  ...badDeployItems,
  ...badTargets,
  ...badManagement,
  ...badEnvironments,
];

const time = "2026-01-02T03:04:05Z";

const goodCore: readonly GoodObject[] = [
  { name: "an Execution without items", object: sample("Execution", { spec: {} }) },
  {
    name: "an Execution with every field of an item",
    object: execution(item, {
      ...item,
      name: "b",
      target,
      labels: { a: "b" },
      dependsOn: ["a"],
      timeout: "10m",
      updateOnChangeOnly: true,
      onDelete: { skipUninstallIfClusterRemoved: true },
    }),
  },
  {
    name: "an Execution with compressed items",
    object: sample("Execution", { spec: { deployItemsCompressed: "H4sIAAAAAAAAA4uOBQApu0wNAgAAAA==" } }),
  },
  { name: "an Execution with a chain of twelve dependencies", object: execution(...chain(13)) },
  {
    name: "an Execution with a ring of thirteen items, which its first pass refuses",
    object: execution(...ring(13)),
  },
  {
    name: "a DeployItem with every field",
    object: deployItem({
      target,
      context: "default",
      config: { ...config, unknown: { fields: ["are kept"] } },
      timeout: "none",
      updateOnChangeOnly: true,
      onDelete: { skipUninstallIfClusterRemoved: true },
    }),
  },
  { name: "a DataObject with an object", object: sample("DataObject", { data: { a: [1, "2", null, { b: true }] } }) },
  { name: "a DataObject with a text", object: sample("DataObject", { data: "text" }) },
  { name: "a DataObject with a list", object: sample("DataObject", { data: [] }) },
  { name: "a Target with neither config nor secretRef", object: sample("Target", { spec: { type: "t" } }) },
  { name: "a Target with config", object: sample("Target", { spec: { type: "t", config: { kubeconfig: { a: 1 } } } }) },
  { name: "a Target with secretRef", object: sample("Target", { spec: { type: "t", secretRef: { name: "s" } } }) },
];

const goodPlatform: readonly GoodObject[] = [
  {
    name: "a Context with every field",
    object: sample("Context", {
      repositoryContext: { type: "ociRegistry", baseUrl: "r", more: 1 },
      ocmConfig: { name: "c" },
      registryPullSecrets: [{ name: "s" }],
      configurations: { helmChartRepoCredentials: { auths: [] }, text: "x" },
      componentVersionOverwrites: "o",
      verificationSignatures: {
        s: {
          publicKeySecretReference: { name: "n", namespace: "ns", key: "k" },
          caCertificateSecretReference: { name: "n" },
        },
      },
    }),
  },
  {
    name: "a ComponentVersionOverwrites",
    object: sample("ComponentVersionOverwrites", {
      overwrites: [
        { source: { componentName: "a", version: "v1" }, substitution: { repositoryContext: { x: 1 }, version: "v2" } },
      ],
    }),
  },
  {
    name: "a TargetSync with every field",
    object: sample("TargetSync", {
      spec: {
        sourceNamespace: "n",
        secretRef: { name: "s", key: "kubeconfig" },
        createTargetToSource: true,
        targetToSourceName: "t",
        secretNameExpression: "*",
        shootNameExpression: "^a",
        tokenRotation: { enabled: true },
      },
    }),
  },
  {
    name: "an LsHealthCheck",
    object: sample("LsHealthCheck", { status: "Init", lastUpdateTime: time, description: "ok" }),
  },
  {
    name: "a CriticalProblems",
    object: sample("CriticalProblems", {
      spec: { criticalProblem: [{ podName: "p", creationTime: time, description: "d" }] },
    }),
  },
  {
    name: "a SyncObject",
    object: sample("SyncObject", {
      spec: { podName: "", kind: "Installation", name: "n", lastUpdateTime: time, prefix: "installations" },
    }),
  },
  {
    name: "a DeployerRegistration",
    object: registration({
      blueprint: { ref: { resourceName: "b" } },
      componentDescriptor: { ref: { componentName: "c", version: "v1", repositoryContext: { type: "ociRegistry" } } },
      imports: { data: [{ name: "a", dataRef: "x" }], targets: [] },
      importDataMappings: { values: {} },
    }),
  },
];

export const goodOthers: readonly GoodObject[] = [...goodCore, ...goodPlatform, ...goodEnvironments];
