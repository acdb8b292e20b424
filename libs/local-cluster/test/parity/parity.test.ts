import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../../src/cluster/local-cluster.ts";
import { startLocalCluster } from "../../src/cluster/start-local-cluster.ts";
import { parityCases } from "./cases/index.ts";
import { isRecorded, readRecorded } from "./recordings.ts";
import { runCase } from "./run-case.ts";

// The recordings are answers of a real kube-apiserver v1.34.1 with kube-controller-manager, made by test-e2e/src/records/record-parity.ts.
describe("parity with the real API server", () => {
  let cluster: LocalCluster;
  beforeAll(async () => {
    cluster = await startLocalCluster();
  });
  afterAll(() => cluster.stop());

  for (const parityCase of parityCases) {
    it(`answers ${parityCase.name} as recorded`, async () => {
      const answers = await runCase({ url: cluster.url, token: cluster.adminToken }, parityCase);
      expect(answers).toEqual(readRecorded(parityCase));
    });
  }

  it("has a recording of each case", () => {
    expect(parityCases.filter((parityCase) => !isRecorded(parityCase))).toEqual([]);
  });
});
