// Pods and jobs that end before their program does, on embedded clusters: the Pods are played.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type DeployItem, type Pod } from "@landscaper/api";
import { createFakeClock, waitFor } from "@landscaper/testkit";
import { specOf, useContainerBench } from "../../../test/container-bench.ts";

const bench = useContainerBench("ended-pods");

const podStatusOf = ({ status }: DeployItem) =>
  (status?.providerStatus ?? {}) as {
    readonly podStatus?: Readonly<Record<string, unknown>>;
    readonly [field: string]: unknown;
  };

describe("a Pod that vanishes without a result", () => {
  const removeByHand = async (): Promise<void> => {
    const [pod] = await bench.pods();
    const key = { namespace: bench.scope.namespace, name: pod?.metadata.name ?? "" };
    await bench.host.patch(kubeResources.pod, key, { type: "merge", body: { metadata: { finalizers: null } } });
    await bench.host.delete(kubeResources.pod, key);
  };

  it("ends the job: the program is not run again", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf() });
    const pod = await bench.untilPod();
    await removeByHand();
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.lastError).toMatchObject({
      reason: "PodLost",
      message: expect.stringContaining(
        `Pod ${pod.metadata.name} has ended without a result of its program: it is gone`,
      ),
    });
    expect(await bench.pods()).toEqual([]);
  });

  it("is run again as often as the retry policy says", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf({ retryPolicy: { onPodLoss: true, limit: 1 } }) });
    const first = await bench.untilPod();
    await removeByHand();
    const second = await bench.untilPod([first]);
    expect(second.metadata.name).not.toBe(first.metadata.name);
    await bench.finish(second, { reason: "Evicted", message: "The node was low on memory. " });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.lastError?.message).toMatch(/Evicted: The node was low on memory(?!\.[. ]*\.)/);
    expect(podStatusOf(await bench.scope.get("item")).podStatus?.["attempt"]).toBe(1);
  });

  it("leaves the job as it is when it had already succeeded", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf({ retryPolicy: { onPodLoss: true, limit: 1 } }) });
    const first = await bench.untilPod();
    await removeByHand();
    await bench.finish(await bench.untilPod([first]), { exports: "a: 1" });
    const item = await bench.scope.waitForEnd("item");
    expect([item.status?.phase, await bench.exportsOf(item)]).toEqual(["Succeeded", { a: 1 }]);
  });
});

describe("a job that ends from outside", () => {
  /** Interrupts the item while its program runs, and waits until what is said of the run says how it has ended. */
  async function interruptRun(pod: Pod): Promise<void> {
    const key = { namespace: bench.scope.namespace, name: pod.metadata.name ?? "" };
    const hold = { metadata: { finalizers: ["example.org/hold", ...(pod.metadata.finalizers ?? [])] } };
    await bench.host.patch(kubeResources.pod, key, { type: "merge", body: hold });
    await bench.reportRunning(pod);
    await bench.scope.waitFor("item", (status) => JSON.stringify(status).includes("program in Pod"));
    await bench.scope.interrupt("item");
    const ending = await waitFor(async () => {
      const live = await bench.host.get(kubeResources.pod, key);
      return live.metadata.deletionTimestamp === undefined ? false : live;
    });
    expect(ending.metadata.finalizers).toEqual(["example.org/hold"]);
    await bench.scope.waitFor("item", ({ conditions = [] }) =>
      conditions.every(({ status }) => status !== "Progressing"),
    );
    const { status } = await bench.scope.get("item");
    expect(status?.lastError?.reason).toBe("InterruptOperation");
    const saidAt = `the job was ended from outside at: "the program in Pod ${key.name} to end"`;
    expect(status?.conditions?.find(({ type }) => type === "ProgramRun")).toMatchObject({
      status: "False",
      reason: "JobEnded",
      message: `Pod ${key.name} is being deleted: its program has 300 s to end, and its state is saved; ${saidAt}`,
    });
    await bench.host.patch(kubeResources.pod, key, { type: "merge", body: { metadata: { finalizers: null } } });
  }

  it("removes its Pod when it is interrupted", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf() });
    await interruptRun(await bench.untilPod());
    await waitFor(async () => (await bench.pods()).length === 0);
  });

  it("removes its Pod when it was interrupted while no deployer ran, once a deployer runs", async () => {
    const before = bench.start();
    await bench.scope.create({ name: "item", spec: specOf() });
    const pod = await bench.untilPod();
    await bench.reportRunning(pod);
    await bench.scope.waitFor("item", (status) => JSON.stringify(status).includes("program in Pod"));
    await before.stop();
    await bench.scope.interrupt("item");
    bench.start();
    await waitFor(async () => (await bench.pods()).length === 0);
    const { status } = await bench.scope.waitFor("item", ({ conditions = [] }) =>
      conditions.some(({ reason }) => reason === "JobEnded"),
    );
    expect(status?.lastError?.reason).toBe("InterruptOperation");
    expect(status?.conditions?.find(({ type }) => type === "ProgramRun")).toMatchObject({
      status: "False",
      message: expect.stringMatching(/ 300 s to end.*; the job was ended from outside while no deployer worked on it$/),
    });
    await bench.scope.trigger("item");
    await bench.finish(await bench.untilPod([pod]));
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("removes its Pod although the host refuses that at first", async () => {
    const clock = createFakeClock(Date.now());
    bench.start({}, { clock });
    await bench.scope.create({ name: "item", spec: specOf() });
    const pod = await bench.untilPod();
    await bench.reportRunning(pod);
    let refused = 0;
    bench.fixture.target.setFault(({ verb, resource }) =>
      verb === "delete" && resource === "pods" && refused++ < 3 ? { status: 500 } : undefined,
    );
    await bench.scope.interrupt("item");
    await waitFor(
      async () => {
        await clock.advance(1000);
        return (await bench.pods()).length === 0;
      },
      { evenly: true },
    );
    expect(refused).toBeGreaterThan(3);
    await bench.scope.waitFor("item", ({ conditions = [] }) => conditions.some(({ reason }) => reason === "JobEnded"));
  });

  it("removes the Pod of its DELETE run, and the next job creates another one", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf() });
    await bench.finish(await bench.untilPod());
    await bench.scope.waitForEnd("item");
    await bench.scope.remove("item");
    const first = await bench.untilPod();
    await interruptRun(first);
    await waitFor(async () => (await bench.pods()).length === 0);
    await bench.scope.trigger("item");
    const second = await bench.untilPod([first]);
    expect(second.metadata.name).not.toBe(first.metadata.name);
    await bench.finish(second);
    await bench.scope.waitUntilGone("item");
  });

  it("removes its Pod at its deadline", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf({}, { timeout: "2s" }) });
    const pod = await bench.untilPod();
    expect(pod.spec?.["activeDeadlineSeconds"]).toBeGreaterThan(0);
    expect(pod.spec?.["activeDeadlineSeconds"]).toBeLessThanOrEqual(2);
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.lastError?.message).toContain(`timeout at: "Pod ${pod.metadata.name} to get a node"`);
    await waitFor(async () => (await bench.pods()).length === 0);
  });

  it("makes the next job wait until its Pod is gone", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf() });
    const first = await bench.untilPod();
    const key = { namespace: bench.scope.namespace, name: first.metadata.name ?? "" };
    const hold = { metadata: { finalizers: ["example.org/hold", ...(first.metadata.finalizers ?? [])] } };
    await bench.host.patch(kubeResources.pod, key, { type: "merge", body: hold });
    await bench.scope.interrupt("item");
    await bench.scope.trigger("item");
    await bench.scope.waitFor("item", ({ conditions }) =>
      JSON.stringify(conditions).includes(`Pod ${key.name} to end`),
    );
    expect((await bench.pods()).map(({ metadata }) => metadata.name)).toEqual([key.name]);
    await bench.host.patch(kubeResources.pod, key, { type: "merge", body: { metadata: { finalizers: null } } });
    await bench.finish(await bench.untilPod([first]));
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });
});
