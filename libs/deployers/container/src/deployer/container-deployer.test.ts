// Jobs of container items on embedded clusters: the Pods are played.
import { describe, expect, it } from "@jest/globals";
import { conditionTypes, kubeResources, type DeployItem } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { specOf, useContainerBench } from "../../test/container-bench.ts";

const bench = useContainerBench("container");

const conditionOf = ({ status }: DeployItem, type: string) => {
  const { status: is, reason, message } = status?.conditions?.find((each) => each.type === type) ?? {};
  return { status: is, reason, message };
};

describe("a container item", () => {
  it("runs its program once, and exports what that has written", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf({ importValues: { a: 1 } }) });
    const pod = await bench.untilPod();
    await bench.finish(pod, { exports: "url: https://x\nports: [80]\n" });
    const item = await bench.scope.waitForEnd("item");
    expect([item.status?.phase, item.status?.lastError]).toEqual(["Succeeded", undefined]);
    expect(await bench.exportsOf(item)).toEqual({ url: "https://x", ports: [80] });
    await waitFor(async () => (await bench.pods()).length === 0);
  });
});
