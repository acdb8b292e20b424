// jest's order of test files. The e2e suites wait for processes and clocks, the packages' tests keep a processor busy: both go on side by side to the
// end, so that no processor idles. Among the suites those that take minutes come first; then the larger files, which is jest's own guess.
import { statSync } from "node:fs";
import { join } from "node:path";
import { readDurations } from "./durations.mjs";

/** Seconds of each test file in its last run on this machine, by its path; scripts/run-tests.ts writes them. */
const durationsFile = join(import.meta.dirname, "../../node_modules/.cache/landscaper/durations.json");

/**
 * Seconds of suites that take long, with their long tests, as `npm test -- --profile` measures them; any other one is taken for `usual`. Suites that need images may
 * build them first.
 */
const seconds = {
  "documented-benches": 150,
  "documented-commands": 90,
  fenced: 600,
  "harness/bench-images": 240,
  "charts-node": 240,
  "charts-node-faults": 240,
  "install-guide": 240,
  compose: 180,
  containers: 180,
  "containers-guide": 180,
  "containers-disruptions": 300,
  "containers-limits": 180,
  images: 180,
  "images-arm64": 130,
  packages: 125,
  conformance: 120,
  "take-over": 120,
  components: 105,
  "faults-killed": 105,
  "oracles/recordings": 105,
  "new-packages": 100,
  "deployer-conformance-defects": 95,
  "oracles/helm-diff": 95,
  readme: 95,
  waiting: 95,
  node: 90,
  "faults-api-server": 85,
  "deployer-components": 80,
  "helm-deployer": 80,
  "oracles/helm-hooks": 75,
  "oracles/helm-template-sources": 75,
  "oracles/helm-stuck": 70,
  "deployer-readiness": 65,
  "hostile/content": 65,
  workloads: 65,
  "bad-input": 60,
  "deployer-continuous": 60,
  "hostile/tenant-names": 60,
  targets: 60,
  "going-back": 55,
  ha: 50,
  replicas: 50,
  "charts-rendering-values": 45,
  "oracles/generated": 45,
  "samples/ocm": 45,
  "components-killed": 40,
  "deployer-refusals": 40,
  "helm-releases": 40,
  executions: 40,
  "hostile/blueprints": 40,
  "least-privilege": 40,
  triggers: 40,
  "deployer-conformance": 35,
};
const usual = 12;

const suiteOf = ({ path }) => /\/test-e2e\/suites\/(.+)\.test\.ts$/.exec(path)?.[1];

/** Costs of the suites in seconds, of the other files in bytes: what counts is the share of all of them that has been done. */
const costOf = (test, { sizes, durations }) => {
  const suite = suiteOf(test);
  if (suite === undefined) return sizes.get(test.path);
  // The last run may have had none of the suite's long tests: they take turns.
  return Math.max(durations[`test-e2e/suites/${suite}.test.ts`] ?? 0, seconds[suite] ?? usual);
};

/** Each with the share of the cost of them all that has been done when it is half done. */
const withShares = (tests, known) => {
  const { sizes } = known;
  const ordered = tests.toSorted(
    (a, b) => costOf(b, known) - costOf(a, known) || sizes.get(b.path) - sizes.get(a.path),
  );
  const total = ordered.reduce((sum, test) => sum + costOf(test, known), 0);
  let done = 0;
  return ordered.map((test) => {
    const cost = costOf(test, known);
    done += cost;
    return { test, share: (done - cost / 2) / total };
  });
};

/** Returns the tests in their order. `durations`: seconds of the last run of a test file, by its path. */
export const inOrder = (tests, durations = {}) => {
  const known = { sizes: new Map(tests.map(({ path }) => [path, statSync(path).size])), durations };
  const suites = withShares(
    tests.filter((test) => suiteOf(test) !== undefined),
    known,
  );
  const others = withShares(
    tests.filter((test) => suiteOf(test) === undefined),
    known,
  );
  return [...suites, ...others].toSorted((a, b) => a.share - b.share).map(({ test }) => test);
};

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
function* randomNumbers(seed) {
  for (let state = seed >>> 0; ;) {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** Returns the tests in a random order that depends only on the seed, not on the given order. */
export function shuffle(tests, seed) {
  const numbers = randomNumbers(seed);
  return tests
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((test) => ({ test, place: numbers.next().value }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ test }) => test);
}

export default class LongSuitesFirst {
  /** TEST_ORDER: the seed of a random order, for `npm run flakes`. */
  sort(tests) {
    const seed = process.env.TEST_ORDER;
    return seed === undefined ? inOrder(tests, readDurations(durationsFile)) : shuffle(tests, Number(seed));
  }

  allFailedTests(tests) {
    return inOrder(tests, readDurations(durationsFile));
  }

  shard(tests, { shardIndex, shardCount }) {
    return tests.filter((_test, index) => index % shardCount === shardIndex - 1);
  }

  cacheResults() {}
}
