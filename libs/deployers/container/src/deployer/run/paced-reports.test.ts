// How often it is said what a Pod passes on its way to its end, on embedded clusters: the Pods are played, and the clock.
import { describe, expect, it } from "@jest/globals";
import type { ContainerState, Pod } from "@landscaper/api";
import { createFakeClock, recordRequests, waitFor, type FakeClock } from "@landscaper/testkit";
import { specOf, useContainerBench } from "../../../test/container-bench.ts";
import { statuses } from "../../../test/played-pods.ts";
import { reportPaceMs } from "./report-pace.ts";

const bench = useContainerBench("paced-reports");

const running: ContainerState = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const ended: ContainerState = { terminated: { exitCode: 0, reason: "Completed" } };
const waits = (reason: string): ContainerState => ({ waiting: { reason } });
/** The shortest pause between two passes. */
const minPauseMs = 200;

const untilSaid = async (text: string) =>
  await bench.scope.waitFor("item", (status) => JSON.stringify(status).includes(text));

/** What is said of the item after the watches have brought all. */
async function saidSoon(): Promise<string> {
  for (let times = 0; times < 5; times++) await bench.pods();
  return JSON.stringify((await bench.scope.get("item")).status);
}

/** A Pod of which was just said that the kubelet has got no image yet. The clock stands, some moments after. */
async function startRun(timeout = "none"): Promise<{ readonly clock: FakeClock; readonly pod: Pod }> {
  const clock = createFakeClock(Date.now());
  bench.start({}, { clock });
  await bench.scope.create({ name: "item", spec: specOf({}, { timeout }) });
  const pod = await bench.untilPod();
  await untilSaid("to get a node");
  await clock.advance(reportPaceMs.step);
  await bench.report(pod, {
    phase: "Pending",
    ...statuses({ init: waits("ErrImagePull"), main: waits("PodInitializing"), wait: waits("PodInitializing") }),
  });
  await waitFor(
    async () => {
      await clock.advance(20);
      return (await saidSoon()).includes("ErrImagePull");
    },
    { evenly: true },
  );
  return { clock, pod };
}

describe("what a Pod passes", () => {
  it("soon after a report is not said when its end comes, which is seen at once", async () => {
    const { clock, pod } = await startRun();
    const isOwn = ({ userAgent, resource }: { userAgent: string; resource: string }): boolean =>
      userAgent.startsWith("container.") && ["pods", "deployitems"].includes(resource);
    const records = [bench.fixture.hub, bench.fixture.target].map((server) => recordRequests(server, isOwn));
    await bench.report(pod, {
      phase: "Pending",
      ...statuses({ init: ended, main: waits("PodInitializing"), wait: running }),
    });
    await saidSoon();
    await clock.advance(minPauseMs);
    await bench.reportRunning(pod);
    await saidSoon();
    await clock.advance(minPauseMs);
    expect(await saidSoon()).toContain("ErrImagePull");
    await bench.finish(pod);
    await saidSoon();
    await clock.advance(minPauseMs);
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(records.flatMap(({ lines }) => lines)).toEqual([
      // What has become of the run, and the end of the job.
      "update deployitems/status",
      "update deployitems/status",
      "list pods",
      "patch pods",
      "delete pods",
    ]);
  });

  it("is said when there was no report for a while", async () => {
    const { clock, pod } = await startRun();
    await bench.reportRunning(pod);
    await saidSoon();
    await clock.advance(reportPaceMs.running / 2);
    expect(await saidSoon()).toContain("ErrImagePull");
    await clock.advance(reportPaceMs.running / 2);
    await untilSaid(`the program in Pod ${pod.metadata.name} to end`);
    await clock.advance(reportPaceMs.step);
    await bench.report(pod, {
      phase: "Running",
      ...statuses({ init: ended, main: ended, wait: running }),
    });
    await saidSoon();
    await clock.advance(minPauseMs);
    expect(await saidSoon()).not.toContain("to be saved");
    // The pass that comes anyway.
    await clock.advance(35_000);
    await untilSaid("to be saved");
  });

  it("is said at once when it keeps a container from starting", async () => {
    const { clock, pod } = await startRun();
    const report = async (reason: string): Promise<void> =>
      await bench.report(pod, {
        phase: "Pending",
        ...statuses({ init: ended, main: waits(reason), wait: running }),
      });
    await report("InvalidImageName");
    await saidSoon();
    await clock.advance(minPauseMs);
    expect((await bench.scope.waitForEnd("item")).status?.lastError?.reason).toBe("ContainerImageFailed");
  });

  it("is part of the timeout's message although its report was still delayed", async () => {
    const { clock, pod } = await startRun("30s");
    await bench.report(pod, {
      phase: "Pending",
      ...statuses({ init: running, main: waits("PodInitializing"), wait: waits("PodInitializing") }),
    });
    await saidSoon();
    expect(await saidSoon()).toContain("ErrImagePull");
    await waitFor(
      async () => {
        await clock.advance(500);
        return (await saidSoon()).includes('"phase":"Failed"');
      },
      { evenly: true },
    );
    const { status } = await bench.scope.get("item");
    expect(status?.lastError?.message).toContain(
      `timeout at: "what the program in Pod ${pod.metadata.name} needs to be fetched"`,
    );
  });

  it("does not keep an interrupt from ending it", async () => {
    const { pod } = await startRun();
    await bench.reportRunning(pod);
    await bench.scope.interrupt("item");
    await waitFor(async () => (await bench.pods()).length === 0);
    expect(JSON.stringify((await bench.scope.get("item")).status?.conditions)).toContain("JobEnded");
  });
});
