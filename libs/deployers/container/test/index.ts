export { listTree, newFolder, writeTree, type TreeEntry } from "./folder-tree.ts";
export { hasProgramEnded } from "./has-program-ended.ts";
export { HostPods } from "./host-pods.ts";
export { PlayedPods, type PodEnd } from "./played-pods.ts";
export {
  startPodRunner,
  type PodRunner,
  type PodRunnerOptions,
  type ProgramContext,
  type ReportedEnd,
  type StartFailure,
  type StartedProgram,
  type TestProgram,
} from "./pod-runner.ts";
