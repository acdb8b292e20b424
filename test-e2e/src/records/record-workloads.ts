// Records what real controllers make of workloads whose pods are played as libs/local-cluster simulates them.
// usage: npm run record:workloads -- [PART OF A NAME...] [--dry-run]
import { recordWorkload, workloadCases } from "@landscaper/local-cluster/testing/simulation";
import { readCommandLine } from "../../../scripts/command-line.ts";
import { startTestCluster } from "../clusters/test-cluster.ts";

const { values, positionals: parts } = readCommandLine({
  usage: `usage: npm run record:workloads -- [PART OF A NAME...] [--dry-run]
  --dry-run  says what would be recorded, and starts no API server`,
  options: { "dry-run": { type: "boolean", default: false } },
  acceptsPositionals: true,
});
const isWanted = (name: string): boolean => parts.length === 0 || parts.some((part) => name.includes(part));
const wanted = workloadCases.filter(({ name }) => isWanted(name));
if (values["dry-run"]) {
  for (const { name } of wanted) console.log(`would record ${name}`);
  process.exit(0);
}
const cluster = await startTestCluster("real", { workloads: true });
const server = { url: cluster.url, token: cluster.token, caPem: cluster.ca };
try {
  await Promise.all(
    wanted.map(async (workloadCase) => {
      await recordWorkload(server, workloadCase);
      console.log(`recorded ${workloadCase.name}`);
    }),
  );
} finally {
  await cluster.stop();
}
