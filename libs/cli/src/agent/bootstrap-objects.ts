import {
  agentAccountName,
  agentDeployerRights,
  agentEnvironmentRights,
  kubeResources,
  labels,
  leaseRights,
  policyRulesOf,
  type KubeObject,
  type PolicyRule,
  type ResourceType,
  type Right,
} from "@landscaper/api";

/** An object of an agent on the landscaper cluster, with the fields that are put right when they differ. */
export interface BootstrapObject {
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly fields: readonly string[];
}

export interface BootstrapPlaces {
  readonly environment: string;
  /** Of the account. */
  readonly namespace: string;
  readonly leaseNamespace: string;
}

const rbacGroup = "rbac.authorization.k8s.io";

/** The account of an agent, and its rights: what its charts' rules/landscaper-*.yaml say (docs/reference/rights.md#landscaper-agent). */
export function buildBootstrapObjects({
  environment,
  namespace,
  leaseNamespace,
}: BootstrapPlaces): readonly BootstrapObject[] {
  const name = agentAccountName(environment);
  const marks = { [labels.deployerEnvironment]: environment };
  const account = {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { namespace, name, labels: marks },
    automountServiceAccountToken: false,
  };
  const roleOf = (place: string | undefined, rights: readonly Right[]): readonly KubeObject[] => {
    const kind = place === undefined ? "ClusterRole" : "Role";
    const rules = policyRulesOf(rights);
    const metadata = { name, labels: marks, ...(place === undefined ? {} : { namespace: place }) };
    const apiVersion = `${rbacGroup}/v1`;
    const roleRef = { apiGroup: rbacGroup, kind, name };
    const subjects = [{ kind: "ServiceAccount", name, namespace }];
    const role: KubeObject & { rules: readonly PolicyRule[] } = { apiVersion, kind, metadata, rules };
    const binding: KubeObject & { roleRef: object; subjects: readonly object[] } = {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      roleRef,
      subjects,
    };
    return [role, binding];
  };
  const types: Readonly<Record<string, ResourceType>> = {
    ClusterRole: kubeResources.clusterRole,
    ClusterRoleBinding: kubeResources.clusterRoleBinding,
    Role: kubeResources.role,
    RoleBinding: kubeResources.roleBinding,
  };
  const rbac = [
    ...roleOf(undefined, agentEnvironmentRights(environment)),
    ...(namespace === leaseNamespace
      ? roleOf(namespace, [...agentDeployerRights, ...leaseRights])
      : [...roleOf(namespace, agentDeployerRights), ...roleOf(leaseNamespace, leaseRights)]),
  ];
  return [
    { type: kubeResources.serviceAccount, object: account, fields: [] },
    ...rbac.flatMap((object) => {
      const type = types[object.kind];
      return type === undefined ? [] : [{ type, object, fields: ["rules", "roleRef", "subjects"] }];
    }),
  ];
}

/** The object as it is to be, over the one that is there; undefined when that is so already. Pure. */
export function mergeBootstrapObject(
  existing: KubeObject,
  { object, fields }: BootstrapObject,
): KubeObject | undefined {
  const differing = fields.filter((field) => textOf(existing, field) !== textOf(object, field));
  if (differing.length === 0) return undefined;
  return {
    ...existing,
    ...Object.fromEntries(differing.map((field) => [field, Reflect.get(object, field) as unknown])),
  };
}

function textOf(object: KubeObject, field: string): string {
  return JSON.stringify(Reflect.get(object, field) ?? null);
}
