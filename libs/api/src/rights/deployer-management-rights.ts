import { groupName } from "../objects/api-group.ts";
import type { PolicyRule } from "../objects/foreign-kinds.ts";
import { boundsRights } from "./core-rights.ts";
import {
  containerDeployerRights,
  helmDeployerRights,
  leaseRights,
  manifestDeployerRights,
  mockDeployerRights,
} from "./deployer-rights.ts";
import type { Right } from "./right.ts";

/** ClusterRole with what a deployer does on the landscaper cluster (docs/reference/deployer-management.md#objects). */
export const deployerRoleName = "landscaper:deployer";
/** ClusterRole with what a deployer does in the namespace of the Leases of all deployers. */
export const deployerLeaseRoleName = "landscaper:deployer-leases";

const rbac = "rbac.authorization.k8s.io";

/** Rights that are common to our deployers, and those that one of them needs: one rule for each group and resource. */
function toPolicyRules(rights: readonly Right[]): readonly PolicyRule[] {
  const verbsOf = new Map<string, Set<string>>();
  for (const { group, resources, verbs } of rights) {
    for (const resource of resources) {
      const key = `${group}/${resource}`;
      const known = verbsOf.get(key) ?? new Set();
      for (const verb of verbs) known.add(verb);
      verbsOf.set(key, known);
    }
  }
  return [...verbsOf].map(([key, verbs]) => {
    const [group = "", ...resource] = key.split("/");
    return { apiGroups: [group], resources: [resource.join("/")], verbs: [...verbs] };
  });
}

/** Rules of the ClusterRole of all managed deployers: those that our own deployers need. */
export const deployerRules: readonly PolicyRule[] = toPolicyRules([
  ...manifestDeployerRights,
  ...helmDeployerRights,
  ...containerDeployerRights,
  ...mockDeployerRights,
]);
export const deployerLeaseRules: readonly PolicyRule[] = toPolicyRules(leaseRights);

/** What the core does for DeployerRegistrations and Environments, in all namespaces of the landscaper cluster. */
export const deployerManagementRights: readonly Right[] = [
  {
    group: groupName,
    resources: ["environments", "deployerregistrations"],
    verbs: ["get", "list", "watch", "patch"],
    why: "Learns which deployers belong into which cluster; adds and removes the finalizer of deployer management.",
  },
  {
    group: groupName,
    resources: ["deployerregistrations"],
    verbs: ["create", "update"],
    why: "Registers the deployers that its configuration names.",
  },
  {
    group: groupName,
    resources: ["environments/status", "deployerregistrations/status"],
    verbs: ["patch"],
    why: "Writes how the deployers are.",
  },
  {
    group: groupName,
    resources: ["targets"],
    verbs: ["patch"],
    why: "Removes the finalizer of the Target of an Environment's host, when no deployer has to be uninstalled by it.",
  },
  {
    group: "",
    resources: ["serviceaccounts"],
    verbs: ["get", "list", "watch", "create"],
    why: "Makes an account for each deployer of each Environment.",
  },
  {
    group: rbac,
    resources: ["clusterroles"],
    verbs: ["create"],
    why: "Makes the two roles of deployers. Rights to create objects cannot be restricted by name.",
  },
  {
    group: rbac,
    resources: ["clusterroles"],
    resourceNames: [deployerRoleName, deployerLeaseRoleName],
    verbs: ["list", "watch", "update"],
    why: "Keeps their rules as this release needs them.",
  },
  {
    group: rbac,
    resources: ["roles"],
    verbs: ["get", "list", "watch", "create", "update", "delete"],
    why: "Lists in one Role for each Environment the Secrets that its agent may read.",
  },
  {
    group: rbac,
    resources: ["clusterrolebindings", "rolebindings"],
    verbs: ["get", "list", "watch", "create", "update", "delete"],
    why: "Gives the accounts of deployers these roles, and takes them away when a deployer is removed. Kubernetes lets nobody grant more than they have.",
  },
  {
    group: rbac,
    resources: ["rolebindings"],
    verbs: ["patch"],
    why: "Keeps the RoleBindings of deployers while DeployItems use them.",
  },
  {
    group: "coordination.k8s.io",
    resources: ["leases"],
    verbs: ["list", "watch"],
    why: "Learns by the Leases of agents whether Environments are reachable. It grants these rights to deployers, too, in the namespace of their Leases.",
  },
  {
    group: "coordination.k8s.io",
    resources: ["leases"],
    isPassedOn: true,
    verbs: ["get", "create", "update", "delete"],
    why: "Not used by the core itself: it grants these rights to deployers, in the namespace of their Leases.",
  },
  ...boundsRights,
];
