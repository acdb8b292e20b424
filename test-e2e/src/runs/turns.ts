/** In how many runs of `npm test` one after the other every suite has had the real API server. */
export const realTurns = 4;

/** What these prove lies in the API server itself, or they compare with it: the embedded one cannot stand in for it. */
const aboutTheServer: ReadonlySet<string> = new Set([
  "admission",
  "conformance",
  "crd-names",
  "default-context",
  "idle-watches",
  "kubectl",
  "readme",
  "server-side-apply",
  "take-over",
  "triggers",
]);

/**
 * Tests that take minutes, or much processor time. In `npm test`, each group has its turn in every 17th run, and each run takes exactly one group. `npm test -- --profile`
 * shows the processor time of each test. Suites are listed by name, tests of packages by path. 17 has no common divisor with `realTurns` and with the `step` of any share
 * (`shareOfTurn`). Each of these suites therefore runs on the real API server as well, and has each of its shares. What they prove from outside or at full size, other tests prove at smaller scale, in every run or in every third run (`mediumTests`):
 *
 * - programs on a real node (`containers*`, `fenced`, `node`): the container deployer's own tests, which play the kubelet, and the conformance of our deployers,
 *   which runs its programs as processes;
 * - images, charts, components and packages (`images*`, `charts-*`, `compose`, `deployer-components`, `release`, `packages`): what they are made of, in `scripts`,
 *   `charts-rendering-*`, `components`, `deployer-management`;
 * - real engines (`oracles/*`): their recordings;
 * - constructor files (`component-constructors`): the same inputs and accesses in `libs/components/src/build` and `libs/cli/src/component`;
 * - services of two releases (`version-skew`): the writes of this release under the same policies, in `hostile/environment-*` and `environment-deployers`;
 * - killed processes (`components-killed`, `faults-*`, `going-back`, `ha`, `replicas`): crash tests of the packages, with a death at each write, and the contract of replicas in `libs/deployer`;
 * - full sizes (`large-*`, `state-memory`): one case of each limit, and the same functions on small inputs, such as `item-requests` of manifest items and
 *   `state-round-trip`;
 * - random manifests with numbers (`exact-numbers`): recorded cases in `libs/local-cluster`, and tests of each package on the way;
 * - further samples (`samples/*`): inputs of our own, which the table of README.md names.
 *
 * Suites that need the images of this checkout share groups, because a run builds all images once. A group has at most two clusters with a node.
 */
const longTests: readonly (readonly string[])[] = [
  ["fenced"],
  ["containers", "harness/bench-images", "images", "images-arm64"],
  ["containers-guide", "containers-limits"],
  ["containers-disruptions"],
  ["charts-node", "charts-node-faults"],
  ["compose", "install-guide"],
  ["faults-killed", "agent-killed", "samples/guided-tour"],
  ["components-guide", "components-killed", "deployer-refusals", "libs/deployers/manifest/src/large-item"],
  ["new-packages", "packages", "faults-target", "libs/threads/src/thread-sharing", "version-skew"],
  [
    "deployer-conformance-defects",
    "hostile/content",
    "libs/deployers/container/src/state/state-memory",
    "oracles/helm-remediation",
    "workloads",
  ],
  ["exact-numbers", "going-back", "libs/gotemplate/src/exec/bad-input", "node"],
  [
    "component-constructors",
    "oracles/helm-registries",
    "oracles/helm-template-sources",
    "samples/ocm",
    "samples/ocm-forms",
  ],
  ["charts-agent", "charts-releases", "charts-services", "deployer-components"],
  ["faults-api-server", "ha", "libs/cli/src/helm/charts/large-charts", "oracles/helm-diff", "replicas"],
  ["bad-input-owners", "harness/bench-fleet", "harness/bench-neighbours", "harness/real-node"],
  [
    "oracles/generated",
    "oracles/helm-large-charts",
    "oracles/helm-stuck",
    "samples/helm-charts",
    "services/landscaper-core/src/components/large-components",
  ],
  [
    "charts-rendering",
    "libs/deployers/helm/src/rendering/large-charts",
    "oracles/helm-hooks",
    "oracles/helm-releases",
    "release",
  ],
];

/**
 * Tests that take tens of seconds. `npm test` runs one group in every third run. Entries are named as in `longTests`.
 *
 * Three has no common divisor with `realTurns`. Each of these suites therefore runs on the real API server as well. None of them takes a share of its own cases:
 * with a step of three, it would always take the same share.
 *
 * Unit tests of the core and the deployers cover the same behaviour against the embedded API server. Suites that run every time have one scenario for each service, the job protocol, admission, data
 * flow, events, rights, and the attack matrix. The crash tests of manifest items and of the agent also run every time. Related tests are in different groups, so each run covers a part of every subject.
 */
export const mediumTests: readonly (readonly string[])[] = [
  [
    "backup",
    "charts-rendering-alerts",
    "cluster-fields",
    "container-cleanup",
    "deployer-continuous",
    "diff",
    "helm-guide",
    "helm-registries",
    "hostile/blueprints",
    "hostile/containers",
    "hub-move",
    "least-privilege-rules",
    "libs/deployers/helm/src/crash",
    "libs/threads/src/thread-limits",
    "lost-targets",
    "mistakes",
    "oracles/component-tools",
    "services/landscaper-core/src/crash",
    "shared-targets",
    "sub-installation-templates",
  ],
  [
    "agent-faults",
    "components",
    "conformance",
    "container-cleanup-helm",
    "core-cleanup-helm",
    "environment-deployers",
    "helm-configuration",
    "hostile/claims",
    "hostile/container-namespace",
    "hostile/environment-bounds",
    "hostile/tenants",
    "landscapes",
    "libs/cli/src/helm/template/helm-template",
    "libs/deployers/container/src/deployer/crash",
    "libs/helm-release/src/request-faults",
    "manifests-guide",
    "namespace-deletion",
    "operations",
    "seed-documents",
    "target-sync",
    "waiting",
  ],
  [
    "blueprints-guide",
    "charts-releases-namespaces",
    "charts-rendering-cleanup",
    "components-nesting",
    "components-signed",
    "deployer-readiness",
    "harness/bench-installations",
    "health-rules",
    "hostile/neighbours",
    "hostile/slow-targets",
    "hostile/tenant-names",
    "left-objects",
    "libs/deployers/helm/src/rendering/chart-renderer",
    "libs/helm-release/src/deaths",
    "mistakes-items",
    "namespace-deletion-rights",
    "root-installations",
    "services/landscaper-core/src/deployer-management/deployer-crash",
    "take-over",
    "targets",
  ],
];

/** Number of consecutive runs of `npm test` that run every long test once. */
export const longTurns = longTests.length;

/** Returns true if a test of `longTests` or `mediumTests` is a package test, named by its path, and not a suite. */
export function isPackageTest(test: string): boolean {
  return /^(libs|services)\//.test(test);
}

/** Returns the tests without a turn in a run with this E2E_TURN, named as in `longTests`; empty if E2E_TURN is unset. */
export function testsWithoutTurn(turn: string | undefined): readonly string[] {
  if (turn === undefined || turn === "") return [];
  return [longTests, mediumTests].flatMap((groups) =>
    groups.filter((_, index) => index !== Number(turn) % groups.length).flat(),
  );
}

/**
 * Steps of `shareOfTurn`: the number of turns after which a test has taken all its shares. None has a common divisor with `longTurns`: otherwise, a long
 * test would never take some of its shares. If a step has a common divisor with `realTurns`, the real API server gets only some of the shares.
 */
export const shareSteps = {
  /** Charts whose values are walked over. */
  chartValues: 2,
  /** Cases of a suite, as in `casesOfTurn`. */
  cases: 3,
  /** Sample installations of charts. */
  installations: 3,
  /** Costly recordings, which the real engine confirms again. */
  recordings: 7,
  /** Requests at which `components-killed` kills a service. */
  components: 3,
  /** Writes after which `faults-killed` and `agent-killed` kill a process or lose the answer. */
  killedWrites: 5,
} as const;

/** Every `step`th of what is counted from one, from `first` on. */
export interface Share {
  readonly first: number;
  readonly step: number;
}

/**
 * The share that a run with this E2E_TURN has: `step` runs one after the other have had everything. `shift` moves it, for two things that are
 * not to have the same share in one run. Everything where no turn is set.
 */
export function shareOfTurn(
  turn: string | undefined,
  { step, shift }: { readonly step: number; readonly shift: number },
): Share {
  if (turn === undefined || turn === "") return { first: 1, step: 1 };
  return { first: 1 + ((Number(turn) + shift) % step), step };
}

/**
 * The third of a suite's cases that has its turn in a run with this E2E_TURN, at the same places of each list; all of them without one.
 * `shareSteps.cases` and `realTurns` have no common divisor: each case has the real API server as well.
 */
export function casesOfTurn<T>(cases: readonly T[], turn: string | undefined): readonly T[] {
  const { first, step } = shareOfTurn(turn, { step: shareSteps.cases, shift: 0 });
  return cases.filter((_, index) => index % step === first - 1);
}

/** Whether a suite, such as "hostile/tenants", runs on the real API server; `turn` is E2E_TURN: a number, or unset where all of them do. */
export function takesTurn(suite: string, turn: string | undefined): boolean {
  if (turn === undefined || turn === "" || aboutTheServer.has(suite)) return true;
  return turnOf(suite) === Number(turn) % realTurns;
}

/** Spreads suites over the turns by their names, so that a new one leaves the others where they are. */
function turnOf(suite: string): number {
  let sum = 0;
  for (const character of suite) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum % realTurns;
}
