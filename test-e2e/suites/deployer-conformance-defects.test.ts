import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { allScenarios } from "../deployer-conformance/all-scenarios.ts";
import type { Profile } from "../deployer-conformance/profile.ts";
import { loadProfile } from "../deployer-conformance/profile.ts";
import { formatResult } from "../deployer-conformance/report.ts";
import type { Result } from "../deployer-conformance/run.ts";
import { startRun } from "../deployer-conformance/run.ts";
import type { Defect } from "../deployer-conformance/sample/defects.ts";
import { defectNames, defects } from "../deployer-conformance/sample/defects.ts";
import type { SampleDeployers } from "../deployer-conformance/sample/run-sample-deployers.ts";
import { runSampleDeployers } from "../deployer-conformance/sample/run-sample-deployers.ts";
import { isWholeRun } from "../src/clusters/selected-clusters.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { startTestCluster } from "../src/clusters/test-cluster.ts";

// All scenarios for all defects take some minutes: `npm run e2e -- deployer-conformance-defects`.
const isWhole = isWholeRun("deployer-conformance-defects");
const profile = loadProfile(join(import.meta.dirname, "../deployer-conformance/profiles/sample.yaml"));
const folder = mkdtempSync(join(tmpdir(), "deployer-conformance-"));
/** None begins with another one, apart from what a defect makes of that. */
const typeOf = (defect: Defect | undefined): string =>
  `conformance.test/${defect === undefined ? "sound" : `broken-${String(defectNames.indexOf(defect)).padStart(3, "0")}`}`;
const all: readonly (Defect | undefined)[] = [undefined, ...defectNames];
/** Runs at a time: each has many scenarios at a time itself. */
const runsAtATime = isWhole ? 2 : 6;
/** What every defect is shown to leave alone when not all scenarios are played: pickup, jobs, failure, end, deletion. */
const basics = ["J1", "J7", "J10", "J15", "D2"];

interface Judged {
  readonly results: readonly Result[];
  /** Namespaces that have not gone. */
  readonly left: readonly string[];
}

async function judge(kubeconfig: string, defect: Defect | undefined): Promise<Judged> {
  const wanted: readonly string[] = defect === undefined ? [] : [...basics, ...defects[defect]];
  const scenarios = allScenarios.filter(({ id }) => isWhole || defect === undefined || wanted.includes(id));
  const run = startRun({ profile: { ...profile, type: typeOf(defect) }, kubeconfig, scenarios, parallel: 8 });
  const results = await Promise.all(run.results.map(async ({ result }) => result));
  return { results, left: await run.ended };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a third party calls, as a process of its own. */
async function runCommand(...args: readonly string[]): Promise<Ended> {
  const main = join(import.meta.dirname, "../deployer-conformance/main.ts");
  const env = { ...process.env, KUBECONFIG: undefined };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on("exit", resolve)),
  ]);
  return { code, stdout, stderr };
}

const idsOf = (results: readonly Result[], outcome: Result["outcome"]): string[] =>
  results.filter((result) => result.outcome === outcome).map(({ id }) => id);

// The scenarios themselves run on both clusters, in deployer-conformance.test.ts; here it is about what they find.
describe("the deployer conformance kit, on the embedded API server,", () => {
  let cluster: TestCluster;
  let deployers: SampleDeployers;
  const judged = new Map<Defect | undefined, Promise<Judged>>();
  const resultsOf = async (defect: Defect | undefined): Promise<readonly Result[]> =>
    (await judged.get(defect))?.results ?? [];
  beforeAll(async () => {
    cluster = await startTestCluster("embedded");
    deployers = await runSampleDeployers(cluster.kubeconfig, new Map(all.map((defect) => [typeOf(defect), defect])));
    const lanes = Array.from({ length: runsAtATime }, () => Promise.resolve<unknown>(undefined));
    for (const [index, defect] of all.entries()) {
      const results = (lanes[index % runsAtATime] ?? Promise.resolve()).then(async () =>
        judge(cluster.kubeconfig, defect),
      );
      lanes[index % runsAtATime] = results;
      judged.set(defect, results);
    }
  });
  afterAll(async () => {
    await Promise.all(judged.values());
    rmSync(folder, { recursive: true, force: true });
    await deployers.stop();
    await cluster.stop();
  });

  it("finds nothing in a deployer that has no defect", async () => {
    const results = await resultsOf(undefined);
    expect(results.filter(({ outcome }) => outcome === "failed").map(formatResult)).toEqual([]);
    expect(idsOf(results, "not judged")).toEqual(["X1"]);
  });

  it.each(defectNames)("finds a deployer that %s", async (defect) => {
    const results = await resultsOf(defect);
    const found = results.filter(({ outcome }) => outcome === "failed");
    const isAsExpected = idsOf(results, "failed").join() === defects[defect].join();
    expect(isAsExpected ? defects[defect] : found.map(formatResult)).toEqual(defects[defect]);
  });

  it("leaves no namespace behind, whichever scenarios have failed", async () => {
    const all = await Promise.all(judged.values());
    expect(all.flatMap(({ left }) => left)).toEqual([]);
  });

  it("leaves no namespace behind when the cluster of Targets cannot be reached", async () => {
    // Nothing listens there.
    const targetKubeconfig = cluster.kubeconfig.replace(cluster.url, "https://127.0.0.1:1");
    const scenarios = allScenarios.filter(({ id }) => id === "J1");
    const run = startRun({ profile, kubeconfig: cluster.kubeconfig, targetKubeconfig, scenarios });
    expect((await run.results[0]?.result)?.outcome).toBe("failed");
    await run.ended;
    const { items } = await cluster.client.list(kubeResources.namespace);
    const active = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    expect(active.filter(({ metadata }) => metadata.name?.startsWith("conformance-j1-"))).toEqual([]);
  });

  describe("as a command", () => {
    const profileOf = (defect: Defect | undefined, fields: Partial<Profile> = {}): string => {
      const file = join(folder, `${randomUUID()}.json`);
      writeFileSync(file, JSON.stringify({ ...profile, type: typeOf(defect), ...fields }));
      return file;
    };
    const kubeconfig = join(folder, "kubeconfig");
    beforeAll(() => writeFileSync(kubeconfig, cluster.kubeconfig));

    it("prints a line per scenario and rule, and ends with 0 when nothing is found", async () => {
      const flags = ["--profile", profileOf(undefined), "--kubeconfig", kubeconfig];
      const { code, stdout, stderr } = await runCommand(...flags, "--scenario", "pickup");
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^passed          J1   signals the pickup of a job: .* \(\d+\.\d s\)$/m);
      expect(stdout).toMatch(/^passed          R1   ends a job by one write/m);
      expect(stdout).toMatch(/^14 passed, 0 failed, 0 not judged\n$/m);
    });

    it("says what was expected and found, by which sentence of the contract, and ends with 1", async () => {
      const broken = profileOf("does not say which version it is");
      const { code, stdout } = await runCommand("--profile", broken, "--kubeconfig", kubeconfig, "--scenario", "J1");
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /^failed          J1 .*\n    DeployItem conformance-j1-[0-9a-f]+\/item, status\.deployer\.version: expected a text or an object, found ""\n    contract: It sets phase and /m,
      );
      expect(stdout).toMatch(/^11 passed, 1 failed \(J1\), 0 not judged\n$/m);
    });

    it("is judged by what the original's deployers do where that is wanted", async () => {
      const broken = profileOf("takes no timeout for a timeout of nothing");
      const flags = ["--profile", broken, "--kubeconfig", kubeconfig, "--scenario", "T2"];
      const summary = /^11 passed, 0 failed, 1 stricter than the original failed \(T2\), 0 not judged\n$/m;
      const [ours, theirs] = await Promise.all([runCommand(...flags), runCommand(...flags, "--original")]);
      expect([ours.code, theirs.code]).toEqual([1, 0]);
      expect(ours.stdout).toMatch(summary);
      expect(theirs.stdout).toMatch(/^failed          T2   takes timeout: none for no deadline \[stricter\]\n/m);
      expect(theirs.stdout).toMatch(summary);
    });

    it.each([
      [[], 2, /^--profile: expected a file, found none\nusage: /],
      [["--profil", "x"], 2, /--profil/],
      [["--profile", "x"], 2, /^--kubeconfig: expected a file, found none; nor is there KUBECONFIG\n/],
      [["--profile", "x", "--kubeconfig", "KUBECONFIG"], 1, /^x: expected a profile, found no readable file\n$/],
      [
        ["--profile", "PROFILE", "--kubeconfig", "no-such"],
        2,
        /^--kubeconfig no-such: expected a kubeconfig, found no/,
      ],
      [
        ["--profile", "PROFILE", "--kubeconfig", "KUBECONFIG", "--parallel", "0"],
        2,
        /^--parallel: expected a number from 1/,
      ],
      [
        ["--profile", "PROFILE", "--kubeconfig", "KUBECONFIG", "--scenario", "Z9"],
        2,
        /^--scenario: expected an ID or a part/,
      ],
    ])("with %j ends with %i and says why", async (args, expected, message) => {
      const files = new Map([
        ["KUBECONFIG", kubeconfig],
        ["PROFILE", profileOf(undefined)],
      ]);
      const { code, stderr } = await runCommand(...args.map((arg) => files.get(arg) ?? arg));
      expect(stderr).toMatch(message);
      expect(code).toBe(expected);
    });

    it.each([
      ["true", 0, /^passed          X1 /m],
      ["false", 1, /^failed          X1 .*\n    the scenario could not be played: restart: false ended with 1\n/m],
      ["no-such-command", 1, /: restart: cannot run no-such-command\n/],
    ])("runs %s to restart the deployer", async (command, expected, message) => {
      const file = profileOf(undefined, { restart: { command: [command] } });
      const { code, stdout } = await runCommand("--profile", file, "--kubeconfig", kubeconfig, "--scenario", "X1");
      expect(stdout).toMatch(message);
      expect(code).toBe(expected);
    });

    it("lists what it asks for", async () => {
      const { code, stdout } = await runCommand("--list", "--scenario", "X1");
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /^X1   ends the job that .*\n     Everything that a deployer needs .*\n     needs of the profile: restart, slow\n/,
      );
    });
  });
});
