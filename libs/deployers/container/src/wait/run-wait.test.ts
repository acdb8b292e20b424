import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { createFakeClock, waitFor } from "@landscaper/testkit";
import {
  listTree,
  readIndex,
  readSecrets,
  startWaitFixture,
  whenWatching,
  writeTree,
  type TestRun,
  type WaitFixture,
} from "../../test/index.ts";
import { lastMomentOf } from "./main-state.ts";
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

let namespaces = 0;
/** The first run of an item in a namespace of its own. */
async function firstRun(options: { stateBytes?: number } = {}): Promise<TestRun> {
  namespaces += 1;
  const namespace = `pods-${namespaces}`;
  await fixture.cluster.createNamespace(namespace);
  return nextRun(namespace, "job-1", options);
}

async function nextRun(namespace: string, jobID: string, options: object = {}): Promise<TestRun> {
  const run = await fixture.newRun({ namespace, jobID, ...options });
  runs.push(run);
  return run;
}

const exited = (exitCode: number) => ({ terminated: { exitCode } });

/** Runs wait for a program that has ended already. */
async function waitForEnded(run: TestRun, exitCode = 0): Promise<void> {
  await run.setMain(exited(exitCode));
  await run.wait();
}

const secretsOf = (run: TestRun) => readSecrets(fixture.cluster.client, run.namespace);
const indexOf = (run: TestRun) => readIndex(fixture.cluster.client, run.namespace);

/** Names of files in the state that the index of the run's namespace makes valid. */
async function validState(run: TestRun): Promise<unknown> {
  const index = await indexOf(run);
  if (index === undefined) return undefined;
  const secrets = await secretsOf(run);
  const archive = joinChunks(index, async (name) => secrets.get(name)?.content["config"]);
  const folder = join(run.paths.shared, "restored");
  await restoreState(archive, { folder, limits: { bytes: index.bytes, entries: 1000 } });
  const found = listTree(folder).map(({ path }) => path);
  rmSync(folder, { recursive: true });
  return found;
}

describe("when the program has ended, wait", () => {
  it("keeps state and exports as Secrets of the job", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "a/b", content: "x" }]);
    writeFileSync(run.paths.exports, "key: value\n");
    await waitForEnded(run);
    const secrets = await secretsOf(run);
    const [chunk = ""] = run.job.state.chunks;
    expect([...secrets.keys()].toSorted()).toEqual([chunk, "team-setup-export", "team-setup-state-index"].toSorted());
    const index = await indexOf(run);
    const [part] = index?.chunks ?? [];
    expect(index).toEqual({
      version: 1,
      generation: run.job.suffix,
      chunks: [{ name: chunk, sha256: expect.any(String), bytes: secrets.get(chunk)?.content["config"]?.length }],
      sha256: part?.sha256,
      bytes: 2560,
      fileCount: 1,
    });
    const group = "container.deployer.landscaper.gardener.cloud";
    const typed = (type: string) => ({ ...run.job.labels, [`${group}/type`]: type });
    expect(secrets.get(chunk)).toMatchObject({
      labels: typed("state"),
      annotations: { [`${group}/uuid`]: run.job.suffix, [`${group}/num`]: "0", [`${group}/sha256`]: part?.sha256 },
    });
    expect(secrets.get("team-setup-state-index")?.labels).toEqual(typed("state-index"));
    expect(secrets.get("team-setup-export")).toMatchObject({
      labels: typed("export"),
      annotations: { [`${group}/job`]: run.job.pod },
      content: { config: Buffer.from("key: value\n") },
    });
    expect(await validState(run)).toEqual(["a", "a/b"]);
    expect(run.lines).toEqual([
      "the program has ended with 0",
      "the state has been kept: 1 files, 2560 bytes",
      "the exports have been kept: 11 bytes",
    ]);
  });

  it("cuts a large state into Secrets of 1,000,000 bytes", async () => {
    const run = await firstRun();
    const content = Buffer.alloc(2_500_000);
    for (let at = 0; at < content.length; at += 4) content.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at);
    writeTree(run.paths.state, [{ path: "noise", content }]);
    await waitForEnded(run);
    const { chunks = [] } = (await indexOf(run)) ?? {};
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.slice(0, -1).every(({ bytes }) => bytes === 1_000_000)).toBe(true);
    expect(chunks.map(({ name }) => name)).toEqual(run.job.state.chunks.slice(0, chunks.length));
    expect(await validState(run)).toEqual(["noise"]);
  });

  it("keeps the state of a program that has failed, but no exports", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "a", content: "x" }]);
    writeFileSync(run.paths.exports, "key: value");
    await waitForEnded(run, 3);
    expect(await validState(run)).toEqual(["a"]);
    expect((await secretsOf(run)).has("team-setup-export")).toBe(false);
    expect(run.lines[0]).toBe("the program has ended with 3");
  });

  it.each(["empty", "gone"])("leaves the state of the run before when the folder is %s", async (how) => {
    const first = await firstRun();
    writeTree(first.paths.state, [{ path: "a", content: "x" }]);
    await waitForEnded(first);
    const before = await indexOf(first);
    const second = await nextRun(first.namespace, "job-2");
    if (how === "gone") rmSync(second.paths.state, { recursive: true });
    await waitForEnded(second);
    expect(await indexOf(second)).toEqual(before);
  });

  it.each(["", undefined])("writes no exports when the file has %j", async (content) => {
    const run = await firstRun();
    if (content !== undefined) writeFileSync(run.paths.exports, content);
    await waitForEnded(run);
    expect((await secretsOf(run)).size).toBe(0);
  });

  it("replaces the state of the run before", async () => {
    const first = await firstRun();
    writeTree(first.paths.state, [{ path: "a", content: "x" }]);
    await waitForEnded(first);
    const second = await nextRun(first.namespace, "job-2");
    expect(second.job.state.index.resourceVersion).toBeDefined();
    writeTree(second.paths.state, [{ path: "b", content: "x" }]);
    await waitForEnded(second);
    expect((await indexOf(second))?.generation).toBe(second.job.suffix);
    expect(await validState(second)).toEqual(["b"]);
  });
});

describe("what a hostile program leaves", () => {
  /** A file outside of the volume, such as a token of another container. */
  const outside = (run: TestRun): string => {
    const file = join(dirname(run.paths.shared), "token");
    writeFileSync(file, "a secret token");
    return file;
  };

  /** The program ends well; nothing of it is in any Secret. */
  async function expectRefusal(run: TestRun, reason: string, message: string): Promise<void> {
    await run.setMain(exited(0));
    await expect(run.wait()).rejects.toMatchObject({ reason, message });
    const contents = [...(await secretsOf(run)).values()].flatMap(({ content }) => Object.values(content));
    expect(Buffer.concat(contents).includes("a secret token")).toBe(false);
    expect((await secretsOf(run)).has("team-setup-export")).toBe(false);
  }

  it("exports that are a link", async () => {
    const run = await firstRun();
    symlinkSync(outside(run), run.paths.exports);
    await expectRefusal(run, "ExportsRefused", "exports: EXPORTS_PATH is a link; expected a file");
  });

  it("a folder of exports that is a link", async () => {
    const run = await firstRun();
    rmSync(dirname(run.paths.exports), { recursive: true });
    const folder = join(dirname(outside(run)), "elsewhere");
    mkdirSync(folder);
    writeFileSync(join(folder, "values"), "a secret token");
    symlinkSync(folder, dirname(run.paths.exports));
    await expectRefusal(run, "ExportsRefused", "exports: EXPORTS_PATH is a link; expected a file");
  });

  it("exports that are a pipe, which is not waited for", async () => {
    const run = await firstRun();
    execFileSync("bash", ["-c", "mkfifo values"], { cwd: dirname(run.paths.exports) });
    await expectRefusal(run, "ExportsRefused", "exports: EXPORTS_PATH is a pipe; expected a file");
  });

  it("exports that are a folder", async () => {
    const run = await firstRun();
    mkdirSync(run.paths.exports);
    await expectRefusal(run, "ExportsRefused", "exports: EXPORTS_PATH is a folder; expected a file");
  });

  it("exports of 1 GiB, of which nothing is read", async () => {
    const run = await firstRun();
    writeFileSync(run.paths.exports, "");
    truncateSync(run.paths.exports, 1024 ** 3);
    await expectRefusal(
      run,
      "ExportsRefused",
      "exports: EXPORTS_PATH has 1073741824 bytes, more than the allowed 1000000",
    );
  });

  it("a folder of exports that is a file", async () => {
    const run = await firstRun();
    rmSync(dirname(run.paths.exports), { recursive: true });
    writeFileSync(dirname(run.paths.exports), "a: b");
    await expectRefusal(run, "ExportsRefused", "exports: EXPORTS_PATH is below a file; expected a file");
  });

  it("a state folder that is a link", async () => {
    const run = await firstRun();
    const folder = dirname(outside(run));
    rmSync(run.paths.state, { recursive: true });
    symlinkSync(folder, run.paths.state);
    await expectRefusal(run, "StateRefused", "state: STATE_PATH is a link; expected a folder");
  });

  it("a state folder that is a file", async () => {
    const run = await firstRun();
    renameSync(run.paths.state, `${run.paths.state}-gone`);
    writeFileSync(run.paths.state, "x");
    await expectRefusal(run, "StateRefused", "state: STATE_PATH is a file; expected a folder");
  });

  it("a link in the state: then the state of the run before stays", async () => {
    const first = await firstRun();
    writeTree(first.paths.state, [{ path: "a", content: "x" }]);
    await waitForEnded(first);
    const run = await nextRun(first.namespace, "job-2");
    symlinkSync(outside(run), join(run.paths.state, "token"));
    await expectRefusal(run, "StateRefused", 'state: "token" is a link; expected files and folders');
    expect(await validState(run)).toEqual(["a"]);
  });

  it("a state that is larger than the limit", async () => {
    const run = await firstRun({ stateBytes: 10_000 });
    writeTree(run.paths.state, [{ path: "a", content: "x".repeat(20_000) }]);
    await expectRefusal(
      run,
      "StateRefused",
      'state: "a" makes the state larger than the allowed 10000 bytes: it has 20000',
    );
  });
});

describe("while the program runs, wait", () => {
  it("follows its Pod through cut watches and forgotten history", async () => {
    const run = await firstRun();
    writeFileSync(run.paths.exports, "a: b");
    const { server } = fixture.cluster;
    const waiting = run.wait();
    await whenWatching(fixture, run, async () => run.setMain({ running: {} }));
    server.cutWatches();
    await whenWatching(fixture, run, async () => {
      server.compact();
      server.cutWatches();
    });
    await run.setMain(exited(0));
    await waiting;
    expect((await secretsOf(run)).has("team-setup-export")).toBe(true);
  });

  it("fails when its Pod is removed, once the kubelet stops it", async () => {
    const run = await firstRun();
    const kubelet = new AbortController();
    let hasEnded = false;
    const waiting = run.wait({ signal: kubelet.signal }).finally(() => {
      hasEnded = true;
    });
    await whenWatching(fixture, run, async () => {
      await fixture.cluster.client.delete(
        kubeResources.pod,
        { namespace: run.namespace, name: run.job.pod },
        { gracePeriodSeconds: 0 },
      );
    });
    await waitFor(() => run.lines.includes("the Pod is not there any more"));
    // Wait that ends by itself is started again, and finds its rights gone.
    await setImmediate();
    expect(hasEnded).toBe(false);
    kubelet.abort();
    await expect(waiting).rejects.toMatchObject({
      reason: "PodVanished",
      message: `Pod ${run.namespace}/${run.job.pod} is not there any more, although its containers run`,
    });
  });

  it("does not end before the kubelet stops it when its Pod is removed and its rights are gone", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "a", content: "x" }]);
    await run.setMain({ running: {} });
    const kubelet = new AbortController();
    const waiting = run.wait({ signal: kubelet.signal });
    const { client } = fixture.cluster;
    const key = { namespace: run.namespace, name: run.job.pod };
    await whenWatching(fixture, run, async () => {
      await client.patch(kubeResources.pod, key, { type: "merge", body: { metadata: { finalizers: ["test/keeps"] } } });
      await run.takeRights();
      // The last event of a Pod that is deleted twice, the second time by force, may say so, or that it is gone.
      await client.delete(kubeResources.pod, key, { gracePeriodSeconds: 0 });
    });
    await waitFor(() => run.lines.includes("wait ends when the kubelet stops it"));
    kubelet.abort();
    await expect(waiting).rejects.toMatchObject({ status: 403 });
    expect(run.lines).toEqual(["the program was not seen to end", "wait ends when the kubelet stops it"]);
  });

  it("keeps the state of a Pod that is deleted, when its time is nearly over", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "a", content: "x" }]);
    writeFileSync(run.paths.exports, "a: b");
    await run.setMain({ running: {} });
    const clock = createFakeClock();
    const kubelet = new AbortController();
    const waiting = run.wait({ clock, signal: kubelet.signal });
    let lastMoment = 0;
    await whenWatching(fixture, run, async () => {
      const { client } = fixture.cluster;
      const key = { namespace: run.namespace, name: run.job.pod };
      await client.patch(kubeResources.pod, key, { type: "merge", body: { metadata: { finalizers: ["test/keeps"] } } });
      const deleted = await client.delete(kubeResources.pod, key, { gracePeriodSeconds: 300 });
      lastMoment = (deleted && lastMomentOf(deleted)) ?? 0;
    });
    await clock.advance(Math.max(lastMoment - clock.now(), 0));
    await waitFor(() => run.lines.length === 3);
    kubelet.abort();
    await expect(waiting).rejects.toMatchObject({ reason: "JobInterrupted" });
    expect(run.lines).toEqual([
      "the program was not seen to end",
      "the state has been kept: 1 files, 2048 bytes",
      "wait ends when the kubelet stops it",
    ]);
    expect((await secretsOf(run)).has("team-setup-export")).toBe(false);
  });

  it("fails when the kubelet stops it, and the API server does not tell how the program has ended", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "a", content: "x" }]);
    writeFileSync(run.paths.exports, "a: b");
    await run.setMain({ running: {} });
    const clock = createFakeClock();
    const stop = new AbortController();
    const waiting = run.wait({ clock, signal: stop.signal });
    await whenWatching(fixture, run, async () => stop.abort());
    // Half of the grace period that Pods have by default.
    expect(clock.dueTimes.map((ms) => ms - clock.now())).toEqual([15_000]);
    await clock.advance(15_000);
    await expect(waiting).rejects.toMatchObject({
      reason: "JobInterrupted",
      message: "the Pod was stopped before the program was seen to end: its state is kept, its exports are not",
    });
    expect(await validState(run)).toEqual(["a"]);
  });

  it("keeps the exports of a program that has ended before the API server has told anything of its Pod", async () => {
    const run = await firstRun();
    writeFileSync(run.paths.exports, "a: b");
    await run.setMain({ running: {} });
    const clock = createFakeClock();
    const waiting = run.wait({ clock, signal: AbortSignal.abort() });
    // Half of the grace period that Pods have by default, once the Pod is known.
    await waitFor(() => clock.dueTimes.some((ms) => ms - clock.now() === 15_000));
    await clock.advance(14_000);
    await run.setMain(exited(0));
    await waiting;
    expect((await secretsOf(run)).has("team-setup-export")).toBe(true);
  });

  it("keeps state and exports of a program that ends after it was told to stop", async () => {
    const run = await firstRun();
    writeFileSync(run.paths.exports, "a: b");
    await run.setMain({ running: {} });
    const stop = new AbortController();
    const waiting = run.wait({ signal: stop.signal });
    await whenWatching(fixture, run, async () => stop.abort());
    await run.setMain(exited(0));
    await waiting;
    expect((await secretsOf(run)).has("team-setup-export")).toBe(true);
  });

  it("ends at once when the Pod is stopped because the program could not be started", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "restored", content: "x" }]);
    await run.setMain({ waiting: { reason: "ImagePullBackOff" } }, "Pending");
    const stop = new AbortController();
    const waiting = run.wait({ signal: stop.signal });
    await whenWatching(fixture, run, async () => stop.abort());
    await waiting;
    expect(run.lines).toEqual(["the Pod is stopped", "the program was not started"]);
    expect((await secretsOf(run)).size).toBe(0);
  });

  it("keeps the state of a Pod that was evicted", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "a", content: "x" }]);
    const waiting = run.wait();
    await whenWatching(fixture, run, async () => run.setMain({}, "Failed"));
    await waiting;
    expect(run.lines[0]).toBe("the program has ended with an unknown exit code");
    expect(await validState(run)).toEqual(["a"]);
  });
});
