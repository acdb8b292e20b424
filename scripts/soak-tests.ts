// Runs the tests that wait for time or processes again and again beside two busy loops: what is right only on a fast machine fails.
// usage: npm run soak-tests [-- --rounds 10 --minutes 60]      Exits 1 when a test has failed in any round.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { listFailed } from "./jest-counts.ts";
import { describeSoak, fitsAnother, isSensitive, soakedSuites, type Round } from "./soak-selection.ts";

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
const files = globSync("{libs,services}/**/{src,test}/**/*.test.ts", {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
})
  .filter((file) => isSensitive(readFileSync(join(root, file), "utf8")))
  .concat(soakedSuites.map((suite) => `test-e2e/suites/${suite}.test.ts`));

function runRound(number: number): Round {
  const outputFile = join(folder, `${number}.json`);
  const began = performance.now();
  const { status } = spawnSync(
    process.execPath,
    [
      "node_modules/jest/bin/jest.js",
      "--runTestsByPath",
      ...files,
      "--testTimeout=150000",
      "--json",
      `--outputFile=${outputFile}`,
    ],
    { cwd: root, stdio: ["ignore", "ignore", "ignore"], env: { ...process.env, E2E_CLUSTERS: "embedded" } },
  );
  const failed = listFailed(readFileSync(outputFile, "utf8"));
  const round = {
    failed: failed.length === 0 && status !== 0 ? ["(the run itself)"] : failed,
    seconds: (performance.now() - began) / 1000,
  };
  console.error(`round ${number}: ${round.failed.length} failed, ${round.seconds.toFixed(0)} s`);
  return round;
}

const built = spawnSync(process.execPath, ["scripts/build.ts"], { cwd: root, stdio: "inherit" });
if (built.status !== 0) process.exit(1);
console.error(`${files.length} files, ${wanted} rounds, at most ${minutes} minutes`);
const loops = startBusyLoops(2);
const rounds: Round[] = [];
while (rounds.length < wanted && fitsAnother(rounds, minutes * 60)) rounds.push(runRound(rounds.length + 1));
for (const loop of loops) loop.kill();
rmSync(folder, { recursive: true, force: true });
for (const line of describeSoak(rounds, wanted)) console.log(line);
process.exit(rounds.some(({ failed }) => failed.length > 0) ? 1 : 0);
