import { clustersUnderTest, parseClusterNames } from "./selected-clusters.ts";

/** Why etcd cannot be put back here; undefined when it can. */
export function etcdAbsence(): string | undefined {
  if (!parseClusterNames(process.env["E2E_CLUSTERS"]).includes("real")) return "no etcd: the real cluster does not run";
  if (process.env["KUBECONFIG_E2E"] !== undefined) return "no etcd: the cluster is the user's";
  return clustersUnderTest().includes("real") ? undefined : "no etcd: the real cluster has its turn in another run";
}
