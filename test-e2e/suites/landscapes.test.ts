// Mistakes and events of real landscapes, from the first job to the deletion. ADRs and pages of docs/reference say why each ends as it does.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { apiVersion, conditionTypes, kubeResources, resources, type UnstructuredObject } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { createVersionedKind, versionedKind, waitFor } from "@landscaper/testkit";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import {
  clusterImport,
  dataObject,
  dataParameter,
  deployItems,
  helmItem,
  inlineInstallation,
  itemsInstallation,
  manifestItem,
} from "../src/installations/inline-installation.ts";
import { subInstallationTemplate } from "../src/installations/sub-installations.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

describe.each(clustersUnderTest())("real landscapes on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "helm-deployer"],
      configs: { "manifest-deployer": { targetWait: "2s" }, "helm-deployer": { targetWait: "2s" } },
    });
  });
  afterAll(async () => environment.stop());

  /** A namespace with the Target "target". */
  async function open(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    await scope.apply(scope.target("target"));
    return scope;
  }

  const configMap = (name: string, metadata: object): UnstructuredObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, ...metadata },
    data: { a: "1" },
  });

  /** Until ConfigMap "gate" says that it is open. */
  function gateOf(namespace: string): object {
    const resourceSelector = [{ apiVersion: "v1", kind: "ConfigMap", name: "gate", namespace }];
    const requirements = [{ jsonPath: ".data.gate", operator: "==", values: [{ value: "open" }] }];
    return { custom: [{ name: "gate", resourceSelector, requirements }] };
  }

  describe("a manifest without the namespace that its kind needs", () => {
    it.each<[string, object]>([
      ["absent", {}],
      ["empty", { namespace: "" }],
      ["null", { namespace: null }],
    ])("fails its job when it is %s, and neither the next job nor the deletion", async (_, forgotten) => {
      const scope = await open("forgot-namespace");
      const place = { namespace: scope.targetNamespace };
      const install = async (...manifests: readonly UnstructuredObject[]): Promise<void> =>
        scope.apply(itemsInstallation([manifestItem({ manifests })]));
      await install(configMap("good", place), configMap("forgotten", forgotten));
      const failed = await scope.waitForPhase("root", "Failed");
      expect(failed.status?.lastError?.message).toContain(
        'ConfigMap forgotten: metadata.namespace is missing, but kind ConfigMap is namespaced; add a line to metadata, such as "namespace: default"',
      );
      await install(configMap("good", place), configMap("forgotten", place));
      await scope.waitForPhase("root", "Succeeded");
      await install(configMap("good", place));
      const done = await scope.waitForPhase("root", "Succeeded");
      expect(done.status?.conditions?.map(({ type }) => type)).not.toContain(conditionTypes.warnings);
      expect(await scope.findOnTarget(kubeResources.configMap, "forgotten")).toBeUndefined();
      await environment.client.delete(resources.installation, { namespace: scope.name, name: "root" });
      await scope.untilGone(resources.installation, "root");
      expect(await scope.findOnTarget(kubeResources.configMap, "good")).toBeUndefined();
    });
  });

  it.each<[string, (lid: UnstructuredObject) => Promise<Record<string, unknown>>]>([
    ["an item of manifests", async (lid) => Promise.resolve(manifestItem({ manifests: [lid] }))],
    [
      "a release",
      async (lid) => {
        const chart = await rawChart({ "templates/lid.yaml": JSON.stringify(lid) });
        return helmItem({ namespace: lid.metadata.namespace ?? "", config: { chart } });
      },
    ],
  ])("%s is deleted after its cluster has stopped serving a version", async (_, itemOf) => {
    const scope = await open("version-gone");
    const namespace = scope.targetNamespace;
    const kind = await createVersionedKind(environment.targetClient, `${namespace}.example.org`);
    await scope.apply(itemsInstallation([await itemOf(kind.lid({ namespace, name: "one" }))]));
    await scope.waitForPhase("root", "Succeeded");
    await kind.drop();
    expect(await kind.names(namespace)).toEqual(["one"]);
    await environment.client.delete(resources.installation, { namespace: scope.name, name: "root" });
    await scope.untilGone(resources.installation, "root");
    expect(await kind.names(namespace)).toEqual([]);
    await kind.deleteKind();
  });

  it.each<[string, (secret: UnstructuredObject) => Promise<Record<string, unknown>>]>([
    ...["update", "patch", "apply"].map(
      (updateStrategy): [string, (secret: UnstructuredObject) => Promise<Record<string, unknown>>] => [
        `an item of manifests with strategy ${updateStrategy}`,
        async (secret) => Promise.resolve(manifestItem({ manifests: [secret], config: { updateStrategy } })),
      ],
    ),
    [
      "a release with server-side apply",
      async (secret) => {
        const chart = await rawChart({ "templates/secret.yaml": JSON.stringify(secret) });
        return helmItem({ namespace: secret.metadata.namespace ?? "", config: { chart, updateStrategy: "apply" } });
      },
    ],
  ])("%s removes a key that stringData of a Secret no longer has", async (_, itemOf) => {
    const scope = await open("removed-key");
    const metadata = { name: "login", namespace: scope.targetNamespace };
    const install = async (stringData: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      await scope.apply(itemsInstallation([await itemOf({ apiVersion: "v1", kind: "Secret", metadata, stringData })]));
      await scope.waitForPhase("root", "Succeeded");
      return Object.keys((await scope.findOnTarget(kubeResources.secret, "login"))?.data ?? {}).toSorted();
    };
    expect(await install({ user: "u", password: "p" })).toEqual(["password", "user"]);
    expect(await install({ user: "u" })).toEqual(["user"]);
  });

  it.each<[string, { readonly from?: object; readonly to?: object }]>([
    ["a release", {}],
    ["a release that gets another name", { to: { name: "other" } }],
    ["manifests that become a release", { from: { helmDeployment: false } }],
    ["a release that becomes manifests", { to: { helmDeployment: false } }],
  ])("a CRD that moves from templates/ to crds/ stays with its instances, in %s", async (_, { from, to }) => {
    const scope = await open("moved-crd");
    const namespace = scope.targetNamespace;
    const kind = versionedKind(environment.targetClient, `${namespace}.example.org`);
    const install = async (path: string, config: object = {}): Promise<void> => {
      const kept = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "{{ .Release.Name }}" } });
      const chart = await rawChart({ "templates/kept.yaml": kept, [path]: JSON.stringify(kind.definition) });
      await scope.apply(itemsInstallation([helmItem({ namespace, config: { chart, ...config } })]));
      await scope.waitForPhase("root", "Succeeded");
    };
    await install("templates/crd.yaml", from);
    await kind.create({ namespace, name: "one" });
    const before = (await kind.list(namespace)).map(({ metadata }) => metadata.uid);
    await install("crds/crd.yaml", to);
    expect((await kind.list(namespace)).map(({ metadata }) => metadata.uid)).toEqual(before);
    await environment.client.delete(resources.installation, { namespace: scope.name, name: "root" });
    await scope.untilGone(resources.installation, "root");
    await kind.deleteKind();
  });

  it.each<[string, (shop: UnstructuredObject, config: Record<string, object>) => Promise<Record<string, unknown>>]>([
    ["manifests", async (shop, config) => Promise.resolve(manifestItem({ manifests: [shop], config }))],
    [
      "a release",
      async (shop, config) => {
        const chart = await rawChart({ "templates/shop.yaml": JSON.stringify(shop) });
        return helmItem({ namespace: shop.metadata.namespace ?? "", config: { chart, ...config } });
      },
    ],
  ])("%s with a custom resource without a status are done after the wait, with a warning", async (_, itemOf) => {
    const scope = await open("empty-status");
    const namespace = scope.targetNamespace;
    const kind = versionedKind(environment.targetClient, `${namespace}.example.org`);
    const { definition } = kind;
    const versions = definition.spec.versions.map((version) => ({ ...version, subresources: { status: {} } }));
    const withStatus = { ...definition, spec: { ...definition.spec, versions } };
    await environment.targetClient.create(kubeResources.customResourceDefinition, withStatus);
    await kind.untilServed();
    const readinessChecks = { level: "kstatus", emptyStatusWait: "1s" };
    const shop = kind.lid({ namespace, name: "one" }, "v1");
    await scope.apply(itemsInstallation([await itemOf(shop, { readinessChecks })]));
    await scope.waitForPhase("root", "Succeeded");
    const reasonsOf = async (): Promise<readonly string[]> => {
      const [item] = (await scope.deployItems("root")).values();
      const warnings = item?.status?.conditions?.find(({ type }) => type === conditionTypes.warnings);
      return warnings?.status === "True" ? [warnings.reason ?? ""] : [];
    };
    expect(await reasonsOf()).toEqual(["EmptyStatus"]);
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
    expect(await reasonsOf()).toEqual([]);
    await environment.client.delete(resources.installation, { namespace: scope.name, name: "root" });
    await scope.untilGone(resources.installation, "root");
    await kind.deleteKind();
  });

  it("manifests that may not be meant so are applied with a warning, and refused with field-validation: Strict", async () => {
    const scope = await open("doubtful-manifests");
    const place = { namespace: scope.targetNamespace };
    const list = { apiVersion: "v1", kind: "List", items: [configMap("nested", place)] };
    const twice = { ...configMap("twice", place), data: { a: "2" } };
    const doubtful = [{ ...list, items: [list] }, configMap("twice", place), twice] as unknown as UnstructuredObject[]; // a List has no metadata
    const messages = [
      "spec.config: manifests[0].manifest.items[0]: expected an object, found a List within a List; its items are applied",
      `spec.config: manifests[2].manifest: ConfigMap ${place.namespace}/twice is also at spec.config: manifests[1].manifest, with other content; the last one is applied`,
    ];
    const installation = itemsInstallation([manifestItem({ manifests: doubtful })]);
    await scope.apply(installation);
    await scope.waitForPhase("root", "Succeeded");
    const [item] = (await scope.deployItems("root")).values();
    const warnings = item?.status?.conditions?.find(({ type }) => type === conditionTypes.warnings);
    for (const message of messages) expect(warnings?.message).toContain(message);
    expect(await scope.findOnTarget(kubeResources.configMap, "nested")).toBeDefined();
    expect((await scope.findOnTarget(kubeResources.configMap, "twice"))?.data).toEqual({ a: "2" });
    const { metadata } = installation;
    const strict = { ...metadata.annotations, "landscaper.gardener.cloud/field-validation": "Strict" };
    await scope.apply({ ...installation, metadata: { ...metadata, annotations: strict } });
    const refused = await scope.waitForPhase("root", "Failed");
    for (const message of messages) expect(refused.status?.lastError?.message).toContain(message);
  });

  it("a further YAML document of an execution gives a warning, and an error with field-validation: Strict", async () => {
    const scope = await open("further-document");
    const first = manifestItem({ manifests: [configMap("first", { namespace: scope.targetNamespace })] });
    const deployExecutions = deployItems(first).map((execution) => ({
      ...execution,
      template: `${String(execution.template)}\n---\ndeployItems: []\n`,
    }));
    const installation = inlineInstallation({
      name: "root",
      blueprint: { imports: [clusterImport], deployExecutions },
      imports: { targets: [{ name: "cluster", target: "target" }] },
    });
    await scope.apply(installation);
    const done = await scope.waitForPhase("root", "Succeeded");
    const message = "expected one YAML document, found more; only the first one counts";
    const warnings = done.status?.conditions?.find(({ type }) => type === conditionTypes.warnings);
    expect(warnings?.message).toContain(message);
    expect(await scope.findOnTarget(kubeResources.configMap, "first")).toBeDefined();
    const { metadata } = installation;
    const strict = { ...metadata.annotations, "landscaper.gardener.cloud/field-validation": "Strict" };
    await scope.apply({ ...installation, metadata: { ...metadata, annotations: strict } });
    const refused = await scope.waitForPhase("root", "Failed");
    expect(refused.status?.lastError?.message).toContain(message);
  });

  it("a nested Installation imports a DataObject and Targets of the namespace by #NAME", async () => {
    const scope = await open("of-namespace");
    const config = { a: "{{ .imports.word }}" };
    const manifest = { ...configMap("printed", { namespace: scope.targetNamespace }), data: config };
    const blueprint = {
      imports: [dataParameter("word", { type: "string" }), clusterImport],
      deployExecutions: deployItems(manifestItem({ manifests: [manifest] })),
    };
    const imports = {
      data: [{ name: "word", dataRef: "#shared" }],
      targets: [{ name: "cluster", target: "#target" }],
    };
    const child = subInstallationTemplate({ name: "child", blueprint, imports });
    const root = inlineInstallation({ name: "root", blueprint: { subinstallations: [child] } });
    await scope.apply(dataObject("shared", "hello"), root);
    await scope.waitForPhase("root", "Succeeded");
    expect((await scope.findOnTarget(kubeResources.configMap, "printed"))?.data).toEqual({ a: "hello" });
  });

  it.each<[string, (namespace: string) => Promise<Record<string, unknown>>]>([
    [
      "manifests",
      async (namespace) => {
        const own = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
        const manifests = [own, configMap("gate", { namespace }), configMap("other", { namespace })];
        return Promise.resolve(manifestItem({ manifests, config: { readinessChecks: gateOf(namespace) } }));
      },
    ],
    [
      "a release",
      async (namespace) => {
        const maps = [configMap("gate", {}), configMap("other", {})];
        const chart = await rawChart({ "templates/maps.yaml": maps.map((map) => JSON.stringify(map)).join("\n---\n") });
        const config = { chart, createNamespace: true, readinessChecks: gateOf(namespace) };
        return helmItem({ namespace, config });
      },
    ],
  ])("the namespace of %s is re-created when it is deleted while the job waits", async (_, itemOf) => {
    const scope = await open("namespace-gone");
    const { targetClient } = environment;
    const namespace = `${scope.targetNamespace}-gone`;
    await scope.apply(itemsInstallation([await itemOf(namespace)]));
    const uidOf = async (): Promise<string | undefined> =>
      (await targetClient.find(kubeResources.configMap, { namespace, name: "gate" }))?.metadata.uid;
    const before = await waitFor(uidOf);
    await targetClient.delete(kubeResources.namespace, { name: namespace });
    await waitFor(async () => ![undefined, before].includes(await uidOf()));
    const body = { data: { gate: "open" } };
    await targetClient.patch(kubeResources.configMap, { namespace, name: "gate" }, { type: "merge", body });
    await scope.waitForPhase("root", "Succeeded");
    expect(await targetClient.find(kubeResources.configMap, { namespace, name: "other" })).toBeDefined();
    await targetClient.delete(kubeResources.namespace, { name: namespace });
  });

  it.each<[string, (namespace: string) => Promise<Record<string, unknown>>]>([
    ["manifests", (namespace) => Promise.resolve(manifestItem({ manifests: [configMap("map", { namespace })] }))],
    [
      "a release",
      async (namespace) => {
        const chart = await rawChart({ "templates/map.yaml": JSON.stringify(configMap("map", {})) });
        return helmItem({ namespace, config: { chart } });
      },
    ],
  ])(
    "the job of %s fails when the Secret of its Target is missing, and the Installation can be deleted",
    async (_, itemOf) => {
      const scope = await environment.namespace("secret-missing");
      const spec = {
        type: "landscaper.gardener.cloud/kubernetes-cluster",
        secretRef: { name: "access", key: "kubeconfig" },
      };
      await scope.apply({ apiVersion, kind: "Target", metadata: { name: "target" }, spec });
      await scope.apply(itemsInstallation([await itemOf(scope.targetNamespace)]));
      const failed = await scope.waitForPhase("root", "Failed");
      expect(failed.status?.lastError?.message).toContain(
        `Target ${scope.name}/target: its Secret ${scope.name}/access does not exist; create the Secret, or correct spec.secretRef of the Target`,
      );
      await environment.client.delete(resources.installation, { namespace: scope.name, name: "root" });
      await scope.untilGone(resources.installation, "root");
    },
  );
});
