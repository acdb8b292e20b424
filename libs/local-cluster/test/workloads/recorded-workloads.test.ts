import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../../src/cluster/local-cluster.ts";
import { startLocalCluster } from "../../src/cluster/start-local-cluster.ts";
import type { Recorded } from "../parity/exchange.ts";
import { runCase } from "../parity/run-case.ts";
import { isRecordedWorkload, readWorkload, workloadCases } from "./workload-cases.ts";

// The recordings are what kube-apiserver and kube-controller-manager v1.34.1 made of these workloads with pods that were played as ours
// live; test-e2e/src/records/record-workloads.ts made them.
describe("parity with the real workload controllers", () => {
  let cluster: LocalCluster;
  const answers = new Map<string, readonly Recorded[]>();
  // All at once, each in its namespace: most of the time they wait.
  beforeAll(async () => {
    cluster = await startLocalCluster({ simulateWorkloads: true });
    const server = { url: cluster.url, token: cluster.adminToken };
    await Promise.all(workloadCases.map(async (one) => answers.set(one.name, await runCase(server, one))));
  });
  afterAll(() => cluster.stop());

  it.each(workloadCases)("a $name goes the recorded way", (workloadCase) => {
    expect(answers.get(workloadCase.name)).toEqual(readWorkload(workloadCase));
  });

  it("has a recording of each case", () => {
    expect(workloadCases.filter((workloadCase) => !isRecordedWorkload(workloadCase))).toEqual([]);
  });
});
