// Deletion of a namespace of the hub (docs/reference/protection.md).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  annotations,
  kubeResources,
  operations,
  resources,
  type Installation,
  type Target,
  type UnstructuredObject,
} from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { waitFor } from "@landscaper/testkit";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import {
  clusterImport,
  deployItems,
  helmItem,
  inlineInstallation,
  itemsInstallation,
  manifestItem,
} from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { deleteWithoutUninstall } from "../src/kits/contract-names.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

describe.each(clustersUnderTest())("the deletion of a namespace on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "helm-deployer"],
      configs: { "manifest-deployer": { targetWait: "2s" }, "helm-deployer": { targetWait: "2s" } },
    });
  });
  afterAll(async () => environment.stop());

  async function open(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    const metadata = { name: "kubeconfig" };
    const stringData = { kubeconfig: environment.targetKubeconfig };
    const { spec } = scope.target("target");
    const { config: _, ...others } = spec as Target["spec"]; // As the test namespace writes it.
    await scope.apply({ apiVersion: "v1", kind: "Secret", metadata, stringData });
    await scope.apply({
      ...scope.target("target"),
      spec: { ...others, secretRef: { ...metadata, key: "kubeconfig" } },
    });
    return scope;
  }

  const configMap = (name: string, namespace: string): UnstructuredObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace },
    data: { a: "1" },
  });

  async function untilNamespaceGone({ name }: TestNamespace): Promise<void> {
    let found: UnstructuredObject | undefined;
    await waitFor(
      async () => {
        found = (await environment.client.find(kubeResources.namespace, { name })) as UnstructuredObject | undefined;
        return found === undefined;
      },
      {
        describe: async () => {
          const items = await environment.client.list(resources.deployItem, { namespace: name });
          return JSON.stringify([found?.status, items.items.map(({ status }) => [status?.phase, status?.lastError])]);
        },
      },
    );
  }

  it("uninstalls its Installations", async () => {
    const scope = await open("leaving");
    const namespace = scope.targetNamespace;
    const chart = await rawChart({ "templates/map.yaml": JSON.stringify(configMap("of-chart", namespace)) });
    await scope.apply(
      itemsInstallation([
        manifestItem({ name: "manifests", manifests: [configMap("of-manifests", namespace)] }),
        helmItem({ namespace, config: { chart }, item: { name: "release" } }),
      ]),
    );
    await scope.waitForPhase("root", "Succeeded");
    await environment.client.delete(kubeResources.namespace, { name: scope.name });
    await untilNamespaceGone(scope);
    expect(await scope.findOnTarget(kubeResources.configMap, "of-manifests")).toBeUndefined();
    expect(await scope.findOnTarget(kubeResources.configMap, "of-chart")).toBeUndefined();
  });

  it("uninstalls Installations that use the exports of others, Targets included", async () => {
    const scope = await open("chain");
    const namespace = scope.targetNamespace;
    const made = {
      type: "landscaper.gardener.cloud/kubernetes-cluster",
      config: { kubeconfig: environment.targetKubeconfig },
    };
    const template = JSON.stringify({ exports: { made } });
    await scope.apply(
      inlineInstallation({
        name: "producer",
        blueprint: {
          imports: [clusterImport],
          exports: [{ name: "made", type: "target", targetType: "landscaper.gardener.cloud/kubernetes-cluster" }],
          deployExecutions: deployItems(manifestItem({ manifests: [configMap("of-producer", namespace)] })),
          exportExecutions: [{ name: "made", type: "GoTemplate", template }],
        },
        imports: { targets: [{ name: "cluster", target: "target" }] },
        exports: { targets: [{ name: "made", target: "made" }] },
      }),
    );
    await scope.apply(
      itemsInstallation([manifestItem({ manifests: [configMap("of-consumer", namespace)] })], {
        name: "consumer",
        target: "made",
      }),
    );
    await scope.waitForPhase("consumer", "Succeeded");
    await environment.client.delete(kubeResources.namespace, { name: scope.name });
    await untilNamespaceGone(scope);
    for (const name of ["of-producer", "of-consumer"]) {
      expect(await scope.findOnTarget(kubeResources.configMap, name)).toBeUndefined();
    }
  });

  it("fails if a target does not answer, and the Installation has the command that leaves the objects", async () => {
    const scope = await open("unreachable");
    const manifests = [configMap("left", scope.targetNamespace)];
    await scope.apply(itemsInstallation([manifestItem({ manifests, item: { timeout: "2s" } })]));
    await scope.waitForPhase("root", "Succeeded");
    const { port } = new URL(environment.target.url);
    const body = { stringData: { kubeconfig: environment.targetKubeconfig.replaceAll(`:${port}`, ":1") } };
    const key = { namespace: scope.name, name: "kubeconfig" };
    await environment.client.patch(kubeResources.secret, key, { type: "merge", body });
    await environment.client.delete(kubeResources.namespace, { name: scope.name });
    const hasFailed = (found: Installation | undefined): boolean => found?.status?.phase === "DeleteFailed";
    const failed = await scope.until(resources.installation, "root", hasFailed);
    const way = `landscaper delete root -n ${scope.name} --without-uninstall`;
    expect(failed?.status?.lastError?.message).toContain(way);
    // As this command does.
    const wanted = { ...deleteWithoutUninstall, [annotations.operation]: operations.reconcile };
    const annotated = { type: "merge", body: { metadata: { annotations: wanted } } } as const;
    await environment.client.patch(resources.installation, { namespace: scope.name, name: "root" }, annotated);
    await untilNamespaceGone(scope);
    expect(await scope.findOnTarget(kubeResources.configMap, "left")).toBeDefined();
  });
});
