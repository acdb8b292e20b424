// jest's order of test files: those that are known to take minutes first, so that no worker has one left at the end while the other idles;
// then the larger files, which is jest's own guess on a machine that has not run them.
import { statSync } from "node:fs";

const long = [
  "faults-api-server",
  "faults-killed",
  "manifests-guide",
  "bad-input",
  "deployer-targets",
  "waiting",
  "node",
  "deployer-conformance-defects",
  "helm-releases",
  "helm-stuck",
  "helm-hooks",
  "conformance",
];

const rankOf = ({ path }) => {
  const index = long.findIndex(
    (name) => path.endsWith(`/suites/${name}.test.ts`) || path.endsWith(`/oracles/${name}.test.ts`),
  );
  return index < 0 ? long.length : index;
};

const inOrder = (tests) => {
  const sizes = new Map(tests.map(({ path }) => [path, statSync(path).size]));
  return tests.toSorted((a, b) => rankOf(a) - rankOf(b) || sizes.get(b.path) - sizes.get(a.path));
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
