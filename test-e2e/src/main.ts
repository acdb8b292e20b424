// Runs the e2e suites on the clusters that this machine has. usage: see test-e2e/README.md; started by scripts/e2e.ts
import { spawnSync } from "node:child_process";
import { existsSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram, provideBinaries } from "../cluster/binaries.ts";
import { provideNodeTools } from "../cluster/node-tools.ts";
import { provideOracles } from "../oracles/build-oracle.ts";
import { examplesFolder } from "./examples-folder.ts";
import { planRun } from "./plan-run.ts";
import { sampleChartsFolder } from "./sample-charts.ts";
import { seedFolder } from "./seed-documents.ts";
import { selectSuites } from "./select-suites.ts";

const root = join(import.meta.dirname, "../..");
const args = process.argv.slice(2);
const isFull = args.includes("--full");
const summaryAt = args.indexOf("--summary");
const summaryFile = summaryAt < 0 ? undefined : args[summaryAt + 1];
/** Everything that is not ours goes to jest, in its order. */
const ownArgs = args.filter((arg, at) => arg !== "--full" && (summaryAt < 0 || at < summaryAt || at > summaryAt + 1));
/** The exact name of a suite, or of a folder of suites, means just those; anything else is a pattern, as jest takes it. */
const suites = selectSuites(ownArgs, globSync("**/*.test.ts", { cwd: join(root, "test-e2e/suites") }));

const plan = planRun(process.env, {
  provideBinaries: () => provideBinaries((line) => console.error(`e2e: ${line}`)),
  provideNode: () => {
    const tools = provideNodeTools((line) => console.error(`e2e: ${line}`));
    return "missing" in tools ? tools : undefined;
  },
  provideOracles: () => provideOracles((line) => console.error(`e2e: ${line}`)),
  hasProgram: (name) => findProgram(name) !== undefined,
  hasExamples: existsSync(examplesFolder),
  hasSeeds: existsSync(seedFolder),
  hasCharts: existsSync(sampleChartsFolder),
});
for (const line of plan.summary) console.error(line);
if (summaryFile !== undefined) writeFileSync(summaryFile, `${plan.summary.join("\n")}\n`);
if (plan.failure !== undefined) {
  console.error(plan.failure);
  process.exit(1);
}

const result = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/jest/bin/jest.js"),
    // One cluster of the user's is shared by all suites, each of which starts its own services.
    ...(plan.serial ? ["--runInBand"] : []),
    ...plan.leftOut.map((file) => `--testPathIgnorePatterns=suites/${file}`),
    // Above every wait of the harness, whose messages say more than jest's. After a list: the words that follow are no part of it.
    "--testTimeout=150000",
    ...suites.jestArgs,
    // Last: it takes every word that follows for a project.
    "--selectProjects",
    "e2e",
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
    },
  },
);
process.exit(result.status ?? 1);
