import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, expect, it } from "@jest/globals";
import { listFiles } from "./jest-counts.ts";

const folder = mkdtempSync(join(tmpdir(), "file-failures-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
  /** Exit code of jest. */
  readonly status: number;
  /** First messages of the failed files, by their names. */
  readonly failed: Readonly<Record<string, string | undefined>>;
  readonly stderr: string;
}

/** Runs test files in one worker of jest with our framework and our reporter: the longest file first. */
function runJest(name: string, files: Readonly<Record<string, string>>, ...args: readonly string[]): Run {
  const root = join(folder, name);
  mkdirSync(root);
  for (const [file, body] of Object.entries(files)) {
    writeFileSync(join(root, `${file}.test.mjs`), `import { expect, it } from "@jest/globals";\n${body}`);
  }
  const config = {
    rootDir: root,
    cacheDirectory: join(root, "cache"),
    testMatch: ["**/*.test.mjs"],
    testRunner: join(import.meta.dirname, "run-natively.mjs"),
    reporters: [join(import.meta.dirname, "failure-reporter.mjs")],
    transform: {},
    maxWorkers: 1,
    workerIdleMemoryLimit: "1GB",
    workerGracefulExitTimeout: 60_000,
    testTimeout: 150_000,
  };
  writeFileSync(join(root, "jest.config.json"), JSON.stringify(config));
  const jest = join(import.meta.dirname, "../../node_modules/jest/bin/jest.js");
  const results = join(root, "results.json");
  const options = ["--config", join(root, "jest.config.json"), "--json", `--outputFile=${results}`, ...args];
  const { status, stderr } = spawnSync(process.execPath, [jest, ...options], { cwd: root, encoding: "utf8" });
  if (status === null || !existsSync(results)) throw new Error(`jest wrote no results: ${stderr}`);
  const failed = listFiles(readFileSync(results, "utf8")).filter((file) => file.failed.length > 0);
  const messages = failed.map(({ file, firstMessage }) => [relative(root, file), firstMessage] as const);
  return { status, failed: Object.fromEntries(messages), stderr };
}

/** Ends when jest has no more work for the worker: end-worker.mjs then removes the listeners of its messages. */
const afterEnd = (action: string): string => `
const timer = setInterval(() => {
  if (process.listenerCount("message") > 0) return;
  clearInterval(timer);
  ${action}
}, 1);`;

const passing = `it("passes", () => expect(1).toBe(1));`;

it.each([
  {
    name: "a rejection",
    action: `Promise.reject(new Error("late rejection"));`,
    message: "an error after the tests of the file: Error: late rejection",
  },
  {
    name: "an exception",
    action: `throw new Error("late exception");`,
    message: "an error after the tests of the file: Error: late exception",
  },
  {
    name: "an exit",
    action: `process.exit(3);`,
    message: "the worker process ended with exit code 3 after the tests of the file",
  },
])("fails a file that leaves $name behind", ({ name, action, message }) => {
  const run = runJest(name, { a: `${passing}${afterEnd(action)}` });
  expect([run.status, run.failed]).toEqual([1, { "a.test.mjs": message }]);
  expect(run.stderr).toContain(`FAIL a.test.mjs\n  ${message}`);
});

it("fails the file that sent a request nobody listens to, and names the request", () => {
  const guilty = `import { createServer, get } from "node:http";
${passing}
const server = createServer(() => undefined).listen(0, "127.0.0.1", () => {
  get("http://127.0.0.1:" + server.address().port + "/late", { agent: false });
});
const timer = setInterval(() => {
  if (globalThis.innocentRuns === undefined) return;
  clearInterval(timer);
  process.once("uncaughtException", () => setImmediate(globalThis.innocentRuns));
  server.closeAllConnections();
  server.close();
}, 1);`;
  const innocent = `it("waits", () => new Promise((done) => (globalThis.innocentRuns = done)));`;
  const run = runJest("request", { guilty, innocent });
  expect([run.status, Object.keys(run.failed)]).toEqual([1, ["guilty.test.mjs"]]);
  expect(run.stderr).toMatch(
    /Error: (socket hang up|read ECONNRESET)[^]*uncaughtException of the request GET http:\/\/127\.0\.0\.1:\d+\/late, sent at .*guilty\.test\.mjs:\d+/,
  );
});

it("fails the file that left an error behind, not the file that runs when the error occurs", () => {
  const guilty = `${passing}
const timer = setInterval(() => {
  if (globalThis.innocentRuns === undefined) return;
  clearInterval(timer);
  setImmediate(globalThis.innocentRuns);
  Promise.reject(new Error("late rejection"));
}, 1);`;
  const innocent = `it("waits", () => new Promise((done) => (globalThis.innocentRuns = done)));`;
  expect(runJest("next", { guilty, innocent })).toMatchObject({
    status: 1,
    failed: {
      "guilty.test.mjs": "an error after the tests of the file, while innocent.test.mjs ran: Error: late rejection",
    },
  });
});

it("leaves errors during the tests of a file to jest's framework", () => {
  const raises = `it("raises", () =>
  new Promise((done) => setTimeout(() => { setImmediate(done); throw new Error("raised"); }, 1)));`;
  const { status, failed } = runJest("during", { raises });
  expect([status, failed]).toEqual([1, { "raises.test.mjs": "raises: Error: raised" }]);
});

it("fails a file that ends its worker and passes when jest runs it again", () => {
  const body = `import { existsSync, writeFileSync } from "node:fs";
it("passes at last", () => {
  const [once, twice] = ["once", "twice"].map((name) => new URL(name, import.meta.url));
  const next = [once, twice].find((file) => !existsSync(file));
  if (next === undefined) return;
  writeFileSync(next, "");
  process.exit(1);
});`;
  const { status, failed } = runJest("again", { a: body });
  const message = "the worker process ended with exit code 1 while the file ran";
  expect([status, failed]).toEqual([1, { "a.test.mjs": message }]);
});

it("exits with an error if a file leaves an error behind in jest's own process", () => {
  const late = `process.prependOnceListener("beforeExit", () => setImmediate(() => { throw new Error("late exception"); }));`;
  const { status, stderr } = runJest("in-band", { a: `${passing}\n${late}` }, "--runInBand");
  expect(status).toBe(1);
  expect(stderr).toContain("an error after the tests of the file: Error: late exception");
});
