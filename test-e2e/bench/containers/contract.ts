// The smallest lists of requests with which a deployer fulfils the contract of container items, for the two parts of its share of a first job
// (docs/reference/container-deployer.md).
//
// Not on the lists: Events, which the contract does not promise; reads of Pods and DeployItems, which the deployer watches; reads before a create, because the
// create fails if the object exists.
import type { ContractList } from "../replay/plan-replay.ts";

/** From the pickup until the Pod may start. */
export const startList: ContractList = {
  // Files of the Pod: the kubeconfig of the Target; the configuration and the job.
  "POST secrets": 2,
  // A file of the Pod: the OCM configuration.
  "POST configmaps": 1,
  // The rights of wait in this job: its ServiceAccount, its Role, and the RoleBinding.
  "POST serviceaccounts": 1,
  "POST roles": 1,
  "POST rolebindings": 1,
  // The Pod, with a gate: it may not start before the item names it.
  "POST pods": 1,
  // The item names its Pod, so that a deployer that takes over finds it.
  "PUT deployitems/status": 1,
  // Removes the gate.
  "PATCH pods": 1,
};

/** From the end of the Pod until the end of the job. */
export const finishList: ContractList = {
  // The exports that wait has written.
  "GET secrets": 1,
  // The inputs of the last successful run, for the DELETE run; the exports of the item.
  "POST secrets": 2,
  // Removes the finalizer, and the Pod.
  "PATCH pods": 1,
  "DELETE pods": 1,
  // Final phase and jobIDFinished in one write.
  "PUT deployitems/status": 1,
};
