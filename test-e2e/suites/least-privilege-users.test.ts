// What the roles for users allow in a namespace, beside those of Kubernetes that they are aggregated to.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kinds, kubeResources, resources, userRightsFiles, type KubeObject, type ResourceType } from "@landscaper/api";
import { createClient, isForbidden, type Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { rulesOf } from "../src/clusters/limited-account.ts";
import { rbacGroup, rbacType } from "../src/clusters/rbac-type.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { requestToken } from "../src/clusters/service-token.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";

const namespace = "team";
const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const blueprint = { inline: { filesystem: { "blueprint.yaml": "{}" } } };

describe.each(clustersUnderTest())("users with a role for Landscaper on %s", (name) => {
  let cluster: TestCluster;
  const users = new Map<string, Client>();
  const user = (role: string): Client => {
    const found = users.get(role);
    if (found === undefined) throw new Error(`there is no user with the role ${role}`);
    return found;
  };
  beforeAll(async () => {
    cluster = await startTestCluster(name);
    const { client, url, ca } = cluster;
    await client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    for (const { holder, rights } of userRightsFiles) {
      const rbacVersion = `${rbacGroup}/v1`;
      const role = { apiVersion: rbacVersion, kind: "ClusterRole", metadata: { name: holder }, rules: rulesOf(rights) };
      await client.create<KubeObject>(rbacType("ClusterRole"), role);
      const binding = {
        apiVersion: rbacVersion,
        kind: "RoleBinding",
        metadata: { name: holder, namespace },
        roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: holder },
        subjects: [{ kind: "ServiceAccount", name: holder, namespace }],
      };
      await client.create<KubeObject>(rbacType("RoleBinding"), binding);
      const account: KubeObject = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: holder, namespace } };
      await client.create(kubeResources.serviceAccount, account);
      const token = await requestToken(client, { namespace, name: holder });
      const one = createClient({ connection: { server: url, ca, token }, userAgent: holder });
      users.set(holder.replace("landscaper-", ""), one);
      await waitFor(async () => await may(one.list(resources.installation, { namespace })));
    }
  });
  afterAll(async () => {
    await Promise.all([...users.values()].map(async (one) => one.close()));
    await cluster.stop();
  });

  /** Whether the API server lets the user do it, whatever comes of it. */
  async function may(request: Promise<unknown>): Promise<boolean> {
    try {
      await request;
      return true;
    } catch (error) {
      return !isForbidden(error);
    }
  }

  const namespaced = kinds.filter(({ type }) => type.namespaced).map(({ type }): ResourceType => type);

  it("see as viewers what has no credentials and no secret values in it", async () => {
    const seen = await Promise.all(
      namespaced.map(async (type) => ((await may(user("view").list(type, { namespace }))) ? [type.kind] : [])),
    );
    const expected = ["Installation", "TargetSync", "Context", "ComponentVersionOverwrites"];
    expect(seen.flat().toSorted()).toEqual(expected.toSorted());
  });

  it("install and ask for jobs as editors, and see what the services make of it", async () => {
    const edit = user("edit");
    const metadata = { name: "shop", namespace };
    const installation = { apiVersion, kind: "Installation", metadata, spec: { blueprint } };
    await edit.create<KubeObject>(resources.installation, installation);
    const body = { metadata: { annotations: { "landscaper.gardener.cloud/operation": "reconcile" } } };
    await edit.patch(resources.installation, metadata, { type: "merge", body });
    for (const type of [resources.execution, resources.deployItem, resources.target, resources.dataObject]) {
      expect([type.kind, await may(edit.list<KubeObject>(type, { namespace }))]).toEqual([type.kind, true]);
    }
    await edit.delete(resources.installation, metadata);
  });

  it.each(["view", "edit", "admin"])("have as %s no right to a status, nor to Secrets", async (role) => {
    const one = user(role);
    const body = { status: { phase: "Succeeded" } };
    const patch = { type: "merge", subresource: "status", body } as const;
    for (const type of namespaced) {
      expect([type.kind, await may(one.patch(type, { namespace, name: "any" }, patch))]).toEqual([type.kind, false]);
    }
    expect(await may(one.list(kubeResources.secret, { namespace }))).toBe(false);
  });

  it("decide only as admins where Targets come from", async () => {
    const create = (role: string): Promise<unknown> =>
      user(role).create<KubeObject>(
        resources.targetSync,
        { apiVersion, kind: "TargetSync", metadata: { name: `by-${role}`, namespace } },
        { dryRun: true },
      );
    expect([await may(create("edit")), await may(create("admin"))]).toEqual([false, true]);
  });

  it("have no right in other namespaces", async () => {
    expect(await may(user("admin").list(resources.installation, { namespace: "default" }))).toBe(false);
  });
});
