import { equalJson } from "../objects/json.ts";
import { startLoadBalancerController, startVolumeController } from "./infrastructure-controllers.ts";
import { scriptOf } from "./owners.ts";
import { SimulatedKubelet } from "./pod/simulated-kubelet.ts";
import { createSimulatedNode } from "./simulated-node.ts";
import type { SimulationOptions } from "./simulation-options.ts";
import { completeTimes } from "./simulation-options.ts";
import type { SimulationHost } from "./start-controller.ts";
import { startWorkloadControllers } from "./workload-controllers.ts";

/** Workloads that pods belong to: their annotations script the pods, too. */
const owners = ["deployments.apps", "replicasets.apps", "statefulsets.apps", "daemonsets.apps", "jobs.batch"];

export interface Simulation {
  readonly kubelet: SimulatedKubelet;
  stop(): void;
}

/** Starts a node that runs pods in appearance, and the controllers of the workloads that make them. */
export function startSimulation(host: SimulationHost, options: SimulationOptions): Simulation {
  const { context, loop, clock } = host;
  const kubelet = new SimulatedKubelet(context, clock, completeTimes(options));
  const checkSoon = (namespace: string, name: string): void =>
    loop.enqueue(`simulation/pods/${namespace}/${name}`, () => kubelet.check(namespace, name));
  context.store.subscribe("pods", ({ type, current: { namespace, name, uid } }) => {
    if (type === "DELETED") kubelet.forget(uid);
    else checkSoon(namespace, name);
  });
  for (const storage of owners) {
    context.store.subscribe(storage, ({ type, current, previous }) => {
      if (type !== "MODIFIED" || previous === undefined) return;
      if (equalJson(scriptOf(current.object), scriptOf(previous.object))) return;
      for (const { namespace, name } of context.store.collection("pods").list(current.namespace)) {
        checkSoon(namespace, name);
      }
    });
  }
  startWorkloadControllers(host);
  startVolumeController(host);
  if (options.loadBalancerAddress !== undefined) startLoadBalancerController(host, options.loadBalancerAddress);
  createSimulatedNode(context);
  return { kubelet, stop: () => kubelet.stop() };
}
