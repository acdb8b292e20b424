// Wait is killed at each of its writes in turn, before the write is done or when only its answer is lost (`deathModesAt`); or it loses that answer alone. Late runs meet the state of later ones.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { armDeath, createFakeClock, deathModesAt, waitFor, type Death, type FakeClock } from "@landscaper/testkit";
import { writeTree } from "../../test/folder-tree.ts";
import { useWaitBench } from "../../test/wait-bench.ts";
import type { TestRun } from "../../test/wait-fixture.ts";

const bench = useWaitBench();
const { firstRun, secretsOf, stateOf } = bench;

async function runOf(namespace: string, jobID: string): Promise<TestRun> {
  return await endedRun(await bench.nextRun(namespace, jobID));
}

async function endedRun(run: TestRun): Promise<TestRun> {
  await run.setMain({ terminated: { exitCode: 0 } });
  return run;
}

/** A namespace in which a first run has kept the state "first". */
async function withFirstState(): Promise<string> {
  const run = await endedRun(await firstRun());
  writeTree(run.paths.state, [{ path: "first", content: "x" }]);
  await run.wait();
  return run.namespace;
}

/** A second run with exports and a state of three parts. */
async function secondRun(namespace: string): Promise<TestRun> {
  const run = await runOf(namespace, "job-2");
  const content = Buffer.alloc(2_500_000);
  for (let at = 0, value = 1; at < content.length; at += 4) {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
    content.writeUInt32LE(value, at);
  }
  writeTree(run.paths.state, [{ path: "second", content }]);
  writeFileSync(run.paths.exports, "a: b");
  return run;
}

/** Lets time pass until the promise has settled. */
async function untilSettled(promise: Promise<unknown>, clock: FakeClock): Promise<unknown> {
  let isSettled = false;
  void promise.finally(() => {
    isSettled = true;
  });
  await waitFor(
    async () => {
      await clock.advanceToNext();
      return isSettled;
    },
    { evenly: true },
  );
  return promise;
}

/** Three parts, the index, and the exports. */
const indexWrite = 3;
const deaths = [0, 1, 2, 3, 4].flatMap((write) => deathModesAt(write).map((mode): Death => ({ write, mode })));

describe.each(deaths)("at write $write ($mode)", ({ write, mode }) => {
  it("a wait that dies leaves a whole state: that of the run before until its index is written", async () => {
    const run = await secondRun(await withFirstState());
    const death = armDeath([bench.fixture.cluster.server], { death: { write, mode }, userAgent: run.userAgent });
    // Nothing leaves it any more; its clock stands until the end of the test.
    const clock = createFakeClock();
    const ended = run.wait({ clock }).catch((error: unknown) => error);
    await waitFor(() => death.hasDied && run.lines.some((line) => line.includes("trying again")));
    const isValid = write > indexWrite || (write === indexWrite && mode === "drop-answer");
    expect(await stateOf(run)).toEqual([isValid ? "second" : "first"]);
    const hasExports = write > indexWrite && mode === "drop-answer";
    expect((await secretsOf(run)).has(run.job.exports.name)).toBe(hasExports);
    expect(await untilSettled(ended, clock)).toMatchObject({ name: "ConnectionError" });
  });

  it("a wait that loses the answer, or the connection, writes again", async () => {
    const run = await secondRun(await withFirstState());
    const loss = armDeath([bench.fixture.cluster.server], {
      death: { write, mode },
      userAgent: run.userAgent,
      survives: true,
    });
    await run.wait();
    expect(loss.hasDied).toBe(true);
    expect(await stateOf(run)).toEqual(["second"]);
    expect((await secretsOf(run)).has(run.job.exports.name)).toBe(true);
  });
});

describe("a run that was given up, and is still there", () => {
  const outdated = (run: TestRun) => ({
    reason: "StateOutdated",
    message: `state: another run of the item has written Secret ${run.job.state.index.name} since this one was started`,
  });

  it("does not replace the state of a later one", async () => {
    const namespace = await withFirstState();
    const late = await secondRun(namespace);
    const run = await runOf(namespace, "job-3");
    writeTree(run.paths.state, [{ path: "third", content: "x" }]);
    await run.wait();
    await expect(late.wait()).rejects.toMatchObject(outdated(late));
    expect(await stateOf(run)).toEqual(["third"]);
    expect((await secretsOf(run)).has(late.job.exports.name)).toBe(false);
  });

  it("does not do so either when none had a state before", async () => {
    const namespace = "no-state";
    await bench.fixture.cluster.createNamespace(namespace);
    const late = await secondRun(namespace);
    const run = await runOf(namespace, "job-3");
    expect([late, run].map(({ job }) => job.state.index.resourceVersion)).toEqual([undefined, undefined]);
    writeTree(run.paths.state, [{ path: "third", content: "x" }]);
    await run.wait();
    await expect(late.wait()).rejects.toMatchObject(outdated(late));
    expect(await stateOf(run)).toEqual(["third"]);
  });
});

it("a wait that may not write its Secrets says so at once", async () => {
  const namespace = await withFirstState();
  const run = await secondRun(namespace);
  const { client } = bench.fixture.cluster;
  const role = { group: "rbac.authorization.k8s.io", version: "v1", kind: "Role", plural: "roles", namespaced: true };
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] }];
  await client.patch(role, { namespace, name: run.job.pod }, { type: "merge", body: { rules } });
  await expect(run.wait()).rejects.toMatchObject({ status: 403 });
  expect(await client.find(kubeResources.secret, { namespace, name: run.job.exports.name })).toBeUndefined();
});
