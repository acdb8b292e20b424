// Judges a deployer that runs in a cluster. usage: see README.md; started by `npm run deployer-conformance`
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { loadProfile, type Profile } from "./profile.ts";
import { formatResult, formatSummary, isPassed } from "./report.ts";
import { rules, secretRule } from "./rules.ts";
import { checkCluster, listScenarios, startRun, type Result, type RunOptions } from "./run.ts";

const usage = `usage: npm run deployer-conformance -- --profile FILE [options]
  --profile FILE            what the kit has to know of the deployer, in YAML or JSON
  --kubeconfig FILE         the cluster of the DeployItems; default: KUBECONFIG
  --target-kubeconfig FILE  the cluster that Targets give access to; default: the same
  --scenario PART           only scenarios of this ID, or with this in their title
  --original                judges by what deployers of the original do: what is stricter is told, and fails nothing
  --parallel N              scenarios at a time; default 16
  --list                    says what is asked for, and plays nothing`;

/** What the user has to change; no stack. */
class UsageError extends Error {
  override readonly name = "UsageError";
}

function parseFlags() {
  const options = {
    profile: { type: "string" },
    kubeconfig: { type: "string" },
    "target-kubeconfig": { type: "string" },
    scenario: { type: "string" },
    original: { type: "boolean" },
    parallel: { type: "string" },
    list: { type: "boolean" },
    help: { type: "boolean" },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : "bad flags"}\n${usage}`, { cause: error });
  }
}

function read(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${flag} ${file}: expected a kubeconfig, found no readable file`, { cause: error });
  }
}

/** Runs the profile's command; its output is the user's. */
function createRestart({ restart }: Profile): (() => Promise<void>) | undefined {
  if (restart === undefined) return undefined;
  const [command = "", ...args] = restart.command;
  return async () =>
    new Promise((resolve, reject) => {
      const child = spawn(command, args, { stdio: ["ignore", "ignore", "inherit"] });
      child.on("error", (cause) => reject(new Error(`restart: cannot run ${command}`, { cause })));
      child.on("exit", (code) =>
        code === 0 ? resolve() : reject(new Error(`restart: ${command} ended with ${code}`)),
      );
    });
}

function list(part: string | undefined): void {
  for (const { id, title, contract, isStricter, needs } of listScenarios(part)) {
    console.log(`${id.padEnd(3)}  ${title}${isStricter === true ? " [stricter]" : ""}\n     ${contract}`);
    if (needs.length > 0) console.log(`     needs of the profile: ${needs.join(", ")}`);
  }
  for (const { id, title, contract } of [...rules, secretRule])
    console.log(`${id.padEnd(3)}  ${title}\n     ${contract}`);
}

function optionsOf(flags: ReturnType<typeof parseFlags>): RunOptions {
  const file = flags.kubeconfig ?? process.env["KUBECONFIG"];
  if (flags.profile === undefined) throw new UsageError(`--profile: expected a file, found none\n${usage}`);
  if (file === undefined)
    throw new UsageError(`--kubeconfig: expected a file, found none; nor is there KUBECONFIG\n${usage}`);
  const parallel = flags.parallel === undefined ? undefined : Number(flags.parallel);
  if (parallel !== undefined && !(Number.isInteger(parallel) && parallel > 0)) {
    throw new UsageError(`--parallel: expected a number from 1 on, found ${JSON.stringify(flags.parallel)}`);
  }
  const scenarios = listScenarios(flags.scenario);
  if (scenarios.length === 0) {
    throw new UsageError(
      `--scenario: expected an ID or a part of a title, found ${JSON.stringify(flags.scenario)}; see --list`,
    );
  }
  const profile = loadProfile(flags.profile);
  const target = flags["target-kubeconfig"];
  return {
    profile,
    kubeconfig: read("--kubeconfig", file),
    targetKubeconfig: target === undefined ? undefined : read("--target-kubeconfig", target),
    restart: createRestart(profile),
    scenarios,
    parallel,
  };
}

async function main(): Promise<number> {
  const flags = parseFlags();
  if (flags.help === true) console.log(usage);
  if (flags.list === true) list(flags.scenario);
  if (flags.help === true || flags.list === true) return 0;
  const options = optionsOf(flags);
  await checkCluster(options);
  const run = startRun(options);
  const results: Result[] = [];
  for (const { result } of run.results) {
    const found = await result;
    results.push(found);
    console.log(formatResult(found));
  }
  for (const namespace of await run.ended) console.error(`left behind: namespace ${namespace}`);
  console.log(formatSummary(results));
  return isPassed(results, flags.original === true) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
