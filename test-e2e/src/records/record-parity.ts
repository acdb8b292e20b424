// Records what a real API server answers to the exchanges of libs/local-cluster/test/parity, and to the changes of test/field-changes, and which kinds it serves.
// usage: npm run record:parity -- [PART OF A NAME...] [--dry-run]
import {
  createRealSend,
  listServedKinds,
  nameOfSample,
  prepareNamespace,
  runSample,
  samples,
  writeRecordedChanges,
  writeServedKinds,
} from "@landscaper/local-cluster/testing/field-changes";
import { parityCases, recordCase } from "@landscaper/local-cluster/testing/parity";
import { readCommandLine } from "../../../scripts/command-line.ts";
import { startTestCluster } from "../clusters/test-cluster.ts";

const { values, positionals: parts } = readCommandLine({
  usage: `usage: npm run record:parity -- [PART OF A NAME...] [--dry-run]
  Names are those of the cases, "field changes: Deployment of apps/v1" for each built-in kind, and "served kinds".
  --dry-run  says what would be recorded, and starts no API server`,
  options: { "dry-run": { type: "boolean", default: false } },
  acceptsPositionals: true,
});
const isWanted = (name: string): boolean => parts.length === 0 || parts.some((part) => name.includes(part));
const wanted = parityCases.filter(({ name, untracked }) => isWanted(name) && untracked === undefined);
const wantedSamples = samples
  .map((sample) => ({ sample, name: `field changes: ${nameOfSample(sample)}` }))
  .filter(({ name }) => isWanted(name));
const servedKinds = { name: "served kinds" };
const wantedLists = [servedKinds].filter(({ name }) => isWanted(name));
if (values["dry-run"]) {
  for (const { name } of [...wanted, ...wantedSamples, ...wantedLists]) console.log(`would record ${name}`);
  process.exit(0);
}
const cluster = await startTestCluster("real");
const server = { url: cluster.url, token: cluster.token, caPem: cluster.ca };
const real = createRealSend(server);
try {
  for (const parityCase of wanted) {
    await recordCase(server, parityCase);
    console.log(`recorded ${parityCase.name}`);
  }
  for (const { name } of wantedLists) {
    writeServedKinds(await listServedKinds(real.send));
    console.log(`recorded ${name}`);
  }
  if (wantedSamples.length > 0) await prepareNamespace(real.send);
  for (const { sample, name } of wantedSamples) {
    writeRecordedChanges(sample, await runSample(real.send, sample));
    console.log(`recorded ${name}`);
  }
} finally {
  real.stop();
  await cluster.stop();
}
