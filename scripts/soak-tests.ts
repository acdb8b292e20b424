// Runs the tests that wait for time or processes again and again beside two busy loops: what is right only on a fast machine fails.
// usage: npm run soak-tests [-- --rounds 10 --minutes 60]      A line for each file. No files start that would not end in time.
// Exits 1 when a test has failed in any round.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compileCacheOfTests } from "./test-run/compile-cache-of-tests.ts";
import { listFiles, type FileResult } from "./test-run/jest-counts.ts";
import { describeFile, describeSoak, isSensitive, soakedSuites, type Round } from "./test-run/soak-selection.ts";

const root = join(import.meta.dirname, "..");

function positive(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  console.error(`--${name}: "${text}" is no positive whole number`);
  process.exit(2);
}

function readOptions(): { readonly rounds: number; readonly minutes: number } {
  try {
    const options = { rounds: { type: "string", default: "10" }, minutes: { type: "string", default: "60" } } as const;
    const { values } = parseArgs({ options });
    return { rounds: positive("rounds", values.rounds), minutes: positive("minutes", values.minutes) };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}

/** They end by themselves when this process does: their input closes. */
function startBusyLoops(count: number): readonly ChildProcess[] {
  const loop =
    "process.stdin.on('end', () => process.exit()).resume(); setInterval(() => { const end = Date.now() + 90; while (Date.now() < end); }, 0)";
  return Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", loop], { stdio: ["pipe", "ignore", "ignore"] }),
  );
}

const { rounds: wanted, minutes } = readOptions();
const folder = mkdtempSync(join(tmpdir(), "landscaper-soak-"));
const suites = soakedSuites.map((suite) => `test-e2e/suites/${suite}.test.ts`);
const ofPackages = globSync("{libs,services}/**/{src,test}/**/*.test.ts", {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
}).filter((file) => isSensitive(readFileSync(join(root, file), "utf8")));
const files = [...suites, ...ofPackages];

/** How many runs of jest go on beside each other, and beside the busy loops: most of the time they wait for one another. */
const lanes = 4;
/** Files of one run of jest: to start it takes longer than most files. */
const batchSize = 6;

/** Runs the files in one jest, and returns a result for each. If jest fails although all of them pass, the first result says so. */
async function runFiles(batch: readonly string[], outputFile: string): Promise<readonly FileResult[]> {
  const jest = spawn(
    process.execPath,
    [
      "node_modules/jest/bin/jest.js",
      "--runInBand",
      "--testTimeout=150000",
      "--json",
      `--outputFile=${outputFile}`,
      "--runTestsByPath",
      ...batch,
    ],
    {
      cwd: root,
      stdio: "ignore",
      env: { ...process.env, ...compileCacheOfTests, E2E_CLUSTERS: "embedded" },
    },
  );
  const [status] = (await once(jest, "exit")) as [number | null];
  const results = existsSync(outputFile) ? listFiles(readFileSync(outputFile, "utf8")) : [];
  const found = batch.map((file) => {
    const result = results.find((each) => each.file.endsWith(`/${file}`));
    return result === undefined ? { file, failed: [`${file}: was not run`], seconds: 0 } : { ...result, file };
  });
  if (status === 0 || found.some(({ failed }) => failed.length > 0)) return found;
  const [first, ...others] = found;
  return first === undefined ? [] : [{ ...first, failed: [`${first.file}: (the run itself)`] }, ...others];
}

/** Runs the files in order; none that would not end in time is started. */
async function runRound(round: number, deadline: number): Promise<Round> {
  const began = performance.now();
  const batches = Array.from({ length: Math.ceil(files.length / batchSize) }, (_, index) =>
    files.slice(index * batchSize, (index + 1) * batchSize),
  );
  const waiting = [...batches.entries()];
  const results: FileResult[] = [];
  const runLane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const start = performance.now();
      if (start + slowestMs >= deadline) return;
      const [index, batch] = next;
      const found = await runFiles(batch, join(folder, `${round}-${index}.json`));
      slowestMs = Math.max(slowestMs, performance.now() - start);
      results.push(...found);
      for (const result of found) console.error(describeFile({ ...result, round }));
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return {
    failed: results.flatMap(({ failed }) => failed),
    files: results.length,
    seconds: (performance.now() - began) / 1000,
  };
}

const built = spawnSync(process.execPath, ["scripts/build.ts"], { cwd: root, stdio: "inherit" });
if (built.status !== 0) process.exit(1);
console.error(`${files.length} files, ${wanted} rounds, at most ${minutes} minutes`);
/** Of a run of jest so far. */
let slowestMs = 0;
const deadline = performance.now() + minutes * 60_000;
const loops = startBusyLoops(2);
const rounds: Round[] = [];
while (rounds.length < wanted && performance.now() + slowestMs < deadline)
  rounds.push(await runRound(rounds.length + 1, deadline));
for (const loop of loops) loop.kill();
rmSync(folder, { recursive: true, force: true });
for (const line of describeSoak(rounds, { rounds: wanted, files: files.length })) console.log(line);
process.exit(rounds.some(({ failed }) => failed.length > 0) ? 1 : 0);
