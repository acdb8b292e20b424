// For tests that compare the simulation with real controllers.
export { nextPodStep, stopPod } from "../pod/step-pod.ts";
export { parsePodScript } from "../pod/pod-script.ts";
export { podStatus } from "../pod/pod-status.ts";
export { fitsNode } from "../pod/schedule-pod.ts";
export { startPodRun } from "../pod/pod-run.ts";
export type { PodRun } from "../pod/pod-run.ts";
export { nodeLabels } from "../simulated-node.ts";
export { simulatedNode, simulationPrefix } from "../simulation-options.ts";
export { recordWorkload, workloadCases } from "./workload-cases.ts";
