// Which jobs end with a Kubernetes event (ADR 8), on embedded clusters.
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap } from "../test/manifests.ts";

const bench = useManifestBench("job-events", { isClockMoved: true });

/** All that were told, the same again included. */
async function countEnds(): Promise<number> {
  await bench.running.stop();
  const { items } = await bench.fixture.hubClient.list(kubeResources.event, { namespace: bench.n });
  const ends = items.filter(({ reason }) => reason === "Succeeded");
  return ends.reduce((sum, { series }) => sum + (series?.count ?? 1), 0);
}

async function deployAgain(): Promise<void> {
  await bench.scope.trigger("item");
  await bench.scope.waitForEnd("item");
}

describe.each(["update", "patch", "merge", "mergeOverwrite", "apply"])("a job with %s", (updateStrategy) => {
  it("is told of when it is the first, not when it changes nothing", async () => {
    await bench.deploy("item", [configMap(`${bench.n}/a`, { x: "1" })], { updateStrategy });
    await deployAgain();
    await deployAgain();
    expect(await countEnds()).toBe(1);
  });

  it("is told of when it puts right what somebody has removed", async () => {
    await bench.deploy("item", [configMap(`${bench.n}/a`, { x: "1" })], { updateStrategy });
    await bench.fixture.targetClient.delete(kubeResources.configMap, { namespace: bench.n, name: "a" });
    await deployAgain();
    expect(await countEnds()).toBe(2);
  });
});

it.each(["update", "patch", "mergeOverwrite", "apply"])(
  "a job with %s is told of when it puts right what somebody has edited",
  async (updateStrategy) => {
    const config = { updateStrategy, serverSideApply: { force: updateStrategy === "apply" } };
    await bench.deploy("item", [configMap(`${bench.n}/a`, { x: "1" })], config);
    await bench.edit("a", { data: { x: "2" } });
    await deployAgain();
    expect((await bench.find("a"))?.data).toEqual({ x: "1" });
    expect(await countEnds()).toBe(2);
  },
);
