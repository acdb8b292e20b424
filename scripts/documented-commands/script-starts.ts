// How the suite documented-commands starts each script of package.json. A start at the smallest size still loads the whole program and parses its arguments.

/** Names that documented commands may contain. */
export interface KnownNames {
  /** Suites and folders of suites, as `npm run e2e -- NAME` takes them. */
  readonly suites: readonly string[];
  readonly benches: readonly string[];
  /** Paths of all test files, relative to the root. */
  readonly testFiles: readonly string[];
}

export interface ScriptStart {
  /** Maps the documented arguments after `npm run SCRIPT --` to those of the start; undefined if the script does not accept them. */
  readonly smallest: (words: readonly string[], known: KnownNames) => readonly string[] | undefined;
  /** Matches its output on stdout or stderr; absent for a script that prints nothing of its own. */
  readonly prints?: RegExp;
  /** The smallest start drops documented words: a start with all of them and `--help` parses them as well. */
  readonly dropsWords?: true;
  /** The script writes files of the working tree, which must be as they were. */
  readonly keepsFiles?: true;
  /** The script does not end by itself: the suite sends SIGTERM once the output matches `prints`. */
  readonly stays?: true;
  /** Documented calls that one start covers: those with names, or all. */
  readonly merges?: "named" | "all";
  /** Requirement of the start: the real engines, or a real control plane. Its test is skipped if it is missing. */
  readonly needs?: "engines" | "control plane";
}

/** Returns true for a word that the reader replaces: NAME, HOST/PREFIX, PART-OF-A-NAME. */
export const isPlaceholder = (word: string): boolean => /^[A-Z][A-Z/_-]+$/.test(word);
const isFlag = (word: string): boolean => word.startsWith("-");

/** Returns the documented words without placeholders, followed by `more`. */
const asDocumented =
  (...more: readonly string[]) =>
  (words: readonly string[]): readonly string[] => [...words.filter((word) => !isPlaceholder(word)), ...more];

/** Makes jest list the selected files without running them. */
function listTests(words: readonly string[], { suites }: KnownNames): readonly string[] | undefined {
  const names = words.slice(0, words.findIndex(isFlag) < 0 ? undefined : words.findIndex(isFlag));
  const unknown = names.filter((name) => !isPlaceholder(name) && !suites.includes(name));
  return unknown.length > 0 ? undefined : [...asDocumented()(words), "--listTests"];
}

function valueOf(words: readonly string[], flag: string): readonly string[] {
  const at = words.indexOf(flag);
  return at < 0 ? [] : words.slice(at, at + 2);
}

/** No start connects to this registry. */
const registry = "registry.example/landscaper";

/** A test file that takes less than a second. */
const smallTest = "scripts/test-run/reruns";

export const scriptStarts: Readonly<Record<string, ScriptStart>> = {
  setup: { smallest: asDocumented() },
  unit: {
    smallest: (words) => (words.some((word) => word.endsWith(".test.ts")) ? words : [...words, "--listTests"]),
    prints: /Tests: +\d+ passed|\.test\.ts$/m,
  },
  e2e: { smallest: listTests, prints: /suites\/.*\.test\.ts$/m, merges: "all" },
  "e2e:full": { smallest: listTests, prints: /suites\/.*\.test\.ts$/m },
  bench: {
    // One start runs all benches, which share a control plane.
    smallest: ([name = ""], { benches }) =>
      ["all", "--help", ...benches].includes(name) ? ["all", "--smallest"] : undefined,
    prints: /^(?:ran|skipped): installations: /m,
    dropsWords: true,
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
    // Without `--node`: the suites about the node start it in the same way.
    smallest: () => [],
    prints: /^export KUBECONFIG=\S+; kubectl: \S+$/m,
    stays: true,
    needs: "control plane",
    dropsWords: true,
  },
  "test:without": {
    smallest: asDocumented("--dry-run"),
    prints: /^without \S+: would run \d+ test files$/m,
  },
  fuzz: {
    smallest: ([language = "", ...words]) => [
      language,
      ...valueOf(words, "--only"),
      ...valueOf(words, "--seed"),
      "--smallest",
    ],
    prints: /: [1-9]\d* cases, no difference$/m,
    dropsWords: true,
    needs: "engines",
  },
  mutants: {
    smallest: () => ["libs/json", "--files", "src/is-nested-deeper.ts", "--sample", "1"],
    prints: /^libs\/json: 1 mutants: /m,
    dropsWords: true,
  },
  flakes: { smallest: () => ["1", smallTest], prints: /^1 round, 1 without a failure/m, dropsWords: true },
  build: { smallest: (words) => ["mock-deployer", ...words], prints: /^built dist\/mock-deployer\.mjs$/m },
  compose: { smallest: asDocumented("--dry-run"), prints: /^would make \.compose and \.env in /m },
  packages: { smallest: asDocumented("--dry-run"), prints: /^would pack @landscaper\/deployer$/m },
  images: { smallest: asDocumented("--dry-run"), prints: /^would build \S+-a(?:md|rm)64\.tar$/m },
  release: {
    smallest: (words) => (words.includes("--registry") ? ["1000.0.0", "--registry", registry, "--dry-run"] : undefined),
    prints: /^would move what is unreleased to "## 1000\.0\.0 - /m,
    dropsWords: true,
  },
  charts: { smallest: asDocumented(), prints: /landscaper-stack/ },
  components: {
    smallest: (words) => (words.includes("--registry") ? ["--registry", registry] : undefined),
    prints: /landscaper\.gardener\.cloud\/manifest-deployer/,
    dropsWords: true,
  },
  generate: { smallest: asDocumented(), keepsFiles: true },
  new: {
    smallest: ([kind = "", name = ""]) => [kind, isPlaceholder(name) ? "word-count" : name, "--dry-run"],
    prints: /^would write \S+\/package\.json$/m,
  },
  typecheck: {
    smallest: (words) => [...(words.length === 0 ? ["libs/json"] : words), "--verbose"],
    prints: /Projects in this build: /,
  },
  lint: { smallest: () => ["commands"], prints: /^ok +commands/m, dropsWords: true },
  format: { smallest: asDocumented(), keepsFiles: true },
};

/** Returns the documented words and `--help`: the script parses all of them, and does nothing. */
export const parsedWords = (words: readonly string[]): readonly string[] => [...words, "--help"];

/** Scripts that run the suite documented-commands, so that the suite cannot start them. */
export const outerScripts: ReadonlySet<string> = new Set(["test"]);
