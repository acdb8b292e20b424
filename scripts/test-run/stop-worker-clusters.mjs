// Ends the clusters of test-e2e/src/clusters/worker-clusters.ts: a worker calls it when it ends, and jest as its globalTeardown, where the tests have run in its own process.
export default async function stopWorkerClusters() {
  await globalThis[Symbol.for("landscaper.stop-worker-clusters")]?.();
}
