import type { KubeObject, ResourceType } from "@landscaper/api";
import { kubeResources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { readGuideExamples } from "../src/guide-examples.ts";
import { requestToken } from "../src/service-token.ts";

const group = "rbac.authorization.k8s.io";

function rbacType(kind: string): ResourceType {
  return { group, version: "v1", kind, plural: `${kind.toLowerCase()}s`, namespaced: !kind.startsWith("Cluster") };
}

/** What a core does beside Leases; this suite is not about it. */
const otherRules = ["", "apiextensions.k8s.io", "events.k8s.io", "landscaper.gardener.cloud"].map((apiGroup) => ({
  apiGroups: [apiGroup],
  resources: ["*"],
  verbs: ["*"],
}));

/**
 * The token of an account that has no other rights on Leases than those of the guide (an API server that asks for none lets it do
 * everything).
 */
export async function createCoreToken(client: Client, namespace: string): Promise<string> {
  const account = { namespace, name: "landscaper" };
  const create = async (kind: string, object: Record<string, unknown>): Promise<void> => {
    const type = rbacType(kind);
    const metadata = { name: `${namespace}-core`, ...(type.namespaced ? { namespace } : {}) };
    await client.create(type, { apiVersion: `${group}/v1`, kind, metadata, ...object });
  };
  const roleRef = { apiGroup: group, kind: "ClusterRole", name: `${namespace}-core` };
  await client.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata: account });
  await create("ClusterRole", { rules: otherRules });
  await create("ClusterRoleBinding", { roleRef, subjects: [{ kind: "ServiceAccount", ...account }] });
  for (const object of readGuideExamples("operations.md").load("leases", { namespace }) satisfies KubeObject[]) {
    await client.create(rbacType(object.kind), object);
  }
  return requestToken(client, account);
}
