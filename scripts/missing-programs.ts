// Checks that tests skip, with a reason, what needs a missing program. Hides one program at a time (test-e2e/cluster/without-program.sh; needs root), and runs the
// tests that could start it. usage: npm run test:without [-- PROGRAM...] [--dry-run]      Exits 1 if a test fails, or if the summary does not name the program.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCommandLine, refuse } from "./command-line.ts";
import { countAll, countTests, describeSkipped, formatCounts, listFailed } from "./test-run/jest-counts.ts";

interface MissingProgram {
  readonly program: string;
  /** Patterns of jest for the test files that could start the program. */
  readonly files: readonly string[];
  /** Clusters of the run, if the machine has them. */
  readonly clusters: "embedded" | "embedded,real";
  /** What the summary of `npm test` must say. */
  readonly says: RegExp;
}

const real = ["suites/(crd-names|kubectl|readme|workloads|node|default-context)\\.test", "suites/harness/"] as const;
const node = ["suites/(node|fenced)\\.test", "suites/harness/(real-node|node-parts|plan-run)"] as const;
const registry = "suites/(components|helm-registries|helm-guide|tour|manifests-guide)\\.test";

const missing: readonly MissingProgram[] = [
  {
    program: "docker-registry",
    files: [
      "libs/oci/src/real-registry",
      "libs/cli/src/(component/|commands/render-components)",
      registry,
      "suites/component-constructors\\.test",
      "oracles/(component-tools|helm-(registries|template-sources))",
    ],
    clusters: "embedded",
    says: /^skipped: \d+ tests: the program docker-registry is missing$/m,
  },
  {
    program: "nats-server",
    files: ["libs/events/", "suites/(bad-input|spiff|faults-api-server)\\.test"],
    clusters: "embedded",
    says: /^skipped: \d+ tests: the program nats-server is missing$/m,
  },
  {
    program: "etcd",
    files: real,
    clusters: "embedded,real",
    says: /the real kube-apiserver did not run: there is no etcd/,
  },
  { program: "containerd", files: node, clusters: "embedded,real", says: /^no node: containerd is not installed/m },
  { program: "nft", files: node, clusters: "embedded,real", says: /^no node: nft is not installed/m },
  {
    program: "buildah",
    files: ["suites/images", "scripts/images/"],
    clusters: "embedded",
    says: /^skipped: \d+ tests: the program buildah is missing$/m,
  },
  {
    program: "qemu-aarch64-static",
    files: ["suites/images-arm64", "scripts/images/"],
    clusters: "embedded",
    says: /^skipped: \d+ tests: the program qemu-aarch64-static is missing$/m,
  },
  {
    program: "go",
    files: [
      ...real,
      registry,
      "libs/(gotemplate|helm)/src/.*(golden|recorded|recording)",
      "suites/(oracles/|helm-releases\\.test)",
    ],
    clusters: "embedded,real",
    says: /the real template engines did not run, only their recordings: there is no Go on this machine/,
  },
];

const root = join(import.meta.dirname, "..");
const usage = `usage: npm run test:without [-- PROGRAM...] [--dry-run]
  PROGRAM    one of ${missing.map(({ program }) => program).join(", ")}; default: all
  --dry-run  counts the test files that would run without each program, and runs none`;
const { values, positionals: wanted } = readCommandLine({
  usage,
  options: { "dry-run": { type: "boolean", default: false } },
  acceptsPositionals: true,
});
const unknown = wanted.find((name) => missing.every(({ program }) => program !== name));
if (unknown !== undefined) refuse(`test:without: unknown program "${unknown}"`, usage);
const readIfThere = (file: string): string => (existsSync(file) ? readFileSync(file, "utf8") : "");

const tailOf = (log: string): readonly string[] => log.trimEnd().split("\n").slice(-60);

/** Returns one line per problem; none if all is as expected. */
function runWithout({ program, files, clusters, says }: MissingProgram): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-without-"));
  const [summary, results] = [join(folder, "summary.txt"), join(folder, "results.json")];
  const jest = ["--all", "--summary", summary, "--json", `--outputFile=${results}`, ...files];
  // Hides what Go has built before, because a machine without Go does not have it.
  const env = { ...process.env, E2E_CLUSTERS: clusters, ...(program === "go" ? { LANDSCAPER_E2E_CACHE: folder } : {}) };
  const { status, stderr } = spawnSync(
    "bash",
    ["test-e2e/cluster/without-program.sh", program, process.execPath, "test-e2e/src/main.ts", ...jest],
    { cwd: root, env, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"], maxBuffer: 1 << 28 },
  );
  const text = readIfThere(results);
  const counts = countAll([countTests(text, () => true)], status ?? 1);
  const said = `${readIfThere(summary)}${describeSkipped(counts).join("\n")}`;
  rmSync(folder, { recursive: true, force: true });
  console.log(`without ${program}: ${[formatCounts(counts), ...describeSkipped(counts)].join("; ")}`);
  if (counts.passed === 0) return tailOf(stderr);
  if (counts.failed > 0) return [...listFailed(text), ...tailOf(stderr)];
  return says.test(said) ? [] : [`expected ${String(says)} in the summary, found:\n${said}`];
}

/** Prints how many test files would run without a program. Returns a problem if there are none. */
function listWithout({ program, files }: MissingProgram): readonly string[] {
  const jest = ["node_modules/jest/bin/jest.js", "--listTests", ...files];
  const { stdout } = spawnSync(process.execPath, jest, { cwd: root, encoding: "utf8" });
  const found = stdout.split("\n").filter((line) => line.endsWith(".test.ts"));
  console.log(`without ${program}: would run ${found.length} test files`);
  return found.length > 0 ? [] : [`expected test files for ${files.join(", ")}, found none`];
}

const chosen = missing.filter(({ program }) => wanted.length === 0 || wanted.includes(program));
if (!values["dry-run"]) {
  const programs = chosen.map(({ program }) => program).join(", ");
  console.log(`building the services, then running tests without ${programs}, one program at a time ...`);
  buildBundles();
}
const check = values["dry-run"] ? listWithout : runWithout;
const problems = chosen.flatMap((each) => check(each).map((line) => `without ${each.program}: ${line}`));
for (const line of problems) console.error(line);
process.exit(problems.length === 0 ? 0 : 1);

function buildBundles(): void {
  const { status } = spawnSync(process.execPath, ["scripts/build.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) process.exit(1);
}
