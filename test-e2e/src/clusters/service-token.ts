import type { KubeObject, ResourceType } from "@landscaper/api";
import { kubeResources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { ConnectionError, isAlreadyExists } from "@landscaper/controller-runtime";

/** Where the services have their accounts and Leases. */
export const harnessNamespace = "landscaper-e2e";
/** Of an account with all rights, for Targets; not beside those of the services, whose requests are audited. */
const admin = { name: "landscaper-e2e-admin", namespace: "landscaper-e2e-admin" };

const clusterRoleBinding: ResourceType = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
};

/** An API server closes connections that were idle for long, also while a request is on its way. */
const maxAttempts = 3;

/** Creates the object unless it is there; again when the answer was lost. */
export async function ensureObject<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.create(type, object);
      return;
    } catch (error) {
      if (isAlreadyExists(error)) return;
      if (!(error instanceof ConnectionError) || attempt === maxAttempts) throw error;
    }
  }
}

export async function ensureNamespace(client: Client, name: string): Promise<void> {
  await ensureObject(client, kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
}

export async function ensureHarnessNamespace(client: Client): Promise<void> {
  await ensureNamespace(client, harnessNamespace);
}

/** A token of an account with all rights, good for a day. */
export async function createAdminToken(client: Client): Promise<string> {
  await ensureNamespace(client, admin.namespace);
  await ensureObject(client, kubeResources.serviceAccount, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: admin,
  });
  const binding = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: admin.name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", ...admin }],
  };
  await ensureObject(client, clusterRoleBinding, binding);
  return requestToken(client, admin);
}

/** A token of a service account that is there, good for a day. */
export async function requestToken(
  client: Client,
  account: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const answer = await client.request({
    method: "POST",
    path: `/api/v1/namespaces/${account.namespace}/serviceaccounts/${account.name}/token`,
    body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 86_400 } },
  });
  const token: unknown = Reflect.get(Object(Reflect.get(Object(answer), "status")), "token");
  if (typeof token !== "string") throw new Error("the API server answered a TokenRequest without status.token");
  return token;
}
