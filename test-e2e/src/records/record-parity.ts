// Records what a real API server answers to the exchanges of libs/local-cluster/test/parity. usage: npm run record:parity -- [PART OF A NAME...] [--dry-run]
import { parityCases, recordCase } from "@landscaper/local-cluster/testing/parity";
import { readCommandLine } from "../../../scripts/command-line.ts";
import { startTestCluster } from "../clusters/test-cluster.ts";

const { values, positionals: parts } = readCommandLine({
  usage: `usage: npm run record:parity -- [PART OF A NAME...] [--dry-run]
  --dry-run  says what would be recorded, and starts no API server`,
  options: { "dry-run": { type: "boolean", default: false } },
  acceptsPositionals: true,
});
const isWanted = (name: string): boolean => parts.length === 0 || parts.some((part) => name.includes(part));
const wanted = parityCases.filter(({ name, untracked }) => isWanted(name) && untracked === undefined);
if (values["dry-run"]) {
  for (const { name } of wanted) console.log(`would record ${name}`);
  process.exit(0);
}
const cluster = await startTestCluster("real");
try {
  for (const parityCase of wanted) {
    await recordCase({ url: cluster.url, token: cluster.token, caPem: cluster.ca }, parityCase);
    console.log(`recorded ${parityCase.name}`);
  }
} finally {
  await cluster.stop();
}
