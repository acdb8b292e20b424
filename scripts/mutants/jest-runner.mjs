// The test framework of one jest process that runs tests many times: for each test file without a mutant, or for each mutant its test files.
// `run-tests.ts` starts the process, and names the job in MUTANTS_JOB. Each line to file descriptor 3 is an event.
//
// Each run loads the test file, and the modules between it and the mutant, anew: their URLs get a query, and the mutated module its other text. All other
// modules stay loaded, as between test files that share a worker.
import { readFileSync, writeSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import runNatively from "../test-run/run-natively.mjs";
import stopWorkerClusters from "../test-run/stop-worker-clusters.mjs";

const root = join(import.meta.dirname, "../..");
const job = JSON.parse(readFileSync(process.env.MUTANTS_JOB, "utf8"));
/** Tests may replace the clock. */
const { now } = Date;
const report = (event) => writeSync(3, `${JSON.stringify(event)}\n`);

/** Above it the process ends, and the next one continues: Node.js never unloads a module. */
const maxMemoryBytes = 1_200 * 1024 * 1024;

/** What the current run loads anew: paths relative to the root, a word for their URLs, and the mutated module. */
let current = { fresh: new Set(), word: "", mutated: undefined };
const stripped = new Map();

/** Returns the text of a module without types. Positions stay the same. */
function sourceOf(path) {
  const { mutated } = current;
  if (mutated?.path === path) return stripTypeScriptTypes(mutated.text, { mode: "strip" });
  const known = stripped.get(path) ?? stripTypeScriptTypes(readFileSync(join(root, path), "utf8"), { mode: "strip" });
  stripped.set(path, known);
  return known;
}

const pathOf = (url) => relative(root, fileURLToPath(url.split("?", 1)[0]));

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    const isFresh = found.url.startsWith("file:") && found.url.includes(".ts") && current.fresh.has(pathOf(found.url));
    return isFresh ? { ...found, url: `${found.url.split("?", 1)[0]}?${current.word}`, format: "module" } : found;
  },
  load: (url, context, next) => {
    const isFresh = current.word !== "" && url.endsWith(`?${current.word}`);
    return isFresh ? { format: "module", source: sourceOf(pathOf(url)), shortCircuit: true } : next(url, context);
  },
});

/** Skips the tests after the first failure. */
function failFast(environment) {
  let hasFailed = false;
  const handleTestEvent = (event) => {
    if (event.name === "test_start" && hasFailed) event.test.mode = "skip";
    if (event.name === "test_done" && event.test.errors.length > 0) hasFailed = true;
  };
  return new Proxy(environment, {
    get: (target, property) => {
      if (property === "handleTestEvent") return handleTestEvent;
      const value = Reflect.get(target, property);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Runs a test file; returns the first failure, undefined if all passed. */
async function runOnce([globalConfig, config, environment, runtime], test) {
  try {
    const result = await runNatively(globalConfig, config, failFast(environment), runtime, join(root, test));
    const failed = result.testResults.find(({ status }) => status === "failed");
    if (failed !== undefined) return `${failed.fullName}: ${failed.failureMessages[0] ?? ""}`;
    if (result.testExecError) return String(result.testExecError.message ?? result.testExecError);
    return result.numPassingTests > 0 ? undefined : "no test passed";
  } catch (error) {
    return String(error?.message ?? error);
  }
}

/** Runs each test file twice without a mutant: the first run measures coverage, the second whether a run changes the result of the next one. */
async function runBaseline(parameters) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  for (const [index, { path: test, fresh }] of job.tests.entries()) {
    const freshPaths = new Set(fresh);
    report({ type: "start", test });
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    current = { fresh: freshPaths, word: `baseline-${index}`, mutated: undefined };
    const failure = await runOnce(parameters, test);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    await session.post("Profiler.stopPreciseCoverage");
    const scripts = result.filter(({ url }) => url.endsWith(`?${current.word}`));
    const coverage = Object.fromEntries(
      scripts
        .map(({ url, functions }) => [pathOf(url), functions.flatMap(({ ranges }) => ranges)])
        .filter(([path]) => job.files.includes(path)),
    );
    current = { fresh: freshPaths, word: `again-${index}`, mutated: undefined };
    const started = process.cpuUsage();
    const again = failure ?? (await runOnce(parameters, test));
    const { user, system } = process.cpuUsage(started);
    report({ type: "baseline", test, failure: again, ms: (user + system) / 1000, coverage });
  }
}

async function runMutant(parameters, { id, path, text, tests }) {
  current = { fresh: new Set(job.fresh[path]), word: `mutant-${id}`, mutated: { path, text } };
  for (const test of tests) {
    report({ type: "start", id, test });
    const failure = await runOnce(parameters, test);
    if (failure !== undefined) return { test, failure: failure.slice(0, 500) };
  }
  return {};
}

async function runMutants(parameters) {
  for (const mutant of job.mutants) {
    report({ type: "end", id: mutant.id, ...(await runMutant(parameters, mutant)) });
    if (process.memoryUsage.rss() > maxMemoryBytes || now() > job.deadlineMs) break;
  }
  // A mutant that changes the process would make all later results wrong.
  for (const [index, { path: test, fresh }] of job.tests.entries()) {
    current = { fresh: new Set(fresh), word: `last-${index}`, mutated: undefined };
    report({ type: "start", test });
    const failure = await runOnce(parameters, test);
    if (failure !== undefined) report({ type: "spoilt", test, failure: failure.slice(0, 500) });
  }
}

export default async function runJob(...parameters) {
  await (job.mutants === undefined ? runBaseline(parameters) : runMutants(parameters));
  report({ type: "done" });
  await stopWorkerClusters();
  process.exit(0);
}
