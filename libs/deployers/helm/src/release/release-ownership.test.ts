// Releases that items of two namespaces, or an item and Helm, have under one name.
import { describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { mapChart, useHelmBench } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";

const bench = useHelmBench();
const ownedBy = "landscaper.gardener.cloud/owned-by";
const record = "sh.helm.release.v1.app.v1";

/** Whose the first revision is; null: nobody's, as one that Helm has written. */
async function giveTo(owner: string | null): Promise<void> {
  const body = { metadata: { annotations: { [ownedBy]: owner } } };
  const key = { namespace: bench.namespace, name: record };
  await bench.fixture.targetClient.patch(kubeResources.secret, key, { type: "merge", body });
}

describe("a release", () => {
  it("bears the mark of its item", async () => {
    const { metadata } = await bench.deploy({ chart: await rawChart(mapChart) });
    const secret = await bench.find(kubeResources.secret, record);
    expect(secret?.metadata.annotations?.[ownedBy]).toBe(`${metadata.namespace}/item/${metadata.uid}`);
  });

  it("of another item is neither upgraded nor uninstalled", async () => {
    await bench.deploy({ chart: await rawChart(mapChart) });
    await giveTo("others/item/uid");
    await bench.scope.trigger("item");
    const failing = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
    expect(failing.status?.lastError).toMatchObject({
      reason: "TargetOwnedByOther",
      message:
        `release ${bench.namespace}/app belongs to deploy item others/item, by the annotation ${ownedBy} of its newest revision; ` +
        "uninstall it there, or deploy it under another name",
    });
    await bench.scope.interrupt("item");
    await bench.scope.waitForEnd("item");
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
    expect(await bench.data()).toBeDefined();
  });

  it("that Helm has written is taken over", async () => {
    await bench.deploy({ chart: await rawChart(mapChart) });
    await giveTo(null);
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await bench.revisions()).toEqual([]);
  });
});
