import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { parityCases } from "./cases/index.ts";
import type { Recorded } from "./exchange.ts";
import { runCase } from "./run-case.ts";

// The recordings are answers of a real kube-apiserver v1.34.1 with kube-controller-manager. To make them anew:
// PARITY_SERVER=https://127.0.0.1:6443 PARITY_TOKEN=... npm run unit -- --selectProjects local-cluster -t parity
const server = process.env["PARITY_SERVER"];
const token = process.env["PARITY_TOKEN"] ?? "";

function fileOf(name: string): string {
  return join(import.meta.dirname, "testdata", `${name.replaceAll(" ", "-")}.json`);
}

function readRecorded(name: string): readonly Recorded[] {
  return JSON.parse(readFileSync(fileOf(name), "utf8")) as readonly Recorded[]; // written below
}

describe("parity with the real API server", () => {
  let cluster: LocalCluster;
  beforeAll(async () => {
    cluster = await startLocalCluster();
  });
  afterAll(() => cluster.stop());

  for (const parityCase of parityCases) {
    it(`answers ${parityCase.name} as recorded`, async () => {
      if (server !== undefined) {
        const answers = await runCase({ url: server, token }, parityCase);
        writeFileSync(fileOf(parityCase.name), `${JSON.stringify(answers, undefined, 1)}\n`);
      }
      const answers = await runCase({ url: cluster.url, token: cluster.adminToken }, parityCase);
      expect(answers).toEqual(readRecorded(parityCase.name));
    });
  }

  it("has a recording of each case", () => {
    expect(parityCases.filter(({ name }) => !existsSync(fileOf(name)))).toEqual([]);
  });
});
