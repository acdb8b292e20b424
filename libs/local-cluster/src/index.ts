// An in-process Kubernetes API over HTTPS for demos, planning and tests.
export type { Fault, FaultRequest, FaultRule } from "./cluster/faults.ts";
export type { ClusterClock, LocalCluster, LocalClusterOptions } from "./cluster/local-cluster.ts";
export { startLocalCluster } from "./cluster/start-local-cluster.ts";
export type { SimulationOptions } from "./simulation/simulation-options.ts";
