import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parityCases, readRecorded, runCase } from "@landscaper/local-cluster/testing/parity";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { startTestCluster } from "../src/clusters/test-cluster.ts";

/** Who owns which field after which exchange, and what is stored of numbers; the other cases of parity say little about that. */
const cases = parityCases.filter(({ name }) => /apply|applies|managed fields|numbers/.test(name));

// The unit tests of libs/local-cluster compare the embedded server with these recordings; here the recordings are compared with the real one.
describe.each(clustersUnderTest())("server-side apply on %s", (name) => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startTestCluster(name);
  });
  afterAll(() => cluster.stop());

  it("is covered by at least 80 exchanges", () => {
    expect(cases.reduce((sum, { exchanges }) => sum + exchanges.length, 0)).toBeGreaterThan(80);
  });

  it.each(cases)("answers $name as recorded", async (parityCase) => {
    const server = { url: cluster.url, token: cluster.token, caPem: cluster.ca };
    expect(await runCase(server, parityCase)).toEqual(readRecorded(parityCase));
  });
});
