// Records what real controllers make of workloads whose pods are played as libs/local-cluster simulates them.
// usage: npm run record:workloads -- [PART OF A NAME...]
import { recordWorkload, workloadCases } from "@landscaper/local-cluster/testing/simulation";
import { startTestCluster } from "../clusters/test-cluster.ts";

const parts = process.argv.slice(2);
const cluster = await startTestCluster("real", { workloads: true });
const server = { url: cluster.url, token: cluster.token, caPem: cluster.ca };
try {
  const isWanted = (name: string): boolean => parts.length === 0 || parts.some((part) => name.includes(part));
  const wanted = workloadCases.filter(({ name }) => isWanted(name));
  await Promise.all(
    wanted.map(async (workloadCase) => {
      await recordWorkload(server, workloadCase);
      console.log(`recorded ${workloadCase.name}`);
    }),
  );
} finally {
  await cluster.stop();
}
