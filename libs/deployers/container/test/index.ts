export { listTree, newFolder, writeTree, type TreeEntry } from "./folder-tree.ts";
export {
  readIndex,
  readSecrets,
  startWaitFixture,
  whenWatching,
  type TestRun,
  type WaitFixture,
} from "./wait-fixture.ts";
export { PlayedPods, type PodEnd } from "./played-pods.ts";
