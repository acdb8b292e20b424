// Wait is killed at each of its writes in turn, before the write is done or when only its answer is lost (`deathModesAt`); or it loses that answer alone. Late runs meet the state of later ones.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { armDeath, createFakeClock, deathModesAt, waitFor, type Death, type FakeClock } from "@landscaper/testkit";
import {
  listTree,
  readIndex,
  readSecrets,
  startWaitFixture,
  writeTree,
  type TestRun,
  type WaitFixture,
} from "../../test/index.ts";
import { joinChunks } from "../state/join-chunks.ts";
import { restoreState } from "../state/restore-state.ts";

let fixture: WaitFixture;
beforeAll(async () => {
  fixture = await startWaitFixture();
}, 60_000);
afterAll(() => fixture.stop());
const runs: TestRun[] = [];
afterEach(() => {
  fixture.cluster.server.setFault(undefined);
  for (const run of runs.splice(0)) run.remove();
});

async function runOf(namespace: string, jobID: string): Promise<TestRun> {
  const run = await fixture.newRun({ namespace, jobID });
  runs.push(run);
  await run.setMain({ terminated: { exitCode: 0 } });
  return run;
}

let namespaces = 0;
/** A namespace in which a first run has kept the state "first". */
async function withFirstState(): Promise<string> {
  namespaces += 1;
  const namespace = `crashes-${namespaces}`;
  await fixture.cluster.createNamespace(namespace);
  const run = await runOf(namespace, "job-1");
  writeTree(run.paths.state, [{ path: "first", content: "x" }]);
  await run.wait();
  return namespace;
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

/** What is restored from the Secrets of a namespace. Throws when it is damaged. */
async function stateOf({ namespace, paths }: TestRun): Promise<unknown> {
  const { client } = fixture.cluster;
  const index = await readIndex(client, namespace);
  if (index === undefined) return undefined;
  const secrets = await readSecrets(client, namespace);
  const archive = joinChunks(index, async (name) => secrets.get(name)?.content["config"]);
  const folder = join(paths.shared, "restored");
  await restoreState(archive, { folder, limits: { bytes: index.bytes, entries: 1000 } });
  const found = listTree(folder).map(({ path }) => path);
  rmSync(folder, { recursive: true });
  return found;
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
    const death = armDeath([fixture.cluster.server], { death: { write, mode }, userAgent: run.userAgent });
    // Nothing leaves it any more; its clock stands until the end of the test.
    const clock = createFakeClock();
    const ended = run.wait({ clock }).catch((error: unknown) => error);
    await waitFor(() => death.hasDied && run.lines.some((line) => line.includes("trying again")));
    const isValid = write > indexWrite || (write === indexWrite && mode === "drop-answer");
    expect(await stateOf(run)).toEqual([isValid ? "second" : "first"]);
    const hasExports = write > indexWrite && mode === "drop-answer";
    expect((await readSecrets(fixture.cluster.client, run.namespace)).has(run.job.exports.name)).toBe(hasExports);
    expect(await untilSettled(ended, clock)).toMatchObject({ name: "ConnectionError" });
  });

  it("a wait that loses the answer, or the connection, writes again", async () => {
    const run = await secondRun(await withFirstState());
    const loss = armDeath([fixture.cluster.server], {
      death: { write, mode },
      userAgent: run.userAgent,
      survives: true,
    });
    await run.wait();
    expect(loss.hasDied).toBe(true);
    expect(await stateOf(run)).toEqual(["second"]);
    expect((await readSecrets(fixture.cluster.client, run.namespace)).has(run.job.exports.name)).toBe(true);
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
    expect((await readSecrets(fixture.cluster.client, namespace)).has(late.job.exports.name)).toBe(false);
  });

  it("does not do so either when none had a state before", async () => {
    namespaces += 1;
    const namespace = `crashes-${namespaces}`;
    await fixture.cluster.createNamespace(namespace);
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
  const { client } = fixture.cluster;
  const role = { group: "rbac.authorization.k8s.io", version: "v1", kind: "Role", plural: "roles", namespaced: true };
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] }];
  await client.patch(role, { namespace, name: run.job.pod }, { type: "merge", body: { rules } });
  await expect(run.wait()).rejects.toMatchObject({ status: 403 });
  expect(await client.find(kubeResources.secret, { namespace, name: run.job.exports.name })).toBeUndefined();
});
