import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { KubeObject, Target, TargetSync, UnstructuredObject } from "@landscaper/api";
import { annotations, kubeResources, resources } from "@landscaper/api";
import { connectionFromKubeconfig, createClient, type Client } from "@landscaper/controller-runtime";
import { type GardenerApi, startGardenerApi } from "@landscaper/testkit";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment, updatingCore } from "../src/services/environment.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import { createSentinel } from "../src/kits/sentinel.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { ensureObject } from "../src/clusters/service-token.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { triggerJob } from "../src/namespaces/trigger-job.ts";
import { collectVisibleTexts, findLeaks } from "../src/namespaces/visible-texts.ts";

const guide = readGuideExamples("targets.md");
const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** All rights for a ServiceAccount, where the API server asks for rights. */
function binding(namespace: string, name: string): KubeObject {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name, namespace },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", name, namespace }],
  } as UnstructuredObject;
}

const roleBindings = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "RoleBinding",
  plural: "rolebindings",
  namespaced: true,
};

/** Run below; "source-rights" where rights count, in the core's own tests. */
const examples = [
  "inline",
  "keyed-secret",
  "whole-secret",
  "self",
  "oidc",
  "installation",
  "robot",
  "from-secrets",
  "from-shoots",
];

it("the guide to Targets has no example that nobody runs", () => {
  expect(guide.names).toEqual([...examples, "source-rights"]);
});

describe.each(clustersUnderTest())("targets on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer"],
      configs: updatingCore,
    });
  });
  afterAll(async () => environment.stop());

  describe("scenario 16: of every kind that the guide shows", () => {
    let scope: TestNamespace;
    beforeAll(async () => {
      scope = await environment.namespace("kinds");
      await ensureObject(environment.client, roleBindings, binding(scope.name, "installer"));
    });

    /** Installs the guide's example with this Target; where the ConfigMap is to come. */
    async function install(target: string, namespace: string): Promise<void> {
      const { hub, targetKubeconfig } = environment;
      const values = {
        kubeconfig: targetKubeconfig,
        server: hub.url,
        caData: base64(hub.ca ?? ""),
        namespace,
      };
      if (target === "whole-secret") await scope.apply(...guide.load("keyed-secret", values).slice(0, 1));
      if (target === "oidc") await scope.apply(...guide.load("self", values).slice(0, 1));
      await scope.apply(...guide.load(target, values));
      const [installation] = guide.load("installation", values) as [UnstructuredObject];
      const imports = { targets: [{ name: "cluster", target }] };
      const spec = { ...(installation["spec"] as object), imports };
      await scope.apply({ ...installation, metadata: { ...installation.metadata, name: target }, spec });
      await scope.waitForPhase(target, "Succeeded");
    }

    it.each(["inline", "keyed-secret", "whole-secret"])("deploys through %s", async (target) => {
      await install(target, scope.targetNamespace);
      const deployed = await scope.findOnTarget(kubeResources.configMap, "greeting");
      expect(deployed?.data?.["target"]).toContain(`"name":"${target}"`);
      await scope.delete(resources.installation, target);
      await scope.untilGone(resources.installation, target);
      expect(await scope.findOnTarget(kubeResources.configMap, "greeting")).toBeUndefined();
    });

    it.each(["self", "oidc"])("deploys through %s, into the cluster of Landscaper", async (target) => {
      await install(target, scope.name);
      expect((await scope.get(kubeResources.configMap, "greeting")).data?.["target"]).toContain(`"name":"${target}"`);
      await scope.delete(resources.installation, target);
      await scope.untilGone(resources.installation, target);
    });

    it("shows templates the reference of a Target with a Secret, and no credentials", async () => {
      await install("keyed-secret", scope.targetNamespace);
      const seen = (await scope.findOnTarget(kubeResources.configMap, "greeting"))?.data?.["target"] ?? "";
      expect(JSON.parse(seen)).toMatchObject({
        spec: { secretRef: { name: "cluster-access", key: "kubeconfig" } },
      });
      expect(seen).not.toContain(environment.target.token);
      expect(seen).not.toContain("certificate-authority");
    });
  });

  it("give templates kubeconfigs of the cluster behind them", async () => {
    const scope = await environment.namespace("robot");
    await ensureObject(environment.client, roleBindings, binding(scope.name, "installer"));
    await scope.apply(...guide.load("self"), ...guide.load("robot", { namespace: scope.name }));
    await scope.waitForPhase("access", "Succeeded");
    const { config } = (await scope.get(resources.target, "robot")).spec;
    const connection = connectionFromKubeconfig((config as { readonly kubeconfig: string }).kubeconfig);
    const robot = createClient({ connection, userAgent: "robot" });
    try {
      const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
      const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
      expect(await robot.request({ method: "POST", path, body })).toMatchObject({
        status: { userInfo: { username: `system:serviceaccount:${scope.name}:robot` } },
      });
    } finally {
      await robot.close();
    }
  });

  const names = (objects: readonly KubeObject[]): string[] =>
    objects.map(({ metadata }) => metadata.name ?? "").toSorted();
  const made = "landscaper.gardener.cloud/targetsync=ok";
  const namesOfMade = async (scope: TestNamespace): Promise<{ targets: string[]; secrets: string[] }> => ({
    targets: names(await scope.list(resources.target, made)),
    secrets: names(await scope.list(kubeResources.secret, made)),
  });

  async function putSource(
    client: Client,
    namespace: string,
    secrets: Record<string, Record<string, string>>,
  ): Promise<void> {
    for (const [name, stringData] of Object.entries(secrets)) {
      const object = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, stringData };
      await ensureObject(client, kubeResources.secret, object);
    }
  }

  /** Asks for a try and waits until it is over. */
  async function syncNow(scope: TestNamespace, name: string): Promise<TargetSync | undefined> {
    const key = { namespace: scope.name, name };
    await triggerJob(environment.client, resources.targetSync, key);
    return scope.until(
      resources.targetSync,
      name,
      (found) => found?.metadata.annotations?.[annotations.operation] === undefined,
    );
  }

  describe("scenario 25: made by a TargetSync", () => {
    const sentinel = createSentinel();
    let scope: TestNamespace;
    beforeAll(async () => {
      scope = await environment.namespace("synced");
      const { targetClient, targetKubeconfig } = environment;
      await putSource(targetClient, scope.targetNamespace, {
        "one.kubeconfig": { kubeconfig: targetKubeconfig, note: sentinel.value },
        "two.kubeconfig": { kubeconfig: targetKubeconfig },
        other: { text: "no cluster" },
      });
      const values = { sourceKubeconfig: targetKubeconfig, sourceNamespace: scope.targetNamespace };
      await scope.apply(...guide.load("from-secrets", values));
      await scope.until(resources.targetSync, "clusters", (found) => found?.status?.lastUpdateTime !== undefined);
    });

    it("are there for every Secret of the source, and Installations deploy through them", async () => {
      const both = ["one.kubeconfig", "two.kubeconfig"];
      expect(await namesOfMade(scope)).toEqual({ targets: both, secrets: both });
      const [installation] = guide.load("installation", { namespace: scope.targetNamespace }) as [UnstructuredObject];
      const imports = { targets: [{ name: "cluster", target: "one.kubeconfig" }] };
      await scope.apply({ ...installation, spec: { ...(installation["spec"] as object), imports } });
      await scope.waitForPhase("hello", "Succeeded");
      expect(await scope.findOnTarget(kubeResources.configMap, "greeting")).toBeDefined();
      // A copy of the Target for the Installation's scope carries the label, too, and stays.
      const copies = (found: readonly Target[]): string[] => names(found).filter((name) => !both.includes(name));
      const before = copies(await scope.list(resources.target, made));
      expect(before).toHaveLength(1);
      await syncNow(scope, "clusters");
      expect(copies(await scope.list(resources.target, made))).toEqual(before);
      await scope.delete(resources.installation, "hello");
      await scope.untilGone(resources.installation, "hello");
    });

    it("go with their Secret of the source", async () => {
      await environment.targetClient.delete(kubeResources.secret, {
        namespace: scope.targetNamespace,
        name: "two.kubeconfig",
      });
      const synced = await syncNow(scope, "clusters");
      expect(synced?.status?.lastErrors).toBeUndefined();
      expect(await namesOfMade(scope)).toEqual({ targets: ["one.kubeconfig"], secrets: ["one.kubeconfig"] });
    });

    it("stay as they are while there is a second TargetSync", async () => {
      const [, first] = guide.load("from-secrets", { sourceKubeconfig: "", sourceNamespace: "x" }) as [
        unknown,
        KubeObject,
      ];
      await scope.apply({ ...first, metadata: { name: "second" } });
      for (const name of ["clusters", "second"]) {
        const refused = await scope.until(
          resources.targetSync,
          name,
          (found) => found?.status?.lastErrors !== undefined,
        );
        expect(refused?.status?.lastErrors).toEqual([
          "expected one TargetSync in the namespace, found 2 (clusters, second): nothing is synced",
        ]);
      }
      expect(await namesOfMade(scope)).toEqual({ targets: ["one.kubeconfig"], secrets: ["one.kubeconfig"] });
      await scope.delete(resources.targetSync, "second");
      await scope.untilGone(resources.targetSync, "second");
      await scope.until(resources.targetSync, "clusters", (found) => found?.status?.lastErrors === undefined);
    });

    it("go with their TargetSync", async () => {
      await scope.delete(resources.targetSync, "clusters");
      await scope.untilGone(resources.targetSync, "clusters");
      expect(await namesOfMade(scope)).toEqual({ targets: [], secrets: [] });
      expect(await scope.find(kubeResources.secret, "source")).toBeDefined();
    });

    it("showed their credentials nowhere", async () => {
      const texts = await collectVisibleTexts(environment, scope);
      expect(findLeaks(texts, sentinel.findIn)).toEqual([]);
    });
  });

  describe("made of Gardener shoots", () => {
    let gardener: GardenerApi;
    beforeAll(async () => {
      gardener = await startGardenerApi();
    });
    afterAll(async () => gardener.stop());

    it("follow the project, and an Installation goes with its cluster (core.md §1.1 no. 23)", async () => {
      const scope = await environment.namespace("shoots");
      const namespace = "garden-my-project";
      gardener.setShoots([{ namespace, name: "my-shoot", kubeconfig: environment.targetKubeconfig }]);
      const stringData = { kubeconfig: gardener.kubeconfig };
      await scope.apply(
        { apiVersion: "v1", kind: "Secret", metadata: { name: "garden" }, stringData },
        ...guide.load("from-shoots"),
      );
      await scope.until(resources.target, "my-shoot", (found) => found !== undefined);
      await scope.until(resources.target, "garden", (found) => found?.spec.secretRef?.name === "garden");

      const metadata = { name: "greeting", namespace: scope.targetNamespace };
      const item = manifestItem({
        manifests: [{ apiVersion: "v1", kind: "ConfigMap", metadata, data: { greeting: "hello" } }],
        item: { onDelete: { skipUninstallIfClusterRemoved: true } },
      });
      await scope.apply(itemsInstallation([item], { name: "on-shoot", target: "my-shoot" }));
      await scope.waitForPhase("on-shoot", "Succeeded");
      expect(await scope.findOnTarget(kubeResources.configMap, "greeting")).toBeDefined();

      gardener.setShoots([]);
      await syncNow(scope, "shoots");
      expect(await namesOfMade(scope)).toMatchObject({ targets: expect.not.arrayContaining(["my-shoot"]) });
      await scope.delete(resources.installation, "on-shoot");
      await scope.untilGone(resources.installation, "on-shoot");
      // Nobody has uninstalled it.
      expect(await scope.findOnTarget(kubeResources.configMap, "greeting")).toBeDefined();
    });
  });

  it("the core brings its CRDs up to date when it starts (core.md §1.4 no. 86)", async () => {
    const key = { name: "lshealthchecks.landscaper.gardener.cloud" };
    const type = kubeResources.customResourceDefinition;
    const core = environment.service("landscaper-core");
    await core.stop();
    const { spec } = await environment.client.get(type, key);
    const versions = spec.versions.map((version) => ({ ...version, additionalPrinterColumns: [] }));
    await environment.client.patch(type, key, { type: "merge", body: { spec: { versions } } });
    await core.start();
    expect((await environment.client.get(type, key)).spec.versions).toEqual(spec.versions);
  });
});
