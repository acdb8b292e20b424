import { groupName } from "../objects/api-group.ts";
import { agentNames } from "../objects/agent-names.ts";
import type { PolicyRule } from "../objects/foreign-kinds.ts";
import type { Right } from "./right.ts";

const rbac = "rbac.authorization.k8s.io";

/**
 * Returns the rules of the Role with the Secrets that an agent may read. No names give no rules, because RBAC takes a rule
 * without names for a rule about all objects.
 */
export function agentSecretRules(names: readonly string[]): readonly PolicyRule[] {
  if (names.length === 0) return [];
  return [{ apiGroups: [""], resources: ["secrets"], resourceNames: [...names], verbs: ["get"] }];
}

/** Rights of an agent whose host is the landscaper cluster. Administrators create the Environments of all other agents, by `landscaper agent bootstrap`. */
export const environmentCreationRights: readonly Right[] = [
  {
    group: groupName,
    resources: ["environments"],
    verbs: ["create"],
    why: "Only an agent of the landscaper cluster itself: creates its Environment. Rights to create objects cannot be restricted by name.",
  },
];

/** What the agent of an Environment does with it on the landscaper cluster. */
export function agentEnvironmentRights(environment: string): readonly Right[] {
  return [
    {
      group: groupName,
      resources: ["environments"],
      resourceNames: [environment],
      verbs: ["get", "list", "watch", "update"],
      why: "Keeps its Environment as its configuration says, and learns when that is deleted.",
    },
  ];
}

/** What the agent does on its host, in all namespaces. */
export function agentHostRights(environment: string): readonly Right[] {
  const { role } = agentNames(environment);
  return [
    {
      group: "",
      resources: ["namespaces"],
      resourceNames: ["kube-system"],
      verbs: ["get"],
      why: "Tells its cluster from others by the UID: a second agent with the same name is refused.",
    },
    {
      group: rbac,
      resources: ["clusterroles", "clusterrolebindings"],
      verbs: ["create"],
      why: "Gives the account that installs deployers its rights. Rights to create objects cannot be restricted by name.",
    },
    {
      group: rbac,
      resources: ["clusterroles"],
      resourceNames: [role],
      verbs: ["get", "update", "delete"],
      why: "Keeps this role, and removes it with the Environment.",
    },
    {
      group: rbac,
      resources: ["clusterroles"],
      resourceNames: [role],
      isPassedOn: true,
      verbs: ["escalate", "bind"],
      why: "Kubernetes lets nobody grant more than they have: this allows it for this role alone.",
    },
    {
      group: rbac,
      resources: ["clusterrolebindings"],
      resourceNames: [role],
      verbs: ["get", "update", "delete"],
      why: "Keeps this binding, and removes it with the Environment.",
    },
  ];
}

/** What the agent does in the namespace for deployers of its host. */
export function agentNamespaceRights(environment: string): readonly Right[] {
  const { account, accessSecret } = agentNames(environment);
  return [
    {
      group: "",
      resources: ["serviceaccounts", "secrets"],
      verbs: ["create"],
      why: "Makes the account that installs deployers, and the Secret with its kubeconfig.",
    },
    {
      group: "",
      resources: ["serviceaccounts"],
      resourceNames: [account],
      verbs: ["get", "delete"],
      why: "Looks whether the account is there, and removes it with the Environment.",
    },
    {
      group: "",
      resources: ["serviceaccounts/token"],
      resourceNames: [account],
      verbs: ["create"],
      why: "Asks for tokens of the account, and for new ones before they expire.",
    },
    {
      group: "",
      resources: ["secrets"],
      resourceNames: [accessSecret],
      verbs: ["get", "update", "delete"],
      why: "Reads and renews the kubeconfig of the account, and removes it with the Environment.",
    },
  ];
}
