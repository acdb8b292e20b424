// jest's globalTeardown: ends the clusters of test-e2e/src/worker-clusters.ts where the tests have run in jest's own process.
export default async function stopWorkerClusters() {
  await globalThis[Symbol.for("landscaper.stop-worker-clusters")]?.();
}
