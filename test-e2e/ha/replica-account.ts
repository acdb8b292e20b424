import type { KubeObject, ResourceType } from "@landscaper/api";
import { kubeResources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { readGuideExamples } from "../src/guide-examples.ts";
import { requestToken } from "../src/service-token.ts";

const group = "rbac.authorization.k8s.io";

function rbacType(kind: string): ResourceType {
  return { group, version: "v1", kind, plural: `${kind.toLowerCase()}s`, namespaced: !kind.startsWith("Cluster") };
}

export interface ReplicaAccount {
  readonly name: string;
  /** Of docs/guide/operations.md: its rights on Leases. */
  readonly example: string;
}

/** What services do beside Leases; this suite is not about it. */
const otherRules = ["", "apiextensions.k8s.io", "events.k8s.io", "landscaper.gardener.cloud"].map((apiGroup) => ({
  apiGroups: [apiGroup],
  resources: ["*"],
  verbs: ["*"],
}));

/**
 * The token of an account that has no other rights on Leases than those of the guide (an API server that asks for none lets it do
 * everything).
 */
export async function createReplicaToken(
  client: Client,
  namespace: string,
  { name, example }: ReplicaAccount = { name: "landscaper", example: "leases" },
): Promise<string> {
  const account = { namespace, name };
  const create = async (kind: string, object: Record<string, unknown>): Promise<void> => {
    const type = rbacType(kind);
    const metadata = { name: `${namespace}-${name}`, ...(type.namespaced ? { namespace } : {}) };
    await client.create(type, { apiVersion: `${group}/v1`, kind, metadata, ...object });
  };
  const roleRef = { apiGroup: group, kind: "ClusterRole", name: `${namespace}-${name}` };
  await client.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata: account });
  await create("ClusterRole", { rules: otherRules });
  await create("ClusterRoleBinding", { roleRef, subjects: [{ kind: "ServiceAccount", ...account }] });
  for (const object of readGuideExamples("operations.md").load(example, { namespace }) satisfies KubeObject[]) {
    await client.create(rbacType(object.kind), object);
  }
  return requestToken(client, account);
}
