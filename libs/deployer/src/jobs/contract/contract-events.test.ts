// Kubernetes events of jobs by the contract of seed-002, on embedded clusters (ADR 8).
import { describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, resources } from "@landscaper/api";
import { spec, useContractBench, type Context } from "../../../test/contract-bench.ts";

const bench = useContractBench("contract-events");

/** All that was told, the same again included: "Succeeded". */
async function listReasons(): Promise<string[]> {
  await bench.running.stop();
  const { items } = await bench.fixture.hubClient.list(kubeResources.event, { namespace: bench.scope.namespace });
  return items.flatMap(({ reason = "", series }) => Array.from({ length: series?.count ?? 1 }, () => reason));
}

describe("the end of a job", () => {
  async function runJobs(...passes: readonly (() => ReturnType<typeof bench.script.reconcile>)[]): Promise<void> {
    let job = 0;
    bench.script.reconcile = async (context) => {
      context.report({ managed: ["a"] });
      return (await passes[job++]?.()) ?? { type: "succeeded", exports: { a: 1 } };
    };
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitForEnd("item");
    for (let next = 1; next < Math.max(2, passes.length); next++) {
      await bench.scope.trigger("item");
      await bench.scope.waitForEnd("item");
    }
  }
  const same = () => Promise.resolve({ type: "succeeded", exports: { a: 1 } } as const);

  it("is an event after the first one, and none when it has changed nothing", async () => {
    await runJobs(same, same, same);
    expect(await listReasons()).toEqual(["Succeeded"]);
  });

  it.each<readonly [string, (context: Context) => ReturnType<typeof same>]>([
    [
      "has changed something, says the deployer",
      (context) => {
        context.noteChange();
        return same();
      },
    ],
    [
      "manages something else",
      (context) => {
        context.report({ managed: ["b"] });
        return same();
      },
    ],
    ["exports something else", () => Promise.resolve({ type: "succeeded", exports: { a: 1, b: 2 } } as never)],
    ["exports nothing any more", () => Promise.resolve({ type: "succeeded" } as never)],
  ])("is an event when it %s", async (_, second) => {
    let jobs = 0;
    bench.script.reconcile = (context) => {
      context.report({ managed: ["a"] });
      return jobs++ === 0 ? same() : second(context);
    };
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitForEnd("item");
    await bench.scope.trigger("item");
    await bench.scope.waitForEnd("item");
    expect(await listReasons()).toEqual(["Succeeded", "Succeeded"]);
  });

  it("is an event when the spec is another one", async () => {
    await runJobs(same, same);
    const item = await bench.scope.get("item");
    await bench.fixture.hubClient.update(resources.deployItem, { ...item, spec: { ...item.spec, timeout: "1m" } });
    await bench.scope.trigger("item");
    await bench.scope.waitForEnd("item");
    expect(await listReasons()).toEqual(["Succeeded", "Succeeded"]);
  });

  it("is an event when it fails, each time, and when the next one succeeds", async () => {
    const fail = () => Promise.reject(new LandscaperError({ message: "no", reason: "No", retry: "never" }));
    await runJobs(same, fail, fail, same, same);
    expect((await listReasons()).toSorted()).toEqual(["No", "No", "Succeeded", "Succeeded"]);
  });

  it("is an event of a job that another process has begun", async () => {
    await runJobs(same, same);
    let isWaiting = true;
    bench.script.reconcile = () =>
      Promise.resolve(isWaiting ? { type: "waiting", for: "it" } : { type: "succeeded", exports: { a: 1 } });
    await bench.scope.trigger("item");
    await bench.scope.waitFor("item", ({ phase }) => phase === "Progressing");
    await bench.running.stop();
    isWaiting = false;
    bench.restart({ identity: "test-1" });
    await bench.scope.waitForEnd("item");
    expect(await listReasons()).toEqual(["Succeeded", "Succeeded"]);
  });
});
