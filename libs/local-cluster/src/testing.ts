// For tests of other packages.
export { startLocalCluster } from "./cluster/start-local-cluster.ts";
