// A cluster on which the core has the rights that it asks for, and no others.
import {
  coreRights,
  deployerManagementRights,
  kubeResources,
  policyRulesOf,
  type EnvironmentSpec,
} from "@landscaper/api";
import type { EmbeddedCluster } from "@landscaper/testkit";

/** Gives the user `core` the rights of the core with deployer management. Resolves to its kubeconfig. */
export async function grantCoreRights({ client, server }: EmbeddedCluster): Promise<string> {
  const rbac = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: "core" } };
  const rules = [...policyRulesOf([...coreRights, ...deployerManagementRights])];
  await client.create(kubeResources.clusterRole, { ...rbac, kind: "ClusterRole", rules });
  await client.create(kubeResources.clusterRoleBinding, {
    ...rbac,
    kind: "ClusterRoleBinding",
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "core" },
    subjects: [{ kind: "User", name: "core" }],
  });
  return server.kubeconfigFor({ name: "core" });
}

/** Where the deployers of an Environment reach the cluster. */
export function connectionOf({ server: { url, caPem } }: EmbeddedCluster): EnvironmentSpec["landscaperClusterConfig"] {
  return { host: url, apiPath: "", caData: Buffer.from(caPem).toString("base64") };
}
