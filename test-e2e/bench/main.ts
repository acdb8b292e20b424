// Runs benches. usage: npm run bench -- --help
import { join } from "node:path";
import { shareClusters } from "../src/clusters/worker-clusters.ts";
import { serviceNames } from "../src/services/service-process.ts";
import { runChild } from "../../scripts/run-child.mjs";
import { refuseTakenFlags } from "../../scripts/command-line.ts";
import { benches } from "./benches.ts";
import { describeOutcome, exitStatusOf, type Outcome } from "./judge-run.ts";
import { provideBundles } from "./measure/provide-bundles.ts";
import { benchFlags, describeUsage, planBenches, runsApart, type BenchPlan, type PlannedRun } from "./plan-benches.ts";

type RunPlan = Extract<BenchPlan, { readonly type: "run" }>;

const root = join(import.meta.dirname, "../..");
const programs = [...serviceNames, "landscaper-agent", "landscaper"];
const announce = (line: string): void => console.error(line);
const tooSmall = "smallest size: the figures are too small to judge, so a missed budget does not fail";

async function runHere({ bench, values }: PlannedRun, { isSmallest, json }: RunPlan): Promise<Outcome> {
  const { name } = bench;
  try {
    const absence = bench.absence(values, { isSmallest });
    if (absence !== undefined) return { type: "skipped", name, reason: absence };
    if (bench.usesBundles) provideBundles(root, programs);
    const { report, figures, misses } = await bench.run(values, { announce, isSmallest });
    console.log(json ? JSON.stringify(figures, undefined, 2) : report);
    if (isSmallest) announce(`${name}: ${tooSmall}`);
    return { type: "ran", name, misses };
  } catch (error) {
    console.error(error);
    return { type: "failed", name, reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Runs a bench in a new process: the heap of one bench would slow down the next. */
async function runApart({ bench }: PlannedRun, { json }: RunPlan): Promise<Outcome> {
  const { name } = bench;
  const absence = bench.absence(bench.full, { isSmallest: false });
  if (absence !== undefined) return { type: "skipped", name, reason: absence };
  const args = [join(import.meta.dirname, "main.ts"), name, ...(json ? ["--json"] : [])];
  const { status, received } = await runChild(process.execPath, args, { stdio: "inherit" });
  if (received !== undefined) process.exit(Math.max(status, 1));
  if (status === 0) return { type: "ran", name, misses: [] };
  if (status === 1) return { type: "ran", name, misses: ["a figure, see its report above"] };
  return { type: "failed", name, reason: "see its lines above" };
}

async function runAll(plan: RunPlan): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const run of plan.runs) {
    announce(`--- ${run.bench.name}`);
    const began = performance.now();
    outcomes.push(runsApart(plan) ? await runApart(run, plan) : await runHere(run, plan));
    announce(`--- ${run.bench.name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
  return outcomes;
}

async function run(plan: RunPlan): Promise<void> {
  // Inherited if a test starts this program. It would make this process behave as a test worker, which shares clusters differently.
  delete process.env["TEST_FILE"];
  const stopClusters = plan.isSmallest ? shareClusters() : async () => undefined;
  let outcomes: Outcome[];
  try {
    outcomes = await runAll(plan);
  } finally {
    await stopClusters();
  }
  // With --json, stdout has only the figures.
  const tell = plan.json ? announce : console.log;
  if (plan.isAll) for (const outcome of outcomes) tell(describeOutcome(outcome));
  else for (const outcome of outcomes) if (outcome.type !== "ran") announce(describeOutcome(outcome));
  process.exitCode = exitStatusOf(outcomes, plan);
}

// Node's own exit status of an uncaught error, 1, is that of a missed budget.
process.on("uncaughtException", (error) => {
  console.error(error);
  process.exit(3);
});
const advice = "npm run bench -- --help lists all benches and their flags.";
refuseTakenFlags(benchFlags, advice);
const plan = planBenches(process.argv.slice(2), benches);
switch (plan.type) {
  case "help":
    console.log(describeUsage(benches));
    break;
  case "refuse":
    console.error(`${plan.message}\n${advice}`);
    process.exitCode = 2;
    break;
  case "run":
    await run(plan);
}
