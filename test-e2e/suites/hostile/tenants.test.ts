// What a tenant writes with all rights in one namespace, status subresources included, reaches nothing outside of it.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem, DeployItemStatus, UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { isConflict } from "@landscaper/controller-runtime";
import { createDeployerScope } from "@landscaper/deployer/testing";
import type { Tenant } from "../../hostile/tenant.ts";
import { createTenant } from "../../hostile/tenant.ts";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import {
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
} from "../../src/installations/inline-installation.ts";
import { itemConfig } from "../../src/items/item-scope.ts";
import { playedType, waitForJob } from "@landscaper/testkit";
import { resourceTypeOf } from "../../src/clusters/resource-type-of.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";

const playedItem = { name: "item", type: playedType, config: { apiVersion: "test/v1", kind: "Nothing" } };

/** Exports what the item exports as `value`, by the DataObject "stolen". */
const exporting = inlineInstallation({
  name: "root",
  blueprint: {
    exports: [dataParameter("value", {})],
    deployExecutions: deployItems(playedItem),
    exportExecutions: goTemplate('exports: { value: {{ index .deployitems "item" | toJson }} }'),
  },
  exports: { data: [{ name: "value", dataRef: "stolen" }] },
});

describe.each(clustersUnderTest())("a tenant on %s", (cluster) => {
  let environment: Environment;
  let victim: TestNamespace;
  const tenants: Tenant[] = [];
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
    victim = await environment.namespace("victim");
  });
  afterAll(async () => {
    await Promise.all(tenants.map(async (tenant) => tenant.close()));
    await environment.stop();
  });

  /** A namespace, and who has all rights in it. */
  async function openTenant(prefix: string): Promise<{ readonly own: TestNamespace; readonly tenant: Tenant }> {
    const own = await environment.namespace(prefix);
    const tenant = await createTenant(environment.hub, own.name);
    tenants.push(tenant);
    return { own, tenant };
  }

  /** Creates an object in the namespace of the tenant, as the tenant. */
  async function create(tenant: Tenant, object: UnstructuredObject): Promise<void> {
    const metadata = { ...object.metadata, namespace: tenant.namespace };
    await tenant.client.create(resourceTypeOf(object), { ...object, metadata });
  }

  /** Writes fields of the status of an item, as the tenant. */
  async function forgeStatus(tenant: Tenant, name: string, fields: DeployItemStatus): Promise<DeployItem> {
    for (;;) {
      const item = await tenant.client.get(resources.deployItem, { namespace: tenant.namespace, name });
      try {
        return await tenant.client.updateStatus(resources.deployItem, {
          ...item,
          status: { observedGeneration: 0, ...item.status, ...fields },
        });
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  it("reads no Secret of another namespace as export of a deploy item", async () => {
    const stringData = { config: '{"password":"of-the-victim"}' };
    await victim.apply({ apiVersion: "v1", kind: "Secret", metadata: { name: "credentials" }, stringData });
    const { own, tenant } = await openTenant("exports");
    const { namespace } = tenant;
    await create(tenant, exporting);
    await own.until(resources.execution, "root", (found) => found?.status?.phase === "Progressing");
    const name = (await own.deployItems("root")).get("item")?.metadata.name ?? "";
    const { status } = await waitForJob(own, name);
    const exportRef = { name: "credentials", namespace: victim.name };
    await forgeStatus(tenant, name, { phase: "Succeeded", jobIDFinished: status?.jobID ?? "", exportRef });
    const failed = await own.waitForPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toBe(
      `Execution is failed: deploy item "item": status.exportRef.namespace: expected "${namespace}", the namespace of the item, found "${victim.name}"`,
    );
    expect(await tenant.client.find(resources.dataObject, { namespace, name: "stolen" })).toBe(undefined);
    expect(await tenant.client.list(kubeResources.secret, { namespace })).toMatchObject({ items: [] });
  });

  describe("with credentials for the same target", () => {
    const by = (owner: string, namespace: string, hubNamespace: string) => ({
      type: "landscaper.gardener.cloud/kubernetes-manifest",
      target: { name: "cluster", namespace: hubNamespace },
      timeout: "2s",
      config: itemConfig([
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shared", namespace }, data: { by: owner } },
      ]),
    });

    it("neither writes nor deletes what an item of its name in another namespace has deployed", async () => {
      const { targetKubeconfig } = environment;
      const place = victim.targetNamespace;
      const timeoutMs = 60_000;
      const owner = createDeployerScope({
        hubClient: environment.client,
        targetKubeconfig,
        namespace: victim.name,
        timeoutMs,
      });
      await owner.createTarget();
      await owner.create({ name: "item", spec: { ...by("the victim", place, victim.name), timeout: "2m" } });
      const deployed = await owner.waitForEnd("item");
      expect(deployed.status?.phase).toBe("Succeeded");

      const { tenant } = await openTenant("inventory");
      const thief = createDeployerScope({
        hubClient: tenant.client,
        targetKubeconfig,
        namespace: tenant.namespace,
        timeoutMs,
      });
      await thief.createTarget();
      await thief.create({ name: "item", spec: by("the thief", place, tenant.namespace) });
      const failed = await thief.waitForEnd("item");
      expect(failed.status?.lastError?.message).toContain(
        `ConfigMap ${place}/shared belongs to deploy item ${victim.name}/item, by its annotation landscaper.gardener.cloud/owned-by`,
      );
      // Its own inventory, as if it had deployed the object.
      const { providerStatus } = deployed.status ?? {};
      await forgeStatus(tenant, "item", providerStatus === undefined ? {} : { providerStatus });
      await thief.remove("item");
      await thief.waitUntilGone("item");
      expect((await victim.findOnTarget(kubeResources.configMap, "shared"))?.data).toEqual({ by: "the victim" });

      await owner.remove("item");
      await owner.waitUntilGone("item");
      expect(await victim.findOnTarget(kubeResources.configMap, "shared")).toBe(undefined);
    });
  });
});
