import { compareStrings } from "@landscaper/goyaml";

/** Kinds in the order in which objects are written; those not named come after all of them. */
export type KindOrder = readonly string[];

/** Helm v3's order of installing: what others need comes first. */
export const installOrder: KindOrder = [
  "PriorityClass",
  "Namespace",
  "NetworkPolicy",
  "ResourceQuota",
  "LimitRange",
  "PodSecurityPolicy",
  "PodDisruptionBudget",
  "ServiceAccount",
  "Secret",
  "SecretList",
  "ConfigMap",
  "StorageClass",
  "PersistentVolume",
  "PersistentVolumeClaim",
  "CustomResourceDefinition",
  "ClusterRole",
  "ClusterRoleList",
  "ClusterRoleBinding",
  "ClusterRoleBindingList",
  "Role",
  "RoleList",
  "RoleBinding",
  "RoleBindingList",
  "Service",
  "DaemonSet",
  "Pod",
  "ReplicationController",
  "ReplicaSet",
  "Deployment",
  "HorizontalPodAutoscaler",
  "StatefulSet",
  "Job",
  "CronJob",
  "IngressClass",
  "Ingress",
  "APIService",
];

/** Helm v3's order of uninstalling; Services go before the workloads behind them, other than in the order of installing. */
export const uninstallOrder: KindOrder = [
  "APIService",
  "Ingress",
  "IngressClass",
  "Service",
  "CronJob",
  "Job",
  "StatefulSet",
  "HorizontalPodAutoscaler",
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "Pod",
  "DaemonSet",
  "RoleBindingList",
  "RoleBinding",
  "RoleList",
  "Role",
  "ClusterRoleBindingList",
  "ClusterRoleBinding",
  "ClusterRoleList",
  "ClusterRole",
  "CustomResourceDefinition",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "StorageClass",
  "ConfigMap",
  "SecretList",
  "Secret",
  "ServiceAccount",
  "PodDisruptionBudget",
  "PodSecurityPolicy",
  "LimitRange",
  "ResourceQuota",
  "NetworkPolicy",
  "Namespace",
  "PriorityClass",
];

/** A copy in the order of kinds; unknown kinds last, by name. Objects of one kind keep their order. */
export function sortByKind<T extends { readonly kind: string }>(objects: readonly T[], order: KindOrder): T[] {
  const ranks = new Map(order.map((kind, index) => [kind, index]));
  const rankOf = (kind: string): number => ranks.get(kind) ?? order.length;
  return objects.toSorted((a, b) => {
    const difference = rankOf(a.kind) - rankOf(b.kind);
    if (difference !== 0 || ranks.has(a.kind) || a.kind === b.kind) return difference;
    return compareStrings(a.kind, b.kind);
  });
}
