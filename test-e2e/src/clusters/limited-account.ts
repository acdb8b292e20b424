import { kubeResources, serviceRightsFiles, type KubeObject, type Right } from "@landscaper/api";
import { isConflict, type Client } from "@landscaper/controller-runtime";
import { rbacGroup, rbacType } from "./rbac-type.ts";
import { requestToken } from "./service-token.ts";

interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** An account with the rights of a chart in all namespaces, of which single ones can be taken away and given back. */
export interface LimitedAccount {
  readonly token: string;
  /** As the API server calls it. */
  readonly user: string;
  /** Takes the verbs on the resource away, and restores what was taken before. */
  limit(taken: TakenRight | undefined): Promise<void>;
}

export interface TakenRight {
  readonly resource: string;
  readonly verbs: readonly string[];
}

/** As RBAC has them. Pure. */
export function rulesOf(rights: readonly Right[]): PolicyRule[] {
  return rights.map(({ group, resources, verbs, resourceNames }) => ({
    apiGroups: [group],
    resources,
    verbs,
    ...(resourceNames === undefined ? {} : { resourceNames }),
  }));
}

/** Without what is taken. Pure. */
export function rulesWithout(rules: readonly PolicyRule[], taken: TakenRight | undefined): PolicyRule[] {
  return rules
    .flatMap((rule) => rule.resources.map((resource) => ({ ...rule, resources: [resource] })))
    .map((rule) =>
      taken === undefined || !rule.resources.includes(taken.resource)
        ? rule
        : { ...rule, verbs: rule.verbs.filter((verb) => !taken.verbs.includes(verb)) },
    )
    .filter(({ verbs }) => verbs.length > 0);
}

/** Its requests are in no audit log: what the API server refuses to it is what a suite is about. */
export async function createLimitedAccount(
  client: Client,
  { namespace, chart }: { readonly namespace: string; readonly chart: string },
  taken?: TakenRight,
): Promise<LimitedAccount> {
  const account = { namespace, name: chart };
  const name = `${namespace}-${chart}`;
  const files = serviceRightsFiles.filter((file) => file.holder === chart);
  const rules = rulesOf(files.flatMap(({ rights }) => rights));
  const role = (limit: TakenRight | undefined) => ({ rules: rulesWithout(rules, limit) });
  const create = async (kind: string, fields: object): Promise<void> => {
    const object: KubeObject = { apiVersion: `${rbacGroup}/v1`, kind, metadata: { name }, ...fields };
    await client.create(rbacType(kind), object);
  };
  await client.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata: account });
  await create("ClusterRole", role(taken));
  await create("ClusterRoleBinding", {
    roleRef: { apiGroup: rbacGroup, kind: "ClusterRole", name },
    subjects: [{ kind: "ServiceAccount", ...account }],
  });
  return {
    token: await requestToken(client, account),
    user: `system:serviceaccount:${namespace}:${chart}`,
    async limit(limit) {
      for (;;) {
        try {
          await client.patch(rbacType("ClusterRole"), { name }, { type: "merge", body: role(limit) });
          return;
        } catch (error) {
          if (!isConflict(error)) throw error;
        }
      }
    },
  };
}
