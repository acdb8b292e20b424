// jest's order of test files. The e2e suites wait for processes and clocks, the packages' tests keep a processor busy: both go on side by side to the
// end, so that no processor idles. Among the suites those that take minutes come first; then the larger files, which is jest's own guess.
import { statSync } from "node:fs";

/** Seconds of suites that take long, as `npm test` measures them; any other one is taken for `usual`. */
const seconds = {
  "deployer-readiness": 130,
  "oracles/recordings": 90,
  "take-over": 100,
  "deployer-conformance-defects": 90,
  "faults-api-server": 75,
  node: 70,
  "faults-killed": 60,
  "manifests-guide": 60,
  "deployer-conformance": 55,
  "bad-input": 50,
  "deployer-targets": 50,
  waiting: 50,
  "oracles/helm-releases": 50,
  "oracles/helm-stuck": 50,
  "oracles/helm-hooks": 50,
  conformance: 40,
  "new-packages": 60,
};
const usual = 12;

const suiteOf = ({ path }) => /\/test-e2e\/suites\/(.+)\.test\.ts$/.exec(path)?.[1];

/** Costs of the suites in seconds, of the other files in bytes: what counts is the share of all of them that has been done. */
const costOf = (test, sizes) => {
  const suite = suiteOf(test);
  return suite === undefined ? sizes.get(test.path) : (seconds[suite] ?? usual);
};

/** Each with the share of the cost of them all that has been done when it is half done. */
const withShares = (tests, sizes) => {
  const ordered = tests.toSorted(
    (a, b) => costOf(b, sizes) - costOf(a, sizes) || sizes.get(b.path) - sizes.get(a.path),
  );
  const total = ordered.reduce((sum, test) => sum + costOf(test, sizes), 0);
  let done = 0;
  return ordered.map((test) => {
    const cost = costOf(test, sizes);
    done += cost;
    return { test, share: (done - cost / 2) / total };
  });
};

const inOrder = (tests) => {
  const sizes = new Map(tests.map(({ path }) => [path, statSync(path).size]));
  const suites = withShares(
    tests.filter((test) => suiteOf(test) !== undefined),
    sizes,
  );
  const others = withShares(
    tests.filter((test) => suiteOf(test) === undefined),
    sizes,
  );
  return [...suites, ...others].toSorted((a, b) => a.share - b.share).map(({ test }) => test);
};

export default class LongSuitesFirst {
  sort(tests) {
    return inOrder(tests);
  }

  allFailedTests(tests) {
    return inOrder(tests);
  }

  shard(tests, { shardIndex, shardCount }) {
    return tests.filter((_test, index) => index % shardCount === shardIndex - 1);
  }

  cacheResults() {}
}
