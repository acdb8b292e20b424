// jest's test framework on plain Node modules: usage in jest.config.mjs: `testRunner`.
//
// By default jest links every module of a test again for each file, in a context of its own: three quarters of the time of our tests. Here the files, and
// everything that they import, are modules of the worker's process, which Node loads, strips of their types and caches. Files that run in
// the same worker share the state of modules. Everything else is jest's own: order, hooks, timeouts, reports.
import { appendFileSync, readFileSync } from "node:fs";
import { createRequire, flushCompileCache, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { endWithTests } from "./end-worker.mjs";
import { processOfFile, runAsFile, watchFiles } from "./file-failures.mjs";
import { useGlobals } from "./jest-globals.mjs";
import stopWorkerClusters from "./stop-worker-clusters.mjs";

const require = createRequire(import.meta.url);
const { default: runFile } = require("jest-circus/runner");

const globals = new URL("./jest-globals.mjs", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals" ? { url: globals, shortCircuit: true } : next(specifier, context),
});

/** Ending a real control plane takes a second or two, and the processors may be busy. jest waits for longer (jest.config.mjs). */
const endGraceMs = 5_000;
// Where tests run in jest's own process, nobody sends the message.
endWithTests({ stop: stopWorkerClusters, graceMs: endGraceMs });
watchFiles();

/** What the framework asks of jest's module system, done by Node's. */
const byNode = {
  // One instance for each file, because it holds the tests that the file has defined. Its listeners are global: those of the file before would
  // report the tests of this one again.
  requireInternalModule: (path) => {
    delete require.cache[path];
    delete globalThis[Symbol.for("EVENT_HANDLERS")];
    const { initialize, ...others } = require(path);
    if (initialize === undefined) return others;
    return { ...others, initialize: (options) => initialize({ ...options, parentProcess: processOfFile }) };
  },
  unstable_shouldLoadAsEsm: () => true,
  unstable_importModule: (path) => import(pathToFileURL(path).href),
  setGlobalsForRuntime: useGlobals,
};

/**
 * jest maps the positions of each stack that is read back to sources. Node strips types in place, so that positions are those of the sources already, and streams
 * read the stack of every error that ends them: of each request that is given up.
 */
function useStacksOfNode() {
  delete Error.prepareStackTrace;
}

/** Seconds of processor that this worker and its children that have ended have used; Linux counts them in ticks of 10 ms. */
function processorSeconds() {
  const text = readFileSync("/proc/self/stat", "utf8");
  const afterName = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return afterName.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/** Appends a line for the file: what it took, in seconds (see test-profile.ts). */
async function runProfiled(profile, testPath, run) {
  const [wall, processor] = [performance.now(), processorSeconds()];
  try {
    return await run();
  } finally {
    const seconds = (performance.now() - wall) / 1000;
    const line = { testPath, seconds, processor: processorSeconds() - processor, worker: process.pid };
    appendFileSync(profile, `${JSON.stringify(line)}\n`);
  }
}

/** Node writes what it has compiled at the end of the process, which jest would cut off; what a file has added is a small part of that. */
async function runAndFlush(run) {
  try {
    return await run();
  } finally {
    flushCompileCache();
  }
}

/** The parameters are those of jest-circus/runner: among them are the runtime (4th) and the path of the test file (5th). */
export default function runNatively(...parameters) {
  const [globalConfig, config, environment, runtime, testPath, ...rest] = parameters;
  const native = new Proxy(runtime, {
    get: (target, property) => {
      if (Object.hasOwn(byNode, property)) return byNode[property];
      const value = Reflect.get(target, property);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  // For what depends on the file that runs, such as which clusters its suite is for.
  process.env.TEST_FILE = testPath;
  useStacksOfNode();
  const runTests = () => runFile(globalConfig, config, environment, native, testPath, ...rest);
  const run = () => runAndFlush(() => runAsFile(testPath, runTests));
  const profile = process.env.TEST_PROFILE;
  return profile === undefined ? run() : runProfiled(profile, testPath, run);
}
