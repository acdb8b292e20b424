// Jobs and diffs keep fields of the cluster and of other writers (docs/reference/objects-on-targets.md#fields-of-the-cluster).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  annotations,
  kubeResources,
  operations,
  resources,
  type DeployItem,
  type ResourceType,
  type UnstructuredObject,
} from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { waitFor } from "@landscaper/testkit";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { helmItem, itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";

const webhookType: ResourceType<UnstructuredObject> = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  namespaced: false,
};
const autoscalerType: ResourceType<UnstructuredObject> = {
  group: "autoscaling",
  version: "v2",
  kind: "HorizontalPodAutoscaler",
  plural: "horizontalpodautoscalers",
  namespaced: true,
};
const deploymentType = kubeResources.deployment as ResourceType as ResourceType<UnstructuredObject>;
const roleType = kubeResources.clusterRole as ResourceType as ResourceType<UnstructuredObject>;

/** What the controller finds in the role that is aggregated. */
const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
const caBundle = Buffer.from("-----BEGIN CERTIFICATE-----").toString("base64");

/** One of each kind, with the fields that are not the manifest's own as charts often have them. */
function manifestsOf(namespace: string): readonly UnstructuredObject[] {
  const name = namespace;
  const labels = { aggregates: namespace };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "example.org/a:1" }] } };
  const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name };
  return [
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
      rules: [],
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace },
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    },
    {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name, namespace },
      spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 9 },
    },
  ];
}

/** The embedded API server has no webhooks. */
function webhookOf(namespace: string): UnstructuredObject {
  const name = namespace;
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name },
    webhooks: [
      {
        name: "none.example.org",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        failurePolicy: "Ignore",
        clientConfig: { service: { name: "none", namespace }, caBundle: "" },
        rules: [{ apiGroups: ["none.example.org"], apiVersions: ["*"], operations: ["CREATE"], resources: ["none"] }],
      },
    ],
  };
}

describe.each(clustersUnderTest())("fields of the cluster on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "helm-deployer"],
      configs: {
        "manifest-deployer": { ignoreFields: [{ kind: "ConfigMap", jsonPointers: ["/data/ofDeployer"] }] },
        "helm-deployer": { ignoreFields: [{ kind: "ConfigMap", jsonPointers: ["/data/ofDeployer"] }] },
      },
    });
  });
  afterAll(async () => environment.stop());

  const hasWebhooks = cluster === "real";
  const manifestsOn = (namespace: string): readonly UnstructuredObject[] => [
    ...(hasWebhooks ? [webhookOf(namespace)] : []),
    ...manifestsOf(namespace),
  ];

  /** A namespace with the Target "target". */
  async function open(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    await scope.apply(scope.target("target"));
    return scope;
  }

  type ItemOf = (manifests: readonly UnstructuredObject[], config?: object) => Promise<Record<string, unknown>>;
  const untested = { readinessChecks: { disableDefault: true } };
  const items: readonly (readonly [string, ItemOf])[] = [
    ...["update", "patch", "apply", "mergeOverwrite"].map((updateStrategy): readonly [string, ItemOf] => [
      `manifests with strategy ${updateStrategy}`,
      async (manifests, config) =>
        Promise.resolve(manifestItem({ manifests, config: { ...untested, updateStrategy, ...config } })),
    ]),
    ...["update", "apply"].map((updateStrategy): readonly [string, ItemOf] => [
      `a release with strategy ${updateStrategy}`,
      async (manifests, config) => {
        const chart = await rawChart({
          "templates/all.yaml": manifests.map((object) => JSON.stringify(object)).join("\n---\n"),
        });
        const namespace = manifests.find(({ metadata }) => metadata.namespace !== undefined)?.metadata.namespace ?? "";
        return helmItem({ namespace, config: { chart, ...untested, updateStrategy, ...config } });
      },
    ]),
  ];

  /** Server-side apply takes nothing from other managers unless it is told so. */
  const forceOf = (title: string): object => (title.endsWith("apply") ? { serverSideApply: { force: true } } : {});

  /** As the cluster does it; on the real API server some of it happens by itself. */
  async function actAsCluster(name: string): Promise<void> {
    const { targetClient } = environment;
    const metadata = { name: `${name}-part`, labels: { aggregates: name } };
    await targetClient.create(roleType, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata,
      rules,
    });
    const applied = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name }, rules };
    const aggregator = { fieldManager: "clusterrole-aggregation-controller", force: true } as const;
    await targetClient.patch(roleType, { name }, { type: "apply", body: applied, ...aggregator });
    if (hasWebhooks) {
      const body = [{ op: "add", path: "/webhooks/0/clientConfig/caBundle", value: caBundle }] as const;
      await targetClient.patch(webhookType, { name }, { type: "json", body, fieldManager: "cainjector" });
    }
    const scale = { type: "merge", body: { spec: { replicas: 5 } }, subresource: "scale" } as const;
    await targetClient.patch(
      deploymentType,
      { namespace: name, name },
      { ...scale, fieldManager: "kube-controller-manager" },
    );
  }

  /** What must not change: content and generation, without the status of controllers. */
  async function stateOf(name: string): Promise<unknown> {
    const keys = [
      [roleType, { name }],
      ...(hasWebhooks ? [[webhookType, { name }] as const] : []),
      [deploymentType, { namespace: name, name }],
      [autoscalerType, { namespace: name, name }],
    ] as const;
    const found = await Promise.all(keys.map(async ([type, key]) => await environment.targetClient.get(type, key)));
    return found.map(({ metadata: { uid, generation }, status: _status, ...content }) => ({
      uid,
      generation,
      ...content,
    }));
  }

  async function again(scope: TestNamespace): Promise<void> {
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
  }

  async function planOf(scope: TestNamespace): Promise<string | undefined> {
    const [item] = (await scope.deployItems("root")).values();
    const key = { namespace: scope.name, name: item?.metadata.name ?? "" };
    const body = { metadata: { annotations: { [annotations.operation]: operations.plan } } };
    await environment.client.patch(resources.deployItem, key, { type: "merge", body });
    return await waitFor(async () => {
      const now: DeployItem = await environment.client.get(resources.deployItem, key);
      if (now.metadata.annotations?.[annotations.operation] !== undefined) return undefined;
      return now.status?.conditions?.find(({ type }) => type === "Planned")?.message;
    });
  }

  it.each(items)("stay in jobs of %s, and its diff is empty", async (title, itemOf) => {
    const scope = await open("cluster-fields");
    const name = scope.targetNamespace;
    await scope.apply(itemsInstallation([await itemOf(manifestsOn(name))]));
    await scope.waitForPhase("root", "Succeeded");
    await actAsCluster(name);
    const before = await stateOf(name);
    expect(before).toMatchObject([
      { rules },
      ...(hasWebhooks ? [{ webhooks: [{ clientConfig: { caBundle } }] }] : []),
      { spec: { replicas: 5 } },
      {},
    ]);
    await again(scope);
    await again(scope);
    expect(await stateOf(name)).toEqual(before);
    expect(await planOf(scope)).toMatch(hasWebhooks ? /^4 unchanged/ : /^3 unchanged/);
    // Without its autoscaler the manifest counts again.
    const changed = manifestsOn(name).filter(({ kind }) => kind !== autoscalerType.kind);
    await scope.apply(itemsInstallation([await itemOf(changed, forceOf(title))]));
    await scope.waitForPhase("root", "Succeeded");
    await again(scope);
    const { spec } = await environment.targetClient.get(deploymentType, { namespace: name, name });
    expect(spec).toMatchObject({ replicas: 2 });
    await environment.client.delete(resources.installation, { namespace: scope.name, name: "root" });
    await scope.untilGone(resources.installation, "root");
    await environment.targetClient.delete(roleType, { name: `${name}-part` });
  });

  it.each(items)("that the item or the deployer ignores stay in jobs of %s", async (title, itemOf) => {
    const scope = await open("ignored-fields");
    const namespace = scope.targetNamespace;
    const data = { ofItem: "1", ofDeployer: "1", other: "1" };
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "map", namespace }, data };
    const ignoreFields = [{ kind: "ConfigMap", name: "map", jsonPointers: ["/data/ofItem"] }];
    await scope.apply(itemsInstallation([await itemOf([map], { ignoreFields })]));
    await scope.waitForPhase("root", "Succeeded");
    const body = { data: { ofItem: "2", ofDeployer: "2" } };
    await environment.targetClient.patch(kubeResources.configMap, { namespace, name: "map" }, { type: "merge", body });
    await again(scope);
    const next = { ...map, data: { ...data, other: "3" } };
    await scope.apply(itemsInstallation([await itemOf([next], { ignoreFields })]));
    await scope.waitForPhase("root", "Succeeded");
    const found = await scope.findOnTarget(kubeResources.configMap, "map");
    expect(found?.data).toEqual({ ofItem: "2", ofDeployer: "2", other: "3" });
    // Who ignores nothing more has it as the manifest says.
    await scope.apply(itemsInstallation([await itemOf([next], forceOf(title))]));
    await scope.waitForPhase("root", "Succeeded");
    const { ofItem } = (await scope.findOnTarget(kubeResources.configMap, "map"))?.data ?? {};
    expect(ofItem).toBe("1");
  });
});
