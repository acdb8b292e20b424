import {
  deployerLeaseRoleName,
  deployerLeaseRules,
  deployerRoleName,
  deployerRules,
  environmentNamespaces,
  type ClusterRole,
  type Installation,
  type OwnerReference,
  type PolicyRule,
  type RoleBinding,
  type ServiceAccount,
} from "@landscaper/api";
import { nameOf, namespaceOf, uidOf } from "../../object-reading.ts";
import {
  accountName,
  namesOf,
  pairLabels,
  pairName,
  type DeployerManagementSettings,
  type Pair,
  type PairNames,
} from "../pair.ts";

const rbacGroup = "rbac.authorization.k8s.io";
const rbacVersion = `${rbacGroup}/v1`;

/** The owner reference with which an object disappears with the Installation. */
export function controllerReference({ apiVersion, kind, metadata }: Installation): OwnerReference {
  const { name = "", uid = "" } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** The account of a deployer on the landscaper cluster. */
export function buildServiceAccount(installation: Installation, names: PairNames): ServiceAccount {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: {
      name: accountName(names),
      namespace: namespaceOf(installation),
      labels: pairLabels(names),
      ownerReferences: [controllerReference(installation)],
    },
    // Only TokenRequests give tokens of it.
    automountServiceAccountToken: false,
  };
}

function buildClusterRole(name: string, rules: readonly PolicyRule[]): ClusterRole {
  return { apiVersion: rbacVersion, kind: "ClusterRole", metadata: { name }, rules: [...rules] };
}

/** The two roles that all managed deployers share. */
export const sharedRoles: readonly ClusterRole[] = [
  buildClusterRole(deployerRoleName, deployerRules),
  buildClusterRole(deployerLeaseRoleName, deployerLeaseRules),
];

function bind(role: string, names: PairNames, settings: DeployerManagementSettings): Omit<RoleBinding, "kind"> {
  const name = pairName(names);
  return {
    apiVersion: rbacVersion,
    metadata: { name, labels: pairLabels(names) },
    roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name: role },
    subjects: [{ kind: "ServiceAccount", name: accountName(names), namespace: settings.namespace }],
  };
}

/** Rights of a deployer in all namespaces. */
export function buildClusterRoleBinding(names: PairNames, settings: DeployerManagementSettings): RoleBinding {
  return { ...bind(deployerRoleName, names, settings), kind: "ClusterRoleBinding" };
}

/** Rights of a deployer in one namespace that its Environment names: by the name of the account, because that of the pair is the binding for Leases. */
function buildNamespaceBinding(names: PairNames, settings: DeployerManagementSettings, namespace: string): RoleBinding {
  const { metadata, ...binding } = bind(deployerRoleName, names, settings);
  return { ...binding, kind: "RoleBinding", metadata: { ...metadata, name: accountName(names), namespace } };
}

/** Rights of a deployer in the namespace of Leases. */
function buildLeaseBinding(names: PairNames, settings: DeployerManagementSettings): RoleBinding {
  const { metadata, ...binding } = bind(deployerLeaseRoleName, names, settings);
  return { ...binding, kind: "RoleBinding", metadata: { ...metadata, namespace: settings.leaseNamespace } };
}

/** All bindings of a deployer: in every namespace or in those that its Environment names, and in that of Leases. */
export function buildBindings(pair: Pair, settings: DeployerManagementSettings): readonly RoleBinding[] {
  const names = namesOf(pair);
  const rights = environmentNamespaces(pair.environment.spec)?.map((namespace) =>
    buildNamespaceBinding(names, settings, namespace),
  );
  return [...(rights ?? [buildClusterRoleBinding(names, settings)]), buildLeaseBinding(names, settings)];
}

/** Whether the binding is one that we have made, and so one that we may delete. */
export function isDeployerBinding({ roleRef }: RoleBinding): boolean {
  return roleRef.name === deployerRoleName || roleRef.name === deployerLeaseRoleName;
}

/** Whether an object belongs to this very Installation. */
export function isControlledBy({ metadata }: { readonly metadata: Installation["metadata"] }, owner: Installation) {
  const controller = metadata.ownerReferences?.find((reference) => reference.controller === true);
  return controller?.uid === uidOf(owner) && controller.name === nameOf(owner);
}
