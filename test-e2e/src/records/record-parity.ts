// Records what a real API server answers to the exchanges of libs/local-cluster/test/parity. usage: npm run record:parity -- [PART OF A NAME...]
import { parityCases, recordCase } from "@landscaper/local-cluster/testing/parity";
import { startTestCluster } from "../clusters/test-cluster.ts";

const parts = process.argv.slice(2);
const cluster = await startTestCluster("real");
try {
  const isWanted = (name: string): boolean => parts.length === 0 || parts.some((part) => name.includes(part));
  for (const parityCase of parityCases.filter(({ name, untracked }) => isWanted(name) && untracked === undefined)) {
    await recordCase({ url: cluster.url, token: cluster.token, caPem: cluster.ca }, parityCase);
    console.log(`recorded ${parityCase.name}`);
  }
} finally {
  await cluster.stop();
}
