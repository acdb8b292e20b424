// What users see of programs that fail, on embedded clusters: the Pods are played.
import { describe, expect, it } from "@jest/globals";
import { type DeployItem } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { specOf, useContainerBench } from "../../test/container-bench.ts";

const bench = useContainerBench("program-failures");

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

describe("a program that fails", () => {
  it("ends the job with its exit code and the end of its log, without values of imports and target", async () => {
    bench.start();
    await bench.scope.createTarget({
      metadata: { name: "any" },
      spec: { type: "example.org/x", config: { token: "t0ken-of-target" } },
    });
    const spec = specOf({ importValues: { password: "imp0rt-value" } }, { target: { name: "any" } });
    await bench.scope.create({ name: "item", spec });
    const pod = await bench.untilPod();
    const message = "connecting\nlogin with imp0rt-value failed: t0ken-of-target is expired";
    await bench.finish(pod, { main: { exitCode: 3, message } });
    const item = await bench.scope.waitForEnd("item");
    expect(item.status?.phase).toBe("Failed");
    expect(item.status?.lastError).toMatchObject({
      reason: "ContainerFailed",
      message: `Pod ${pod.metadata.name}: the program has ended with exit code 3 (Error); the end of its log:\nconnecting\nlogin with [...] failed: [...] is expired`,
    });
    expect(podStatusOf(item)).toMatchObject({
      exitCode: 3,
      reason: "Error",
      message: "connecting\nlogin with [...] failed: [...] is expired",
    });
    expect(JSON.stringify(item.status)).not.toMatch(/imp0rt-value|t0ken-of-target/);
    await waitFor(async () => (await bench.pods()).length === 0);
  });

  it("says nothing of its log where that is off", async () => {
    bench.start({ logs: "off" });
    const item = await runOnce({}, { main: { exitCode: 3, message: "whatever it said" } });
    expect(item.status?.lastError?.message).toMatch(
      /^Pod item-\w{8}: the program has ended with exit code 3 \(Error\)$/,
    );
    expect(JSON.stringify(item.status)).not.toContain("whatever");
  });

  it.each(["on", "off"])("that cannot be started is told in the words of the runtime with logs %s", async (logs) => {
    bench.start({ logs });
    const message = 'exec: "/no/such/program": stat /no/such/program: no such file or directory';
    const item = await runOnce({}, { main: { exitCode: 128, reason: "StartError", message } });
    expect(item.status?.lastError).toMatchObject({
      reason: "ContainerFailed",
      message: expect.stringMatching(
        /^Pod item-\w{8}: the program could not be started: exit code 128 \(StartError\): exec: "\/no\/such\/program": stat \/no\/such\/program: no such file or directory; correct command and args of the item, or its image$/,
      ),
    });
  });

  it("that needs more memory than its limit says which field to raise", async () => {
    bench.start();
    const { status } = await runOnce({}, { main: { exitCode: 137, reason: "OOMKilled" } });
    expect(status?.lastError?.message).toMatch(
      /^Pod item-\w{8}: the program has ended with exit code 137 \(OOMKilled\); raise resources.limits.memory of the item$/,
    );
  });

  it("keeps its state, and exports nothing, also not what an earlier run has exported", async () => {
    bench.start();
    const { namespace } = bench.scope;
    const first = await runOnce({}, { exports: "a: 1", state: ["one"] });
    expect(await bench.exportsOf(first)).toEqual({ a: 1 });
    await bench.scope.trigger("item");
    await bench.finish(await bench.untilPod(), { main: { exitCode: 1 }, state: ["two"] });
    const failed = await bench.scope.waitForEnd("item");
    const suffix = String(podStatusOf(failed).podStatus?.["podName"]).slice(-8);
    const names = (await bench.hostObjects()).filter((name) => /Secret state-|-export/.test(name));
    expect(names).toEqual([`Secret state-${namespace}-item-${suffix}-0`]);
    await bench.scope.trigger("item");
    const pod = await bench.untilPod();
    expect((await bench.job(pod)).state.restore?.chunks.map(({ name }) => name)).toEqual([
      `state-${namespace}-item-${suffix}-0`,
    ]);
    await bench.finish(pod);
    expect(await bench.exportsOf(await bench.scope.waitForEnd("item"))).toBeUndefined();
  });

  it.each<readonly [string, Parameters<typeof bench.finish>[1], string, RegExp]>([
    [
      "init",
      { init: { exitCode: 1, message: "component x: not found" } },
      "ContainerInitFailed",
      /: the program was not started: component x: not found$/,
    ],
    [
      "wait",
      { wait: { exitCode: 1, message: "state: a link at x" } },
      "ContainerWaitFailed",
      /: what the program has left is not saved: state: a link at x$/,
    ],
    [
      "the whole Pod",
      { reason: "DeadlineExceeded", message: "active longer" },
      "ContainerFailed",
      /^Pod item-\w{8} has failed: DeadlineExceeded: active longer$/,
    ],
  ])("is told from a failure of %s", async (...[, end, reason, message]) => {
    bench.start();
    const { status } = await runOnce({}, end);
    expect(status?.lastError).toMatchObject({ reason, message: expect.stringMatching(message) });
  });

  it("may stay as a Pod until the next job", async () => {
    bench.start({ debug: { keepFailedPod: true } });
    await runOnce({}, { main: { exitCode: 1 } });
    const [kept] = await bench.pods();
    expect(kept?.metadata.finalizers ?? []).toEqual([]);
    await bench.scope.trigger("item");
    const pod = await bench.untilPod(kept === undefined ? [] : [kept]);
    expect((await bench.pods()).map(({ metadata }) => metadata.uid)).toEqual([pod.metadata.uid]);
  });
});
