// Runs the e2e suites on the clusters that this machine has, with --all the packages' own tests beside them. usage: see test-e2e/README.md;
// started by scripts/e2e.ts
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { findProgram } from "@landscaper/testkit";
import { mayBuildTools, provideBinaries } from "../cluster/binaries.ts";
import { removeLeftovers } from "../cluster/leftovers.ts";
import { provideNodeTools } from "../cluster/node-tools.ts";
import { provideOracles } from "../oracles/build-oracle.ts";
import { countWorkers, planRun } from "./runs/plan-run.ts";
import { findSampleFolder } from "./examples/sample-folder.ts";
import { usageFolderVariable } from "./clusters/access-log.ts";
import { selectSuites } from "./runs/select-suites.ts";
import { findUnusedRights, readUses } from "./clusters/unused-rights.ts";
import { runChild } from "../../scripts/run-child.mjs";
import { testTimeoutMs } from "../../scripts/test-run/test-timeout.ts";

const root = join(import.meta.dirname, "../..");
const args = process.argv.slice(2);
const isFull = args.includes("--full");
const isAll = args.includes("--all");
const summaryAt = args.indexOf("--summary");
const summaryFile = summaryAt < 0 ? undefined : args[summaryAt + 1];
/** Everything that is not ours goes to jest, in its order. */
const ownArgs = args.filter(
  (arg, at) => !["--full", "--all"].includes(arg) && (summaryAt < 0 || at < summaryAt || at > summaryAt + 1),
);
/** The exact name of a suite, or of a folder of suites, means just those; anything else is a pattern, as jest takes it. */
const suites = selectSuites(ownArgs, globSync("**/*.test.ts", { cwd: join(root, "test-e2e/suites") }));

/** Returns true if a recorded case, or a program around a real engine, has uncommitted changes: the real engine must judge them. */
function hasChangedCases(): boolean {
  const places = [":(glob)libs/*/testdata/**", "test-e2e/oracles"];
  const { stdout } = spawnSync("git", ["status", "--porcelain", "--", ...places], { cwd: root, encoding: "utf8" });
  return (stdout ?? "") !== "";
}

const plan = planRun(process.env, {
  provideBinaries: () => provideBinaries((line) => console.error(`e2e: ${line}`)),
  provideNode: () => {
    const tools = provideNodeTools((line) => console.error(`e2e: ${line}`));
    return "missing" in tools ? tools : undefined;
  },
  provideOracles: () => {
    const mayBuild = mayBuildTools(process.env) || hasChangedCases();
    return provideOracles((line) => console.error(`e2e: ${line}`), { mayBuild });
  },
  hasProgram: (name) => findProgram(name) !== undefined,
  findSamples: () => findSampleFolder(process.env),
});
for (const line of plan.summary) console.error(line);
if (summaryFile !== undefined) writeFileSync(summaryFile, `${plan.summary.join("\n")}\n`);
if (plan.failure !== undefined) {
  console.error(plan.failure);
  if (!isAll) process.exit(1);
}
/** Without the suites when they cannot run as they are demanded: the other tests have something to say all the same. */
const projects = isAll ? (plan.failure === undefined ? [] : ["--ignoreProjects", "e2e"]) : ["--selectProjects", "e2e"];

/** Only where every suite runs on a control plane of ours: each right of the services has to be used by one of them. */
const findsUnused =
  isFull &&
  !ownArgs.includes("--listTests") &&
  ownArgs.every((arg) => arg.startsWith("-")) &&
  plan.clusters.includes("real") &&
  process.env["KUBECONFIG_E2E"] === undefined;
const usageFolder = findsUnused ? mkdtempSync(join(tmpdir(), "landscaper-rights-")) : undefined;

const { status, received } = await runChild(
  process.execPath,
  [
    join(root, "node_modules/jest/bin/jest.js"),
    // One cluster of the user's is shared by all suites, each of which starts its own services.
    ...(plan.serial ? ["--runInBand"] : []),
    ...(plan.serial ? [] : [`--maxWorkers=${countWorkers(availableParallelism(), totalmem())}`]),
    ...plan.leftOut.map((file) => `--testPathIgnorePatterns=/${file}`),
    // Above every wait of the harness, whose messages say more than jest's. After a list: the words that follow are no part of it.
    `--testTimeout=${testTimeoutMs}`,
    ...suites.jestArgs,
    // Last: it takes every word that follows for a project.
    ...projects,
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      E2E_CLUSTERS: plan.clusters.join(","),
      // What a user has asked for by name: a suite that costs much in `npm test` runs whole then.
      E2E_NAMED: suites.named.join(" "),
      ...(isFull ? { E2E_FULL: "1" } : {}),
      ...(usageFolder === undefined ? {} : { [usageFolderVariable]: usageFolder }),
    },
  },
);
// Workers end with their clusters, and cannot remove what is open until then.
await removeLeftovers();
const unused = usageFolder === undefined ? [] : findUnusedRights(readUses(usageFolder));
if (usageFolder !== undefined) {
  rmSync(usageFolder, { recursive: true });
  console.error(`rights of the services: ${unused.length === 0 ? "each was used" : `${unused.length} were not used`}`);
  for (const line of unused) console.error(line);
}
/** Not jest's 1: `npm test` must not take it for files that failed once and passed later. */
const badRun = 3;
if (received !== undefined) process.exit(Math.max(status, badRun));
process.exit(plan.failure === undefined && unused.length === 0 ? status : badRun);
