// Failures of test files that jest does not see: errors after the last test of a file, and the end of a worker, after which jest runs the file again.
// The workers append them to a file, which failure-reporter.mjs reads when all workers have ended.
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { EventEmitter } from "node:events";
import { relative } from "node:path";
import { inspect } from "node:util";

/** Environment variable that names the file of the failures; failure-reporter.mjs sets it. */
export const failuresVariable = "TEST_FAILURES";

/** Path of the test file that started the work in hand. */
const startedBy = new AsyncLocalStorage();
/** Path of the test file that runs; undefined between two files. */
let running;
let last;
/** Of jest; tests may change it. */
const folder = process.cwd();

/** The process as jest's framework sees it: emits the errors of the file that runs, and no others. */
export const processOfFile = new EventEmitter();

/** Runs a test file and attributes to it what its code does later. */
export async function runAsFile(testPath, run) {
  running = testPath;
  last = testPath;
  try {
    return await startedBy.run(testPath, run);
  } finally {
    running = undefined;
  }
}

const isWorker = process.send !== undefined;

/** Records that a file has failed. Must not throw: it runs where no handler would catch the error. */
function record(file, message) {
  const path = process.env[failuresVariable];
  // An error that jest's own process raises after its report can only change the exit code.
  if (!isWorker) process.exitCode = 1;
  if (path === undefined) console.error(`${file}: ${message}`);
  else appendFileSync(path, `${JSON.stringify({ file, message })}\n`);
}

/** What requests of `node:http` are known by: the test file that sent them, and a text. Their errors name neither. */
const sentRequests = new WeakMap();
/** The same by the errors of requests. */
const failedRequests = new WeakMap();

/** The first line of the stack that is neither of Node.js nor of this file. */
function findCaller() {
  const lines = new Error().stack?.split("\n").slice(1) ?? [];
  const caller = lines.find((line) => !line.includes("node:") && !line.includes("file-failures.mjs"));
  return caller === undefined ? "" : ` ${relative(folder, caller.trim().replace(/^at /, "").replace("file://", ""))}`;
}

function traceRequests() {
  subscribe("http.client.request.created", ({ request }) => {
    const text = `${request.method} ${request.protocol}//${request.getHeader("host")}${request.path}`;
    sentRequests.set(request, { file: startedBy.getStore() ?? running, text: `${text}, sent at${findCaller()}` });
  });
  subscribe("http.client.request.error", ({ request, error }) => failedRequests.set(error, sentRequests.get(request)));
}

const whileAnotherRan = (file) =>
  running === undefined || running === file ? "" : `, while ${relative(folder, running)} ran`;

/** Hands an error to the framework if the running file raised it; records it for the file that raised it otherwise. */
function attribute(event, error, ...details) {
  const request = failedRequests.get(error);
  const file = request?.file ?? startedBy.getStore() ?? running ?? last;
  if (file === running && processOfFile.emit(event, error, ...details)) return;
  const text = error instanceof Error ? (error.stack ?? error.message) : `thrown: ${inspect(error)}`;
  const cause = request === undefined ? "" : `\n    ${event} of the request ${request.text}`;
  record(file, `an error after the tests of the file${whileAnotherRan(file)}: ${text}${cause}`);
}

/** Called once in each process that runs test files. */
export function watchFiles() {
  // The listener of jest's worker would end the process.
  if (isWorker) process.removeAllListeners("uncaughtException");
  traceRequests();
  process.on("uncaughtException", (error, origin) => attribute("uncaughtException", error, origin));
  process.on("unhandledRejection", (error, promise) => attribute("unhandledRejection", error, promise));
  process.on("rejectionHandled", (promise) => processOfFile.emit("rejectionHandled", promise));
  process.on("exit", (code) => {
    // jest's own process exits with the result of all files.
    if (!isWorker || code === 0) return;
    const file = startedBy.getStore() ?? running ?? last;
    const when = file === running ? "while the file ran" : `after the tests of the file${whileAnotherRan(file)}`;
    record(file, `the worker process ended with exit code ${code} ${when}`);
  });
}
