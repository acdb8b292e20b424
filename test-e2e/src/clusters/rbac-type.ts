import type { ResourceType } from "@landscaper/api";

export const rbacGroup = "rbac.authorization.k8s.io";

/** Of Role, ClusterRole, RoleBinding and ClusterRoleBinding. */
export function rbacType(kind: string): ResourceType {
  return {
    group: rbacGroup,
    version: "v1",
    kind,
    plural: `${kind.toLowerCase()}s`,
    namespaced: !kind.startsWith("Cluster"),
  };
}
