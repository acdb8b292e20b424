// For tests that compare the simulation with real controllers.
export { nextPodStep, stopPod } from "../../src/simulation/pod/step-pod.ts";
export { parsePodScript } from "../../src/simulation/pod/pod-script.ts";
export { podStatus } from "../../src/simulation/pod/pod-status.ts";
export { fitsNode } from "../../src/simulation/pod/schedule-pod.ts";
export { startPodRun } from "../../src/simulation/pod/pod-run.ts";
export type { PodRun } from "../../src/simulation/pod/pod-run.ts";
export { nodeLabels } from "../../src/simulation/simulated-node.ts";
export { simulatedNode, simulationPrefix } from "../../src/simulation/simulation-options.ts";
export { recordWorkload, workloadCases } from "./workload-cases.ts";
