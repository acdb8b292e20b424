// How the suite documented-commands starts each script of package.json: at its smallest, which still loads the whole program and reads its words.

/** What documented words may name. */
export interface KnownNames {
  /** Suites and folders of suites, as `npm run e2e -- NAME` takes them. */
  readonly suites: readonly string[];
  readonly benches: readonly string[];
}

export interface ScriptStart {
  /** Words behind `npm run SCRIPT --` for those of a page; undefined if the script has no such words, so that no test starts the command. */
  readonly smallest: (words: readonly string[], known: KnownNames) => readonly string[] | undefined;
  /** What it prints, on stdout or stderr. */
  readonly prints: RegExp;
  /** The script does not end: once it has printed that, SIGTERM ends it. */
  readonly stays?: true;
  /** One call takes the words of several: of those with names, or of all. */
  readonly merges?: "named" | "all";
  /** What it cannot do without: the real engines, or a real control plane. Without that, its test is skipped. */
  readonly needs?: "engines" | "control plane";
}

/** A word for the reader to replace: NAME, HOST/PREFIX, PART-OF-A-NAME. */
const isPlaceholder = (word: string): boolean => /^[A-Z][A-Z/_-]+$/.test(word);
const isFlag = (word: string): boolean => word.startsWith("-");

/** The words as they are, but for those that the reader replaces, and `more`. */
const asDocumented =
  (...more: readonly string[]) =>
  (words: readonly string[]): readonly string[] => [...words.filter((word) => !isPlaceholder(word)), ...more];

/** Jest lists the files that the words select, and runs none. */
function listTests(words: readonly string[], { suites }: KnownNames): readonly string[] | undefined {
  const names = words.slice(0, words.findIndex(isFlag) < 0 ? undefined : words.findIndex(isFlag));
  const unknown = names.filter((name) => !isPlaceholder(name) && !suites.includes(name));
  return unknown.length > 0 ? undefined : [...asDocumented()(words), "--listTests"];
}

function valueOf(words: readonly string[], flag: string): readonly string[] {
  const at = words.indexOf(flag);
  return at < 0 ? [] : words.slice(at, at + 2);
}

/** Nothing asks it. */
const registry = "registry.example/landscaper";

/** A test file that takes less than a second. */
const smallTest = "scripts/test-run/reruns";

export const scriptStarts: Readonly<Record<string, ScriptStart>> = {
  setup: { smallest: asDocumented(), prints: /./ },
  unit: {
    smallest: (words) => (words.some((word) => word.endsWith(".test.ts")) ? words : [...words, "--listTests"]),
    prints: /Tests: +\d+ passed|\.test\.ts$/m,
  },
  e2e: { smallest: listTests, prints: /suites\/.*\.test\.ts$/m, merges: "all" },
  "e2e:full": { smallest: listTests, prints: /suites\/.*\.test\.ts$/m },
  bench: {
    // One call starts all of them, which share a control plane.
    smallest: ([name = ""], { benches }) =>
      ["all", "--help", ...benches].includes(name) ? ["all", "--smallest"] : undefined,
    prints: /^(?:ran|skipped): installations: /m,
  },
  "deployer-conformance": {
    smallest: (words) => ["--list", ...valueOf(words, "--scenario")],
    prints: /^J2 +\S.*\n +\S/m,
  },
  record: {
    smallest: asDocumented("--dry-run"),
    prints: /^would record \S+: \S+: \d+ cases$/m,
    merges: "named",
  },
  "record:field-types": { smallest: asDocumented("--dry-run"), prints: /^would write libs\/local-cluster\/\S+$/m },
  "record:parity": { smallest: asDocumented("--dry-run"), prints: /^would record \S/m },
  "record:workloads": { smallest: asDocumented("--dry-run"), prints: /^would record \S/m },
  cluster: {
    // The node of `--node` has suites of its own, which start it in the same way.
    smallest: () => [],
    prints: /^export KUBECONFIG=\S+; kubectl: \S+$/m,
    stays: true,
    needs: "control plane",
  },
  "test:without": {
    smallest: asDocumented("--dry-run"),
    prints: /^without \S+: would run \d+ files of tests$/m,
  },
  fuzz: {
    smallest: ([language = "", ...words]) => [
      language,
      ...valueOf(words, "--only"),
      ...valueOf(words, "--seed"),
      "--smallest",
    ],
    prints: /: \d+ cases, no difference$/m,
    needs: "engines",
  },
  flakes: { smallest: () => ["1", smallTest], prints: /^1 round, 1 without a failure/m },
  compose: { smallest: asDocumented("--dry-run"), prints: /^would make \.compose and \.env in /m },
  packages: { smallest: asDocumented("--dry-run"), prints: /^would pack @landscaper\/deployer$/m },
  images: { smallest: asDocumented("--dry-run"), prints: /^would build \S+-a(?:md|rm)64\.tar$/m },
  release: {
    smallest: (words) => (words.includes("--registry") ? ["1000.0.0", "--registry", registry, "--dry-run"] : undefined),
    prints: /^would move what is unreleased to "## 1000\.0\.0 - /m,
  },
  charts: { smallest: asDocumented(), prints: /landscaper-stack/ },
  components: {
    smallest: (words) => (words.includes("--registry") ? ["--registry", registry] : undefined),
    prints: /landscaper\.gardener\.cloud\/manifest-deployer/,
  },
  generate: { smallest: asDocumented(), prints: /./ },
  new: {
    smallest: ([kind = "", name = ""]) => [kind, isPlaceholder(name) ? "word-count" : name, "--dry-run"],
    prints: /^would write \S+\/package\.json$/m,
  },
  typecheck: { smallest: () => ["libs/json", "--verbose"], prints: /Projects in this build: / },
  lint: { smallest: () => ["commands"], prints: /^ok +commands/m },
  format: { smallest: asDocumented(), prints: /./ },
};

/** It runs all suites, the one about documented commands among them, which therefore does not start it. */
export const outerScripts: ReadonlySet<string> = new Set(["test"]);
