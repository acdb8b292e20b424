// An in-process Kubernetes API over HTTPS for demos, planning and tests.
export { createCertificateAuthority } from "./certificates/certificate-authority.ts";
export type { CertificateAuthority, Credentials } from "./certificates/certificate-authority.ts";
export type { Fault, FaultRequest, FaultRule } from "./cluster/faults.ts";
export type { ClusterClock, LocalCluster, LocalClusterOptions, Refusal } from "./cluster/local-cluster.ts";
export { makeKubeconfig } from "./cluster/make-kubeconfig.ts";
export type { KubeconfigFields } from "./cluster/make-kubeconfig.ts";
export { startLocalCluster } from "./cluster/start-local-cluster.ts";
// What a kubelet and a scheduler do to pods, for those who play them on a real API server.
export { fitsNode } from "./simulation/pod/schedule-pod.ts";
export { parsePodScript } from "./simulation/pod/pod-script.ts";
export { podStatus } from "./simulation/pod/pod-status.ts";
export { startPodRun, type PodRun } from "./simulation/pod/pod-run.ts";
export { nextPodStep, stopPod } from "./simulation/pod/step-pod.ts";
export { nodeLabels } from "./simulation/simulated-node.ts";
export { simulatedNode, simulationPrefix } from "./simulation/simulation-options.ts";
export type { SimulationOptions } from "./simulation/simulation-options.ts";
