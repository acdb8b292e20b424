// Deletions without a Target, its Secret, or an owner (docs/reference/protection.md#a-target-that-does-not-exist).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, isJobOpen, kubeResources, resources, type Installation, type Target } from "@landscaper/api";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import {
  clusterImport,
  deployItems,
  inlineInstallation,
  itemsInstallation,
  manifestItem,
} from "../src/installations/inline-installation.ts";
import { subInstallationTemplate } from "../src/installations/sub-installations.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const secretName = "kubeconfig";

describe.each(clustersUnderTest())("a deletion on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer"],
      configs: {
        // A protected Target could not be lost.
        "landscaper-core": { deletionProtection: "off" },
        "manifest-deployer": { targetWait: "1s" },
      },
    });
  });
  afterAll(async () => environment.stop());

  const writeSecret = async (scope: TestNamespace, kubeconfig = environment.targetKubeconfig): Promise<void> =>
    scope.apply({ apiVersion: "v1", kind: "Secret", metadata: { name: secretName }, stringData: { kubeconfig } });
  const writeTarget = async (scope: TestNamespace): Promise<void> => {
    const target = scope.target("target");
    const { config: _, ...others } = target.spec as Target["spec"]; // As the test namespace writes it.
    await scope.apply({ ...target, spec: { ...others, secretRef: { name: secretName, key: "kubeconfig" } } });
  };

  async function open(name: string): Promise<TestNamespace> {
    const scope = await environment.namespace(name);
    await writeSecret(scope);
    await writeTarget(scope);
    return scope;
  }

  const map = (scope: TestNamespace) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "map", namespace: scope.targetNamespace },
  });

  async function install(scope: TestNamespace): Promise<void> {
    await scope.apply(itemsInstallation([manifestItem({ manifests: [map(scope)] })]));
    await scope.waitForPhase("root", "Succeeded");
  }

  /** Deletes the Installation. Returns the message of its failure. */
  async function fail(scope: TestNamespace): Promise<string> {
    await scope.delete(resources.installation, "root");
    const hasFailed = (found: Installation | undefined): boolean => found?.status?.phase === "DeleteFailed";
    const failed = await scope.until(resources.installation, "root", hasFailed);
    return failed?.status?.lastError?.message ?? "";
  }

  async function untilUninstalled(scope: TestNamespace): Promise<void> {
    await scope.untilGone(resources.installation, "root");
    expect(await scope.findOnTarget(kubeResources.configMap, "map")).toBeUndefined();
  }

  it("without Target fails, says what to do, and continues when the Target exists again", async () => {
    const scope = await open("target");
    await install(scope);
    await scope.delete(resources.target, "target");
    await scope.untilGone(resources.target, "target");
    const message = await fail(scope);
    expect(message).toContain(
      `Target ${scope.name}/target does not exist; create the Target again: the deletion then continues by itself`,
    );
    expect(message).toContain(`landscaper delete root -n ${scope.name} --without-uninstall`);
    await writeTarget(scope);
    await untilUninstalled(scope);
  });

  it("of a tree continues when the Target of a subinstallation exists again", async () => {
    const scope = await open("tree");
    const blueprint = {
      imports: [clusterImport],
      deployExecutions: deployItems(manifestItem({ manifests: [map(scope)] })),
    };
    const targets = [{ name: "cluster", target: "cluster" }];
    const subinstallations = [subInstallationTemplate({ name: "leaf", blueprint, imports: { targets } })];
    await scope.apply(
      inlineInstallation({
        name: "root",
        blueprint: { imports: [clusterImport], subinstallations },
        imports: { targets: [{ name: "cluster", target: "target" }] },
      }),
    );
    await scope.waitForPhase("root", "Succeeded");
    const item = [...(await scope.list(resources.deployItem))].at(0);
    const name = item?.spec.target?.name ?? "";
    const copy = await scope.get(resources.target, name);
    await scope.delete(resources.target, name);
    await fail(scope);
    const { spec, metadata } = copy;
    await scope.apply({
      apiVersion: copy.apiVersion,
      kind: copy.kind,
      metadata: { name, labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} },
      spec,
    });
    await untilUninstalled(scope);
  });

  it("without Secret fails, and continues when the Secret exists again", async () => {
    const scope = await open("secret");
    await install(scope);
    await scope.delete(kubeResources.secret, secretName);
    expect(await fail(scope)).toContain("create the Secret");
    await writeSecret(scope);
    await untilUninstalled(scope);
  });

  it("without a key of the Secret fails once, and continues when the Secret has it again", async () => {
    const scope = await open("key");
    await install(scope);
    const key = { namespace: scope.name, name: secretName };
    const body = { data: { kubeconfig: null } };
    await environment.client.patch(kubeResources.secret, key, { type: "merge", body });
    await fail(scope);
    const jobOf = async () => (await scope.get(resources.installation, "root")).status?.jobID;
    const failed = await jobOf();
    // A job of the deletion would begin before this one.
    const other = { ...map(scope), metadata: { ...map(scope).metadata, name: "other" } };
    const isOver = (found: Installation | undefined): boolean =>
      found?.status?.jobID !== undefined && !isJobOpen(found.status);
    await scope.apply(itemsInstallation([manifestItem({ manifests: [other] })], { name: "other" }));
    await scope.until(resources.installation, "other", isOver);
    expect(await jobOf()).toBe(failed);
    await writeSecret(scope);
    await untilUninstalled(scope);
  });

  it("stops uninstalling when delete-without-uninstall is set while it runs", async () => {
    const scope = await open("told");
    await install(scope);
    const { port } = new URL(environment.target.url);
    await writeSecret(scope, environment.targetKubeconfig.replaceAll(`:${port}`, ":1"));
    await scope.delete(resources.installation, "root");
    await scope.until(resources.installation, "root", (found) => found?.status?.phase === "Deleting");
    await scope.annotate(resources.installation, "root", { [annotations.deleteWithoutUninstall]: "true" });
    await scope.untilGone(resources.installation, "root");
    expect(await scope.findOnTarget(kubeResources.configMap, "map")).toBeDefined();
  });

  describe("with --cascade=orphan", () => {
    /** Returns the uid of the Execution that stays. */
    async function orphan(scope: TestNamespace): Promise<string | undefined> {
      const key = { namespace: scope.name, name: "root" };
      await environment.client.delete(resources.installation, key, { propagationPolicy: "Orphan" });
      await scope.untilGone(resources.installation, "root");
      expect(await scope.findOnTarget(kubeResources.configMap, "map")).toBeDefined();
      const { metadata } = await scope.execution("root");
      expect([metadata.ownerReferences ?? [], metadata.deletionTimestamp]).toEqual([[], undefined]);
      return metadata.uid;
    }

    it("uninstalls nothing, and the next Installation of that name takes the Execution back", async () => {
      const scope = await open("orphan");
      await install(scope);
      const uid = await orphan(scope);
      await install(scope);
      expect((await scope.execution("root")).metadata.uid).toBe(uid);
      await scope.delete(resources.installation, "root");
      await untilUninstalled(scope);
    });

    it("leaves an Execution whose own deletion uninstalls", async () => {
      const scope = await open("execution");
      await install(scope);
      await orphan(scope);
      await scope.delete(resources.execution, "root");
      await scope.untilGone(resources.execution, "root");
      expect(await scope.findOnTarget(kubeResources.configMap, "map")).toBeUndefined();
    });
  });
});
