// What the attacks of these suites start from: if a tenant had more rights than the model says, they would show nothing; with fewer, neither.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem, ResourceType } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import type { Tenant } from "../../hostile/tenant.ts";
import { createTenant } from "../../hostile/tenant.ts";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { dataObject } from "../../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";

const forbidden = { status: 403 };

describe.each(clustersUnderTest())("the rights of a tenant on %s", (cluster) => {
  let environment: Environment;
  let own: TestNamespace;
  let other: TestNamespace;
  let tenant: Tenant;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: [] });
    own = await environment.namespace("own");
    other = await environment.namespace("other");
    tenant = await createTenant(environment.hub, own.name);
  });
  afterAll(async () => {
    await tenant.close();
    await environment.stop();
  });

  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "secret" }, stringData: { key: "value" } };
  const item: DeployItem = {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item" },
    spec: { type: "landscaper.gardener.cloud/mock" },
  };

  it("are all rights in its namespace, status subresources included", async () => {
    const { client, namespace } = tenant;
    const place = { namespace, name: "item" };
    await client.create(kubeResources.secret, { ...secret, metadata: { ...secret.metadata, namespace } });
    const created = await client.create(resources.deployItem, { ...item, metadata: place });
    await client.updateStatus(resources.deployItem, {
      ...created,
      status: { observedGeneration: 0, phase: "Succeeded" },
    });
    expect((await client.get(resources.deployItem, place)).status?.phase).toBe("Succeeded");
    await client.delete(resources.deployItem, place);
    await client.delete(kubeResources.secret, { namespace, name: "secret" });
  });

  it("end at its namespace", async () => {
    await other.apply(secret, dataObject("data", 1));
    const { client } = tenant;
    const namespace = other.name;
    const attempts: readonly (readonly [ResourceType, string])[] = [
      [kubeResources.secret, "secret"],
      [resources.dataObject, "data"],
    ];
    for (const [type, name] of attempts) {
      await expect(client.get(type, { namespace, name })).rejects.toMatchObject(forbidden);
      await expect(client.list(type, { namespace })).rejects.toMatchObject(forbidden);
      await expect(client.list(type, {})).rejects.toMatchObject(forbidden);
      await expect(client.delete(type, { namespace, name })).rejects.toMatchObject(forbidden);
    }
  });

  it("leave out the roles, accounts and Leases of its own namespace", async () => {
    const { client, namespace } = tenant;
    await expect(client.list(kubeResources.serviceAccount, { namespace })).rejects.toMatchObject(forbidden);
    await expect(client.list(kubeResources.lease, { namespace })).rejects.toMatchObject(forbidden);
  });
});
