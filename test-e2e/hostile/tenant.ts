import type { KubeObject } from "@landscaper/api";
import { kubeResources } from "@landscaper/api";
import { type Client, createClient } from "@landscaper/controller-runtime";
import { createKubeconfig } from "@landscaper/testkit";
import { rbacGroup, rbacType } from "../src/clusters/rbac-type.ts";
import { requestToken } from "../src/clusters/service-token.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";

/** Who the security model protects others from: all rights on Landscaper's kinds, Secrets, and ConfigMaps in one namespace, and no others. */
export interface Tenant {
  readonly namespace: string;
  readonly token: string;
  readonly kubeconfig: string;
  /** What it sends is refused with 403 outside of the tenant's rights. */
  readonly client: Client;
  close(): Promise<void>;
}

const name = "tenant";

/** "*" covers the status subresources, too. */
const rules = [
  { apiGroups: ["landscaper.gardener.cloud"], resources: ["*"], verbs: ["*"] },
  { apiGroups: [""], resources: ["secrets", "configmaps"], verbs: ["*"] },
];

/** A tenant of a namespace that is there; both API servers enforce its rights. Call `close` in the end. */
export async function createTenant(hub: TestCluster, namespace: string): Promise<Tenant> {
  const account = { namespace, name };
  const create = async (kind: "Role" | "RoleBinding", object: Record<string, unknown>): Promise<void> => {
    const body: KubeObject = { apiVersion: `${rbacGroup}/v1`, kind, metadata: account, ...object };
    await hub.client.create(rbacType(kind), body);
  };
  await hub.client.create(kubeResources.serviceAccount, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: account,
  });
  await create("Role", { rules });
  await create("RoleBinding", {
    roleRef: { apiGroup: rbacGroup, kind: "Role", name },
    subjects: [{ kind: "ServiceAccount", ...account }],
  });
  const token = await requestToken(hub.client, account);
  const client = createClient({
    connection: { server: hub.url, ca: hub.ca, token },
    userAgent: "landscaper-e2e-tenant",
  });
  return {
    namespace,
    token,
    kubeconfig: createKubeconfig({ name, server: hub.url, ca: hub.ca, user: { token } }),
    client,
    close: async () => client.close(),
  };
}
