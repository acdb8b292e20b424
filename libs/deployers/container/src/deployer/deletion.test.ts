// The DELETE runs of container items on embedded clusters: the Pods are played.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type DeployItem } from "@landscaper/api";
import { specOf, useContainerBench } from "../../test/container-bench.ts";

const bench = useContainerBench("deletion");

/** Once through a job that succeeds. */
async function runOnce(config: object = {}, end: Parameters<typeof bench.finish>[1] = {}): Promise<DeployItem> {
  await bench.scope.create({ name: "item", spec: specOf(config) });
  const pod = await bench.untilPod();
  await bench.finish(pod, end);
  return await bench.scope.waitForEnd("item");
}

describe("the deletion of a container item", () => {
  it("runs the program with what the last success was given, and leaves nothing", async () => {
    bench.start();
    await bench.scope.createTarget({
      metadata: { name: "any" },
      spec: { type: "example.org/x", config: { a: "of the success" } },
    });
    const target = { name: "any" };
    await bench.scope.create({ name: "item", spec: specOf({ importValues: { a: "good" } }, { target }) });
    await bench.finish(await bench.untilPod(), { state: ["one"] });
    await bench.scope.waitForEnd("item");
    const bad = specOf({ importValues: { a: "bad" } }).config;
    await bench.scope.trigger("item", bad === undefined ? {} : { config: bad });
    await bench.finish(await bench.untilPod(), { main: { exitCode: 1 } });
    await bench.scope.waitForEnd("item");
    await bench.scope.remove("item");
    const pod = await bench.untilPod();
    const main = (pod.spec?.["containers"] as { env: unknown[] }[] | undefined)?.[0];
    expect(main?.env).toContainEqual({ name: "OPERATION", value: "DELETE" });
    const job = await bench.job(pod);
    expect(job).toMatchObject({ operation: "DELETE", state: { restore: { chunks: [{ bytes: 1 }] } } });
    const { namespace } = bench.scope;
    const read = async (object: string, key: string): Promise<unknown> => {
      const secret = await bench.host.get(kubeResources.secret, { namespace, name: `${namespace}-item-${object}` });
      return JSON.parse(Buffer.from(secret.data?.[key] ?? "", "base64").toString());
    };
    expect(await read("config", "configuration.json")).toMatchObject({ importValues: { a: "good" } });
    expect(await read("target", "target.json")).toMatchObject({
      target: { kind: "Target", metadata: { name: "any" } },
      content: '{"a":"of the success"}',
    });
    await bench.finish(pod);
    await bench.scope.waitUntilGone("item");
    expect(await bench.hostObjects()).toEqual([]);
  });

  it("stays when the program fails, and is tried again by the next job", async () => {
    bench.start();
    await runOnce();
    await bench.scope.remove("item");
    const first = await bench.untilPod();
    await bench.finish(first, { main: { exitCode: 1, message: "still in use" } });
    const item = await bench.scope.waitForEnd("item");
    expect([item.status?.phase, item.status?.lastError?.reason]).toEqual(["DeleteFailed", "ContainerFailed"]);
    expect((await bench.hostObjects()).length).toBeGreaterThan(5);
    await bench.scope.trigger("item");
    await bench.finish(await bench.untilPod([first]));
    await bench.scope.waitUntilGone("item");
    expect(await bench.hostObjects()).toEqual([]);
  });

  it("leaves the program out where cleanup is forced, by exactly this word", async () => {
    bench.start();
    await runOnce({}, { state: ["one"], exports: "a: 1" });
    const key = { namespace: bench.scope.namespace, name: "item" };
    const annotate = (value: string) =>
      bench.fixture.hubClient.patch(resources.deployItem, key, {
        type: "merge",
        body: { metadata: { annotations: { [annotations.containerForceCleanup]: value } } },
      });
    await annotate("yes");
    await bench.scope.remove("item");
    await bench.untilPod();
    await annotate("true");
    await bench.scope.waitUntilGone("item");
    expect(await bench.hostObjects()).toEqual([]);
  });

  it("goes at once when cleanup is forced after the deletion has failed", async () => {
    bench.start();
    await runOnce();
    await bench.scope.remove("item");
    await bench.finish(await bench.untilPod(), { main: { exitCode: 1, message: "still in use" } });
    const item = await bench.scope.waitForEnd("item");
    expect(item.status?.phase).toBe("DeleteFailed");
    const key = { namespace: bench.scope.namespace, name: "item" };
    const body = { metadata: { annotations: { [annotations.containerForceCleanup]: "true" } } };
    await bench.fixture.hubClient.patch(resources.deployItem, key, { type: "merge", body });
    await bench.scope.waitUntilGone("item");
    expect(await bench.hostObjects()).toEqual([]);
  });

  it("needs no run of a program that never ran", async () => {
    bench.start({ allowedImages: [] });
    await bench.scope.create({ name: "item", spec: specOf() });
    await bench.scope.waitForEnd("item");
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await bench.pods()).toEqual([]);
  });
});
