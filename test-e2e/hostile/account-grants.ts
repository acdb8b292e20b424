import type { KubeObject, PolicyRule } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { rbacGroup, rbacType } from "../src/clusters/rbac-type.ts";

interface Grant {
  readonly account: { readonly namespace: string; readonly name: string };
  /** Namespace of the rights; without a namespace, they apply in all namespaces. */
  readonly place: { readonly namespace?: string };
  readonly rules: readonly PolicyRule[];
  /** Name of the role and the binding. Default: the name of the account. */
  readonly role?: string;
}

/** Creates a role and its binding to the account. */
export async function grantRules(
  client: Client,
  { account, place, rules, role: name = account.name }: Grant,
): Promise<void> {
  const prefix = place.namespace === undefined ? "Cluster" : "";
  const base = { apiVersion: `${rbacGroup}/v1`, metadata: { name, ...place } };
  const role: KubeObject & { rules: unknown } = { ...base, kind: `${prefix}Role`, rules };
  const binding: KubeObject & { roleRef: unknown; subjects: unknown } = {
    ...base,
    kind: `${prefix}RoleBinding`,
    roleRef: { apiGroup: rbacGroup, kind: `${prefix}Role`, name },
    subjects: [{ kind: "ServiceAccount", ...account }],
  };
  for (const object of [role, binding]) await client.create(rbacType(object.kind), object);
}

/** Deletes the cluster-wide role and binding with the name of an account. The deletion of its namespace does not remove them. */
export async function deleteClusterRoles(client: Client, account: string): Promise<void> {
  for (const kind of ["ClusterRole", "ClusterRoleBinding"] as const) {
    await client.delete(rbacType(kind), { name: account });
  }
}
