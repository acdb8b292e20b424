// Jobs of container items on embedded clusters: the Pods are played.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type DeployItem, type Pod } from "@landscaper/api";
import { createFakeClock, createLeapingClock, recordRequests, waitFor, type FakeClock } from "@landscaper/testkit";
import { specOf, useContainerBench } from "../../test/container-bench.ts";

const bench = useContainerBench("container-job");

const conditionOf = ({ status }: DeployItem, type: string) => {
  const { status: is, reason, message } = status?.conditions?.find((each) => each.type === type) ?? {};
  return { status: is, reason, message };
};

const podStatusOf = ({ status }: DeployItem) =>
  (status?.providerStatus ?? {}) as {
    readonly podStatus?: Readonly<Record<string, unknown>>;
    readonly [field: string]: unknown;
  };

/** Once through a job that succeeds. */
async function runOnce(config: object = {}, end: Parameters<typeof bench.finish>[1] = {}): Promise<DeployItem> {
  await bench.scope.create({ name: "item", spec: specOf(config) });
  const pod = await bench.untilPod();
  await bench.finish(pod, end);
  return await bench.scope.waitForEnd("item");
}

describe("a job of a container item", () => {
  it("runs the program once, and exports what that has written", async () => {
    bench.start();
    const item = await runOnce({ importValues: { a: 1 } }, { exports: "url: https://x\nports: [80]\n" });
    expect([item.status?.phase, item.status?.lastError]).toEqual(["Succeeded", undefined]);
    expect(await bench.exportsOf(item)).toEqual({ url: "https://x", ports: [80] });
    await waitFor(async () => (await bench.pods()).length === 0);
  });

  it("runs its program once when the time of day jumps by 30 minutes meanwhile", async () => {
    const clock = createLeapingClock();
    bench.start({}, { clock });
    await bench.scope.create({ name: "item", spec: { ...specOf(), timeout: "10m" } });
    const pod = await bench.untilPod();
    await bench.scope.waitFor("item", ({ conditions }) => JSON.stringify(conditions).includes("to get a node"));
    clock.setTimeOfDay(30 * 60_000);
    await bench.reportRunning(pod);
    const running = await bench.scope.waitFor("item", (status) => JSON.stringify(status).includes("program in Pod"));
    expect([running.status?.phase, running.status?.lastError]).toEqual(["Progressing", undefined]);
    await bench.finish(pod);
    const item = await bench.scope.waitForEnd("item");
    expect([item.status?.phase, item.status?.jobIDFinished]).toEqual(["Succeeded", running.status?.jobID]);
    expect(podStatusOf(item).podStatus).toMatchObject({ podUID: pod.metadata.uid, attempt: 0 });
  });

  it("ends although the answer to a change of what it keeps is lost", async () => {
    bench.start();
    await runOnce({ importValues: { a: 1 } });
    let lost = 0;
    bench.fixture.target.setFault(({ verb, name }) =>
      verb === "update" && name.endsWith("-last-success") && lost++ === 0 ? "drop-answer" : undefined,
    );
    await bench.scope.trigger("item", specOf({ importValues: { a: 2 } }));
    await bench.finish(await bench.untilPod());
    const { status } = await bench.scope.waitForEnd("item");
    expect([lost > 0, status?.phase]).toEqual([true, "Succeeded"]);
  });

  it("ends although a host refuses every third write", async () => {
    let writes = 0;
    bench.fixture.target.setFault(({ verb, userAgent }) => {
      const isWrite = ["create", "update", "patch", "delete"].includes(verb) && userAgent.startsWith("container.");
      return isWrite && ++writes % 3 === 0 ? { status: 500 } : undefined;
    });
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf({ importValues: { a: 1 } }) });
    await bench.finish(await waitFor(async () => bench.untilPod()));
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    await waitFor(async () => (await bench.pods()).length === 0);
    await bench.scope.remove("item");
    await bench.finish(await waitFor(async () => bench.untilPod()));
    await bench.scope.waitUntilGone("item");
    expect(await bench.hostObjects()).toEqual([]);
  });

  it("says how far it is, and what became of each container", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf() });
    const pod = await bench.untilPod();
    const { name = "" } = pod.metadata;
    const waiting = await bench.scope.waitFor("item", ({ conditions }) => JSON.stringify(conditions).includes(name));
    expect(conditionOf(waiting, "ProgramRun")).toEqual({
      status: "Progressing",
      reason: "Starting",
      message: `waiting for Pod ${name} to get a node`,
    });
    await bench.reportRunning(pod);
    const running = await bench.scope.waitFor("item", (status) => JSON.stringify(status).includes("program in Pod"));
    expect(conditionOf(running, "ProgramRun")).toMatchObject({
      reason: "Running",
      message: `waiting for the program in Pod ${name} to end`,
    });
    expect(conditionOf(running, "InitContainer")).toMatchObject({ status: "True", reason: "ContainerSucceeded" });
    expect(conditionOf(running, "WaitContainer")).toMatchObject({ status: "Progressing", reason: "Running" });
    await bench.finish(pod);
    const item = await bench.scope.waitForEnd("item");
    const times = { startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:01Z" };
    const main = {
      reason: "Completed",
      state: { terminated: { exitCode: 0, reason: "Completed", ...times } },
      image: "registry.example/main:1",
      imageID: `registry.example/main@sha256:${"a".repeat(64)}`,
      exitCode: 0,
    };
    expect(item.status?.providerStatus).toEqual({
      apiVersion: "container.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "ProviderStatus",
      lastOperation: "RECONCILE",
      ...main,
      podStatus: {
        podName: name,
        podUID: pod.metadata.uid,
        runID: item.status?.jobID,
        attempt: 0,
        result: "Succeeded",
        lastRun: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        lastSuccessfulJobID: item.status?.jobID,
        containerStatus: main,
        initContainerStatus: { ...main, image: "registry.example/init:1", imageID: expect.stringContaining("init@") },
        waitContainerStatus: { ...main, image: "registry.example/wait:1", imageID: expect.stringContaining("wait@") },
      },
    });
    expect(conditionOf(item, "ProgramRun")).toEqual({
      status: "True",
      reason: "Succeeded",
      message: `Pod ${name} has succeeded`,
    });
  });

  it("makes objects of the names and labels of the contract, and none beside", async () => {
    bench.start();
    const { namespace } = bench.scope;
    const item = await runOnce({}, { exports: "a: 1", state: ["one", "two"] });
    const state = podStatusOf(item).podStatus?.["podName"];
    const suffix = String(state).slice(-8);
    expect(await bench.hostObjects()).toEqual([
      `ConfigMap ${namespace}-item-ocmconfig`,
      "Role item-wait",
      "RoleBinding item-wait",
      `Secret ${namespace}-item-config`,
      `Secret ${namespace}-item-export`,
      `Secret ${namespace}-item-last-success`,
      `Secret ${namespace}-item-state-index`,
      `Secret ${namespace}-item-target`,
      `Secret state-${namespace}-item-${suffix}-0`,
      `Secret state-${namespace}-item-${suffix}-1`,
      "ServiceAccount item-wait",
    ]);
    const role = await bench.host.get(kubeResources.role, { namespace, name: "item-wait" });
    const named = (role.rules ?? []).map(({ resources: [kind] = [], resourceNames = [], verbs }) => [
      kind,
      resourceNames.length,
      verbs,
    ]);
    expect(named).toEqual([
      ["secrets", 70, ["get", "create", "patch"]],
      ["pods", 1, ["get", "list", "watch"]],
    ]);
  });

  it("takes at most 40 requests", async () => {
    // Those of a sweep are no job's.
    bench.start({ garbageCollection: { disable: true } });
    const ofDeployer = ({ userAgent, resource }: { userAgent: string; resource: string }): boolean =>
      userAgent.startsWith("container.") && !["leases", "events"].includes(resource);
    await bench.scope.createTarget();
    const records = [bench.fixture.hub, bench.fixture.target].map((server) => recordRequests(server, ofDeployer));
    const count = (): number =>
      records.reduce((sum, { lines }) => sum + lines.filter((line) => !line.startsWith("watch")).length, 0);
    const counts: number[] = [];
    await bench.scope.create({ name: "item", spec: specOf({}, { target: { name: "cluster" } }) });
    for (let job = 0; job < 2; job++) {
      if (job > 0) await bench.scope.trigger("item");
      const pod = await bench.untilPod();
      await bench.reportRunning(pod);
      await bench.scope.waitFor("item", (status) => JSON.stringify(status).includes("program in Pod"));
      await bench.finish(pod, { exports: "a: 1", state: ["one"] });
      await bench.scope.waitForEnd("item");
      await waitFor(async () => (await bench.pods()).length === 0);
      counts.push(count());
      for (const record of records) record.forget();
    }
    await bench.scope.remove("item");
    await bench.finish(await bench.untilPod());
    await bench.scope.waitUntilGone("item");
    counts.push(count());
    expect(Math.max(...counts)).toBeLessThanOrEqual(40);
    if (process.env["SHOW_REQUESTS"] !== undefined)
      console.log(
        counts,
        records.map(({ lines }) => lines),
      );
  });
});

describe("exports", () => {
  it.each([
    ["- a\n- b\n", "expected a mapping of names to values, found a list"],
    ["just text", "expected a mapping of names to values, found a string"],
    ["a: 1\nb: [secret", "line 3, column 1: expected JSON or YAML, found a text that is neither: "],
  ])("%j end the job with the place", async (exports, problem) => {
    bench.start();
    const { status } = await runOnce({}, { exports });
    expect(status?.lastError).toMatchObject({
      reason: "ContainerExportsInvalid",
      message: expect.stringContaining(problem),
    });
    expect(status?.lastError?.message).not.toContain("secret");
    expect(status?.exportRef).toBeUndefined();
  });
});

describe("an image that cannot be used", () => {
  const reportWaiting = async (pod: Pod, reason: string, message: string): Promise<void> => {
    const waiting = { waiting: { reason, message } };
    await bench.report(pod, {
      phase: "Pending",
      containerStatuses: [{ name: "main", state: waiting, restartCount: 0, image: "", imageID: "", ready: false }],
    });
  };
  /** Longest delay (ms) after which the clock moves on by itself: the pauses between passes and reports are shorter, the rests of a job are longer. */
  const shortMs = 3000;
  const restMs = 30_000;
  /** Moves the clock to the next timer if that is due soon. While the deployer works, no timer is: the clock stands, even on a slow machine. */
  const passShortDelay = async (clock: FakeClock): Promise<void> => {
    const leftMs = (clock.dueTimes[0] ?? Infinity) - clock.now();
    if (leftMs <= shortMs) await clock.advance(Math.max(0, leftMs));
  };
  const untilSaid = async (clock: FakeClock, text: string): Promise<DeployItem> =>
    await waitFor(async () => {
      await passShortDelay(clock);
      const item = await bench.scope.get("item");
      return JSON.stringify(item.status ?? {}).includes(text) ? item : false;
    });
  /**
   * Also waits for the end of the pass, which schedules the next one. If the clock moved earlier, the next pass would be late by this time: the pass has
   * already calculated its delay.
   */
  const untilResting = async (clock: FakeClock, text: string): Promise<DeployItem> => {
    const item = await untilSaid(clock, text);
    await waitFor(async () => {
      await passShortDelay(clock);
      return clock.dueTimes.some((dueMs) => dueMs - clock.now() > shortMs && dueMs - clock.now() <= restMs);
    });
    return item;
  };

  it("fails the job with container, image and the kubelet's message after pod.startGrace", async () => {
    const clock = createFakeClock(Date.now());
    bench.start({ pod: { startGrace: "3m" } }, { clock });
    await bench.scope.create({ name: "item", spec: specOf() });
    const pod = await bench.untilPod();
    await reportWaiting(pod, "ErrImagePull", "manifest unknown");
    await untilResting(clock, "ErrImagePull: manifest unknown");
    await clock.advance(100_000);
    await reportWaiting(pod, "ImagePullBackOff", "Back-off");
    const item = await untilResting(clock, "ImagePullBackOff: Back-off");
    expect(JSON.stringify(podStatusOf(item).podStatus?.["failing"])).toMatch(/^{"container":"main","seconds":10\d}$/);
    await clock.advance(70_000);
    await reportWaiting(pod, "ImagePullBackOff", "Back-off pulling image");
    expect((await untilResting(clock, "Back-off pulling image")).status?.phase).toBe("Progressing");
    await clock.advance(10_000);
    const { status } = await untilSaid(clock, '"phase":"Failed"');
    expect(status?.lastError).toMatchObject({
      reason: "ContainerImageFailed",
      message: expect.stringMatching(
        /^container main, image registry.example\/program:1: ImagePullBackOff: Back-off pulling image; the kubelet has tried for 18\d s; correct the image, /,
      ),
    });
    await waitFor(async () => (await bench.pods()).length === 0);
  });

  it("counts the failing time across restarts of the deployer, without the time between them", async () => {
    const clocks = [createFakeClock(Date.now()), createFakeClock(Date.now() + 3_600_000)] as const;
    const before = bench.start({}, { clock: clocks[0] });
    await bench.scope.create({ name: "item", spec: specOf({}, { timeout: "none" }) });
    const pod = await bench.untilPod();
    await reportWaiting(pod, "ErrImagePull", "no route");
    await untilResting(clocks[0], "no route");
    await clocks[0].advance(90_000);
    await reportWaiting(pod, "ImagePullBackOff", "Back-off");
    await untilResting(clocks[0], "Back-off");
    await before.stop();
    bench.start({}, { clock: clocks[1] });
    await reportWaiting(pod, "ErrImagePull", "no route again");
    await untilResting(clocks[1], "no route again");
    await clocks[1].advance(20_000);
    await reportWaiting(pod, "ImagePullBackOff", "Back-off again");
    expect((await untilResting(clocks[1], "Back-off again")).status?.phase).toBe("Progressing");
    await clocks[1].advance(10_000);
    const { status } = await untilSaid(clocks[1], '"phase":"Failed"');
    expect(status?.lastError?.message).toMatch(/; the kubelet has tried for 12\d s; /);
  });

  it("continues the job when the program starts while its Pod is being given up", async () => {
    bench.start({ pod: { startGrace: "none" } });
    await bench.scope.create({ name: "item", spec: specOf() });
    const pod = await bench.untilPod();
    let started = false;
    bench.fixture.target.setFault(({ verb, resource }) => {
      if (verb !== "delete" || resource !== "pods" || started) return undefined;
      started = true;
      void bench.reportRunning(pod);
      return { status: 409 };
    });
    await reportWaiting(pod, "ErrImagePull", "no route");
    await bench.scope.waitFor("item", (status) =>
      JSON.stringify(status).includes(`the program in Pod ${pod.metadata.name}`),
    );
    await bench.finish(pod);
    const item = await bench.scope.waitForEnd("item");
    expect([started, item.status?.phase, podStatusOf(item).podStatus?.["givenUp"]]).toEqual([
      true,
      "Succeeded",
      undefined,
    ]);
  });

  it("is refused when the operator does not allow it: nothing is made", async () => {
    bench.start({ allowedImages: ["registry.example/team", "docker.io"] });
    await bench.scope.create({ name: "item", spec: specOf() });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.lastError).toMatchObject({
      reason: "ImageNotAllowed",
      message:
        "spec.config: image: image registry.example/program is not allowed: expected one of registry.example/team, docker.io",
    });
    expect(await bench.hostObjects()).toEqual([]);
  });
});
