// How wait follows its Pod, until its program has ended or the kubelet stops it.
import { writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { createFakeClock, waitFor } from "@landscaper/testkit";
import { writeTree } from "../../test/folder-tree.ts";
import { useWaitBench } from "../../test/wait-bench.ts";
import { whenWatching } from "../../test/wait-fixture.ts";

const bench = useWaitBench();
const { firstRun, secretsOf, stateOf } = bench;

const exited = (exitCode: number) => ({ terminated: { exitCode } });

describe("while the program runs, wait", () => {
  it("follows its Pod through cut watches and forgotten history", async () => {
    const run = await firstRun();
    writeFileSync(run.paths.exports, "a: b");
    const { server } = bench.fixture.cluster;
    const waiting = run.wait();
    await whenWatching(bench.fixture, run, async () => run.setMain({ running: {} }));
    server.cutWatches();
    await whenWatching(bench.fixture, run, async () => {
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
    await whenWatching(bench.fixture, run, async () => {
      await bench.fixture.cluster.client.delete(
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
    const { client } = bench.fixture.cluster;
    const key = { namespace: run.namespace, name: run.job.pod };
    await whenWatching(bench.fixture, run, async () => {
      await client.patch(kubeResources.pod, key, { type: "merge", body: { metadata: { finalizers: ["test/keeps"] } } });
      await run.takeRights();
      // The last event of a Pod that is deleted twice, the second time by force, may say so, or that it is gone.
      await client.delete(kubeResources.pod, key, { gracePeriodSeconds: 0 });
    });
    await waitFor(() => run.lines.includes("wait ends when the kubelet stops it"));
    kubelet.abort();
    await expect(waiting).rejects.toMatchObject({
      reason: "JobInterrupted",
      message: expect.stringMatching(/: neither its exports nor its state are kept: .* 403 /),
    });
    expect(run.lines).toEqual(["the program was not seen to end", "wait ends when the kubelet stops it"]);
  });

  it.each([0, -3_600_000, 3_600_000])(
    "keeps the state of a Pod that is deleted, when its time is nearly over, also with a clock that is set by %i ms",
    async (byMs) => {
      const run = await firstRun();
      writeTree(run.paths.state, [{ path: "a", content: "x" }]);
      writeFileSync(run.paths.exports, "a: b");
      await run.setMain({ running: {} });
      const clock = createFakeClock();
      const kubelet = new AbortController();
      const waiting = run.wait({ clock, signal: kubelet.signal });
      await whenWatching(bench.fixture, run, async () => {
        const { client } = bench.fixture.cluster;
        const key = { namespace: run.namespace, name: run.job.pod };
        await client.patch(kubeResources.pod, key, {
          type: "merge",
          body: { metadata: { finalizers: ["test/keeps"] } },
        });
        await client.delete(kubeResources.pod, key, { gracePeriodSeconds: 300 });
      });
      await waitFor(() => clock.pendingTimers > 0);
      clock.setTimeOfDay(byMs);
      await clock.advance(239_999);
      expect(run.lines).toEqual([]);
      await clock.advance(1);
      await waitFor(() => run.lines.length === 3);
      kubelet.abort();
      await expect(waiting).rejects.toMatchObject({ reason: "JobInterrupted" });
      expect(run.lines).toEqual([
        "the program was not seen to end",
        "the state has been kept: 1 files, 2048 bytes",
        "wait ends when the kubelet stops it",
      ]);
      expect((await secretsOf(run)).has("team-setup-export")).toBe(false);
    },
  );

  it("fails when the kubelet stops it, and the API server does not tell how the program has ended", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "a", content: "x" }]);
    writeFileSync(run.paths.exports, "a: b");
    await run.setMain({ running: {} });
    const clock = createFakeClock();
    const stop = new AbortController();
    const waiting = run.wait({ clock, signal: stop.signal });
    await whenWatching(bench.fixture, run, async () => stop.abort());
    // Half of the grace period that Pods have by default.
    expect(clock.dueTimes.map((ms) => ms - clock.now())).toEqual([15_000]);
    await clock.advance(15_000);
    await expect(waiting).rejects.toMatchObject({
      reason: "JobInterrupted",
      message: "the Pod was stopped before the program was seen to end: its state is kept, its exports are not",
    });
    expect(await stateOf(run)).toEqual(["a"]);
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
    await whenWatching(bench.fixture, run, async () => stop.abort());
    await run.setMain(exited(0));
    await waiting;
    expect((await secretsOf(run)).has("team-setup-export")).toBe(true);
  });

  it("waits for the end of a program that had not started at the last report of the API server", async () => {
    const run = await firstRun();
    writeFileSync(run.paths.exports, "a: b");
    await run.setMain({ waiting: { reason: "ImagePullBackOff" } }, "Pending");
    const stop = new AbortController();
    const waiting = run.wait({ signal: stop.signal });
    await whenWatching(bench.fixture, run, async () => stop.abort());
    await run.setMain(exited(0));
    await waiting;
    expect((await secretsOf(run)).has("team-setup-export")).toBe(true);
  });

  it("keeps the state when the program is not seen to start in time", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "restored", content: "x" }]);
    await run.setMain({ waiting: { reason: "ImagePullBackOff" } }, "Pending");
    const clock = createFakeClock();
    const stop = new AbortController();
    const waiting = run.wait({ clock, signal: stop.signal });
    await whenWatching(bench.fixture, run, async () => stop.abort());
    await clock.advance(15_000);
    await expect(waiting).rejects.toMatchObject({ reason: "JobInterrupted" });
    expect(await stateOf(run)).toEqual(["restored"]);
  });

  it("keeps the state of a Pod that was evicted", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "a", content: "x" }]);
    const waiting = run.wait();
    await whenWatching(bench.fixture, run, async () => run.setMain({}, "Failed"));
    await expect(waiting).rejects.toMatchObject({ reason: "JobInterrupted" });
    expect(run.lines[0]).toBe("the program has ended with an unknown exit code");
    expect(await stateOf(run)).toEqual(["a"]);
  });
});
