import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { annotations, kubeResources, operations, resources } from "@landscaper/api";
import { configMapItem } from "../src/installations/config-map-item.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import {
  clusterImport,
  dataObject,
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
} from "../src/installations/inline-installation.ts";
import { playedType, removeFinalizer, waitForJob, writePhase } from "@landscaper/testkit";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { subInstallationTemplate, waitForSubInstallation } from "../src/installations/sub-installations.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const text = { type: "string" };
const playedItem = { name: "item", type: playedType, config: { apiVersion: "test/v1", kind: "Nothing" } };
const played = { deployExecutions: deployItems(playedItem) };

/** Name of the only item of the root, when it has a job. */
async function workingItem(scope: TestNamespace): Promise<string> {
  const isAtWork = (phase: string | undefined): boolean => phase === "Progressing" || phase === "Deleting";
  await scope.until(resources.execution, "root", (found) => isAtWork(found?.status?.phase));
  const name = (await scope.deployItems("root")).get("item")?.metadata.name ?? "";
  await waitForJob(scope, name);
  return name;
}

async function annotate(scope: TestNamespace, own: Record<string, string>): Promise<void> {
  const key = { namespace: scope.name, name: "root" };
  const body = { metadata: { annotations: own } };
  await scope.environment.client.patch(resources.installation, key, { type: "merge", body });
}

const interrupt = { [annotations.operation]: operations.interrupt };

describe.each(clustersUnderTest())("operations on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
  });
  afterAll(async () => environment.stop());

  /** A root with one ConfigMap on the target. */
  const withConfigMap = (value: string): UnstructuredObject =>
    inlineInstallation({
      name: "root",
      blueprint: {
        imports: [clusterImport, dataParameter("namespace", text)],
        deployExecutions: goTemplate(
          `deployItems:${configMapItem({ name: "deployed", data: { value }, updateOnChangeOnly: true })}`,
        ),
      },
      imports: {
        targets: [{ name: "cluster", target: "target" }],
        data: [{ name: "namespace", dataRef: "namespace" }],
      },
    });

  it("scenario 19: updateOnChangeOnly leaves alone what is rendered alike", async () => {
    const scope = await environment.namespace("on-change-only");
    await scope.apply(scope.target("target"), dataObject("namespace", scope.targetNamespace), withConfigMap("one"));
    await scope.waitForPhase("root", "Succeeded");
    const itemOf = async () => (await scope.deployItems("root")).get("item");
    const first = await itemOf();
    const key = { namespace: scope.targetNamespace, name: "deployed" };
    await environment.targetClient.delete(kubeResources.configMap, key);
    // Times have whole seconds: the next one is later than this in any case.
    const long = "2020-01-01T00:00:00Z";
    const item = await scope.get(resources.deployItem, first?.metadata.name ?? "");
    await environment.client.updateStatus(resources.deployItem, {
      ...item,
      status: { ...item.status, lastReconcileTime: long },
    });

    await scope.trigger("root");
    const root = await scope.waitForPhase("root", "Succeeded");
    expect(await scope.findOnTarget(kubeResources.configMap, "deployed")).toBeUndefined();
    const second = await itemOf();
    expect(second?.metadata.generation).toBe(first?.metadata.generation);
    expect(second?.status).toMatchObject({ phase: "Succeeded", jobIDFinished: root.status?.jobID });
    expect((second?.status?.lastReconcileTime ?? "") > long).toBe(true);

    await scope.apply(withConfigMap("two"));
    await scope.waitForPhase("root", "Succeeded");
    expect((await scope.findOnTarget(kubeResources.configMap, "deployed"))?.data).toEqual({ value: "two" });
    expect((await itemOf())?.metadata.generation).toBe((first?.metadata.generation ?? 0) + 1);
  });

  describe("scenario 20: the interrupt annotation", () => {
    it("ends a job that hangs, and a new one works", async () => {
      const scope = await environment.namespace("interrupt");
      await scope.apply(inlineInstallation({ name: "root", blueprint: played }));
      const item = await workingItem(scope);
      await annotate(scope, interrupt);
      const root = await scope.waitForPhase("root", "Failed");
      const execution = await scope.execution("root");
      const interrupted = await scope.get(resources.deployItem, item);
      expect(interrupted.status).toMatchObject({
        phase: "Failed",
        lastError: { reason: "InterruptOperation", message: "operation was interrupted" },
      });
      expect(execution.status?.phase).toBe("Failed");
      expect(execution.metadata.annotations?.[annotations.operation]).toBeUndefined();
      expect(root.metadata.annotations?.[annotations.operation]).toBeUndefined();
      const jobs = [root, execution, interrupted].flatMap(({ status }) => [status?.jobID, status?.jobIDFinished]);
      expect(new Set(jobs)).toEqual(new Set([root.status?.jobID]));

      await scope.trigger("root");
      await scope.until(resources.execution, "root", (found) => found?.status?.jobID !== root.status?.jobID);
      await writePhase(scope, await workingItem(scope), "Succeeded");
      await scope.waitForPhase("root", "Succeeded");
    });

    it("reaches nested Installations", async () => {
      const scope = await environment.namespace("interrupt-nested");
      const nested = subInstallationTemplate({ name: "nested", blueprint: played });
      await scope.apply(inlineInstallation({ name: "root", blueprint: { subinstallations: [nested] } }));
      const sub = await waitForSubInstallation(scope, "root", "nested");
      await scope.until(resources.execution, sub, (found) => found?.status?.phase === "Progressing");
      const item = (await scope.deployItems(sub)).get("item")?.metadata.name ?? "";
      await waitForJob(scope, item);
      await annotate(scope, interrupt);
      const root = await scope.waitForPhase("root", "Failed");
      const tree = [
        await scope.get(resources.installation, sub),
        await scope.execution(sub),
        await scope.get(resources.deployItem, item),
      ];
      const ends = tree.map(({ status }) => [status?.phase, status?.jobID, status?.jobIDFinished]);
      expect(ends).toEqual(tree.map(() => ["Failed", root.status?.jobID, root.status?.jobID]));
      expect(root.status?.lastError?.message).toContain("operation was interrupted");
    });

    it("ends a deletion that hangs, which can be tried again", async () => {
      const scope = await environment.namespace("interrupt-deletion");
      await scope.apply(inlineInstallation({ name: "root", blueprint: played }));
      await writePhase(scope, await workingItem(scope), "Succeeded");
      await scope.waitForPhase("root", "Succeeded");
      await scope.delete(resources.installation, "root");
      const item = await workingItem(scope);
      await annotate(scope, interrupt);
      await scope.waitForPhase("root", "DeleteFailed");
      expect((await scope.get(resources.deployItem, item)).status?.phase).toBe("DeleteFailed");
      expect((await scope.execution("root")).status?.phase).toBe("DeleteFailed");

      await scope.trigger("root");
      await removeFinalizer(scope, await workingItem(scope));
      await scope.untilGone(resources.installation, "root");
    });
  });

  it("scenario 21: delete-without-uninstall needs no deployer, and leaves what the tree has deployed", async () => {
    const scope = await environment.namespace("without-uninstall");
    const parameters = [clusterImport, dataParameter("namespace", text)];
    const imports = {
      targets: [{ name: "cluster", target: "cluster" }],
      data: [{ name: "namespace", dataRef: "namespace" }],
    };
    const deploying = (name: string) => ({
      imports: parameters,
      deployExecutions: goTemplate(`deployItems:${configMapItem({ name, data: { value: "kept" } })}`),
    });
    const nested = subInstallationTemplate({ name: "nested", blueprint: deploying("of-nested"), imports });
    const tree = inlineInstallation({
      name: "root",
      blueprint: { ...deploying("of-root"), subinstallations: [nested] },
      imports: { ...imports, targets: [{ name: "cluster", target: "target" }] },
    });
    await scope.apply(scope.target("target"), dataObject("namespace", scope.targetNamespace), tree);
    await scope.waitForPhase("root", "Succeeded");
    const deployer = environment.service("manifest-deployer");
    await deployer.stop();
    try {
      await annotate(scope, { [annotations.deleteWithoutUninstall]: "true" });
      await scope.delete(resources.installation, "root");
      await scope.untilGone(resources.installation, "root");
      expect(await scope.list(resources.installation)).toEqual([]);
      expect(await scope.list(resources.execution)).toEqual([]);
      expect(await scope.list(resources.deployItem)).toEqual([]);
    } finally {
      await deployer.start();
    }
    const left = ["of-root", "of-nested"].map((name) => scope.findOnTarget(kubeResources.configMap, name));
    expect((await Promise.all(left)).map((object) => object?.data)).toEqual([{ value: "kept" }, { value: "kept" }]);
  });

  describe("scenario 23: a change while a job runs", () => {
    const withImport = { imports: [dataParameter("value", text)], ...played };
    const imports = { data: [{ name: "value", dataRef: "value" }] };
    const of = (spec: Record<string, unknown> = {}, triggered = true): UnstructuredObject =>
      inlineInstallation({ name: "root", blueprint: withImport, imports, spec, triggered });
    const otherSpec = { optimization: { hasNoSiblingImports: true } };

    it("of its spec fails it", async () => {
      const scope = await environment.namespace("spec-changes");
      await scope.apply(dataObject("value", "one"), of());
      const item = await workingItem(scope);
      await scope.apply(of(otherSpec, false));
      await writePhase(scope, item, "Succeeded");
      const failed = await scope.waitForPhase("root", "Failed");
      expect(failed.status?.lastError?.reason).toBe("CheckObservedGeneration");
    });

    it("of an import fails it", async () => {
      const scope = await environment.namespace("import-changes");
      await scope.apply(dataObject("value", "one"), of());
      const item = await workingItem(scope);
      await scope.apply(dataObject("value", "two"));
      await writePhase(scope, item, "Succeeded");
      const failed = await scope.waitForPhase("root", "Failed");
      expect(failed.status?.lastError?.reason).toBe("CheckImportsHash");
    });

    it("of its spec starts another one with reconcile-if-changed", async () => {
      const scope = await environment.namespace("if-changed");
      await scope.apply(dataObject("value", "one"), of());
      const first = await workingItem(scope);
      const { status } = await scope.get(resources.installation, "root");
      await annotate(scope, { [annotations.reconcileIfChanged]: "true" });
      await scope.apply(of(otherSpec, false));
      await writePhase(scope, first, "Succeeded");
      await scope.until(resources.installation, "root", (found) => found?.status?.jobID !== status?.jobID);
      await writePhase(scope, await workingItem(scope), "Succeeded");
      await scope.waitForPhase("root", "Succeeded");
    });
  });
});
