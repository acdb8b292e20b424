// An in-process Kubernetes API over HTTPS for demos, planning and tests.
export { createCertificateAuthority } from "./certificates/certificate-authority.ts";
export type { CertificateAuthority, Credentials } from "./certificates/certificate-authority.ts";
export type { Fault, FaultRequest, FaultRule } from "./cluster/faults.ts";
export type { ClusterClock, LocalCluster, LocalClusterOptions } from "./cluster/local-cluster.ts";
export { makeKubeconfig } from "./cluster/make-kubeconfig.ts";
export type { KubeconfigFields } from "./cluster/make-kubeconfig.ts";
export { startLocalCluster } from "./cluster/start-local-cluster.ts";
export type { SimulationOptions } from "./simulation/simulation-options.ts";
