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
 * Tests that take minutes, or much processor time: in `npm test` each group has its turn in every seventh run; all groups take about as much processor
 * time. Suites by name, tests of packages by path. Seven and `realTurns` have no common divisor, so that each of these suites has the real API server
 * as well. What they prove from outside or at full size, tests that always run prove at smaller scale: recordings of the real engines, crash tests of
 * the packages, one case of each limit, the conformance of our deployers.
 */
const longTests: readonly (readonly string[])[] = [
  ["new-packages", "packages", "fenced", "faults-target", "libs/threads/src/thread-sharing"],
  ["images", "containers", "deployer-conformance-defects", "workloads", "hostile/content", "oracles/helm-remediation"],
  [
    "compose",
    "oracles/helm-template-sources",
    "going-back",
    "oracles/helm-registries",
    "libs/gotemplate/src/exec/bad-input",
  ],
  [
    "charts-releases",
    "charts-services",
    "charts-agent",
    "oracles/helm-hooks",
    "faults-api-server",
    "bad-input-owners",
    "ha",
  ],
  [
    "charts-node",
    "charts-node-faults",
    "oracles/helm-stuck",
    "oracles/helm-large-charts",
    "oracles/helm-diff",
    "libs/cli/src/helm/large-charts",
  ],
  [
    "charts-rendering",
    "release",
    "oracles/helm-releases",
    "faults-killed",
    "libs/deployers/helm/src/rendering/large-charts",
  ],
  [
    "oracles/generated",
    "deployer-refusals",
    "node",
    "install-guide",
    "components-guide",
    "harness/bench-neighbours",
    "harness/real-node",
  ],
];

/** In how many runs of `npm test` one after the other every long test has had its turn. */
export const longTurns = longTests.length;

/** The tests that have no turn in a run with this E2E_TURN, as in `longTests`; none where no turn is set. */
export function testsWithoutTurn(turn: string | undefined): readonly string[] {
  if (turn === undefined || turn === "") return [];
  return longTests.filter((_, index) => index !== Number(turn) % longTurns).flat();
}

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
