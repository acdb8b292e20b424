// The approval gate (deployers.md §6 B6): a job says what it would change, and does nothing before somebody has approved it.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { annotations, resources } from "@landscaper/api";
import { listInventory } from "@landscaper/deployer/testing";
import type { ItemScope } from "../src/items/item-scope.ts";
import { itemConfig } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const config = { requireApproval: true };

describe.each(clustersUnderTest())("approval on %s", (cluster) => {
  const suite = useManifestDeployer({ cluster });
  const approve = async (scope: ItemScope, jobID: string): Promise<void> => {
    const body = { metadata: { annotations: { [annotations.approvedJob]: jobID } } };
    const key = { namespace: scope.namespace, name: "item" };
    await suite.environment.client.patch(resources.deployItem, key, { type: "merge", body });
  };
  const approveJob = async (scope: ItemScope): Promise<void> =>
    approve(scope, (await scope.get("item")).status?.jobID ?? "");
  const expectNothingDone = async (scope: ItemScope, data: object | undefined): Promise<void> => {
    await sleep(700);
    expect((await scope.get("item")).status?.phase).toBe("Progressing");
    expect(await scope.data("a")).toEqual(data);
  };

  it("is waited for with a summary of the changes; nothing changes before it, nor by one of another job", async () => {
    const scope = await suite.open("approval");
    await scope.start("item", [scope.configMap("a", { x: "1" }), scope.configMap("b")], { config });
    const { status } = await scope.waitForMessage("item", "approval of 2 to create: ");
    expect(status?.conditions?.[0]?.message).toBe(
      `waiting for approval of 2 to create: set the annotation landscaper.gardener.cloud/approved-job to ${status?.jobID}`,
    );
    await expectNothingDone(scope, undefined);
    await approve(scope, "job-of-another-day");
    await expectNothingDone(scope, undefined);
    await approveJob(scope);
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await scope.data("a")).toEqual({ x: "1" });

    // The approval was for that job alone.
    await scope.trigger("item", { config: itemConfig([scope.configMap("a", { x: "2" })], config) });
    await scope.waitForMessage("item", "approval of 1 to update, 1 to delete: ");
    await expectNothingDone(scope, { x: "1" });
    await approveJob(scope);
    expect(listInventory(await scope.waitForEnd("item"))).toEqual([`ConfigMap ${scope.place}/a`]);
    expect(await scope.data("a")).toEqual({ x: "2" });
  });

  it("is not needed where nothing would change, nor for the deletion", async () => {
    const scope = await suite.open("no-change");
    await scope.deploy("item", [scope.configMap("a", { x: "1" })]);
    expect((await scope.redeploy("item", [scope.configMap("a", { x: "1" })], config)).status?.phase).toBe("Succeeded");
    await scope.undeploy("item");
    expect(await scope.data("a")).toBe(undefined);
  });

  it("that never comes ends the job with what it was waited for, and nothing is left over", async () => {
    const scope = await suite.open("never");
    const failed = await scope.deploy("item", [scope.configMap("a")], { config, timeout: "1s" });
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: { codes: ["ERR_TIMEOUT"], message: expect.stringContaining('timeout at: "approval of 1 to create: ') },
    });
    await scope.undeploy("item");
    expect(await scope.data("a")).toBe(undefined);
  });
});
