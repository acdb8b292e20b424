// Programs whose images components name by digests, on embedded clusters: the Pods are played.
import { describe, expect, it } from "@jest/globals";
import { annotations, resources, type Pod } from "@landscaper/api";
import { formatPins } from "@landscaper/components";
import { specOf, useContainerBench } from "../../../test/container-bench.ts";

const bench = useContainerBench("pinned-image");
const digest = `sha256:${"a".repeat(64)}`;
const annotation = annotations.componentPins;
const imageOf = ({ spec }: Pod) =>
  (spec?.["containers"] as readonly { readonly image: string }[] | undefined)?.[0]?.image;

describe("the image of a program that a component names", () => {
  it("is run by its digest, also to delete what has been deployed with it", async () => {
    const allowedImages = ["registry.example/program"];
    const first = bench.start({ allowedImages });
    const pins = { [annotation]: formatPins({ manifest: digest }) };
    await bench.scope.create({ name: "item", spec: specOf(), annotations: pins });
    const pod = await bench.untilPod();
    expect(imageOf(pod)).toBe(`registry.example/program:1@${digest}`);
    // The process that sees the end has to find the digest on the host.
    await first.stop();
    bench.start({ allowedImages });
    await bench.finish(pod);
    await bench.scope.waitForEnd("item");
    const key = { namespace: bench.scope.namespace, name: "item" };
    const other = { [annotation]: formatPins({ manifest: `sha256:${"b".repeat(64)}` }) };
    await bench.fixture.hubClient.patch(resources.deployItem, key, {
      type: "merge",
      body: { metadata: { annotations: other } },
    });
    await bench.scope.remove("item");
    const last = await bench.untilPod([pod]);
    expect(imageOf(last)).toBe(`registry.example/program:1@${digest}`);
    await bench.finish(last);
    await bench.scope.waitUntilGone("item");
  });

  it("is not run when its pin cannot be read", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf(), annotations: { [annotation]: '{"manifest":"latest"}' } });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.lastError).toMatchObject({
      reason: "InvalidComponent",
      message: `annotation ${annotation}: manifest: expected a digest such as sha256:... in hex`,
    });
    expect(await bench.pods()).toEqual([]);
  });
});
