// Deletions by the contract of seed-002 on embedded clusters.
import { describe, expect, it } from "@jest/globals";
import { finalizer, LandscaperError, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { gate, spec, useContractBench } from "../../../test/contract-bench.ts";

const bench = useContractBench("contract-deletion");

describe("deletion", () => {
  it("starts with a job, removes the finalizer when it is done, and the item goes", async () => {
    let left = 2;
    bench.script.delete = ({ report }) => {
      left--;
      report({ left });
      return Promise.resolve(left > 0 ? "pending" : "done");
    };
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitForEnd("item");
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(bench.calls).toEqual(["reconcile item", "delete item", "delete item"]);
  });

  it("that fails for good ends as DeleteFailed and keeps the item", async () => {
    bench.script.delete = () => Promise.reject(new LandscaperError({ message: "no", reason: "No", retry: "never" }));
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitForEnd("item");
    await bench.scope.remove("item");
    const { status, metadata } = await bench.scope.waitForEnd("item");
    expect(status).toMatchObject({ phase: "DeleteFailed", lastError: { message: "no", operation: "Delete" } });
    expect(metadata.finalizers).toEqual([finalizer]);
    bench.script.delete = () => Promise.resolve("done");
    await bench.scope.trigger("item");
    await bench.scope.waitUntilGone("item");
  });

  it("that takes too long ends as DeleteFailed", async () => {
    bench.script.delete = () => Promise.resolve({ type: "waiting", for: "Namespace x to go" });
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitForEnd("item");
    await bench.scope.remove("item");
    await waitFor(() => bench.calls.includes("delete item"));
    const { status } = await bench.timeOut();
    expect(status).toMatchObject({
      phase: "DeleteFailed",
      lastError: { message: 'timeout at: "Namespace x to go"; the job did not end within 10m0s' },
    });
  });

  describe("without uninstall", () => {
    const annotations = { "landscaper.gardener.cloud/delete-without-uninstall": "true" };

    it("has the deployer remove the marks", async () => {
      await bench.scope.create({ name: "item", spec, annotations });
      await bench.scope.waitForEnd("item");
      await bench.scope.remove("item");
      await bench.scope.waitUntilGone("item");
      expect(bench.calls).toEqual(["reconcile item", "leave item"]);
    });

    it("does not call the deployer for an item that was never worked on", async () => {
      const broken = { ...spec, config: { ...spec.config, broken: true } };
      await bench.scope.create({ name: "item", spec: broken, annotations });
      await bench.scope.waitForEnd("item");
      await bench.scope.remove("item");
      await bench.scope.waitUntilGone("item");
      expect(bench.calls).toEqual([]);
    });

    it("removes the finalizer even if the deployer fails", async () => {
      bench.script.leave = () => Promise.reject(new Error("the target is away"));
      await bench.scope.create({ name: "item", spec, annotations });
      await bench.scope.waitForEnd("item");
      await bench.scope.remove("item");
      await bench.scope.waitUntilGone("item");
      expect(bench.calls).toEqual(["reconcile item", "leave item"]);
    });

    it("removes the finalizer after 15 s if the deployer does not end", async () => {
      const entered = gate();
      bench.script.leave = async ({ signal }) => await entered.pass(signal);
      await bench.scope.create({ name: "item", spec, annotations });
      await bench.scope.waitForEnd("item");
      await bench.scope.remove("item");
      await entered.entered;
      bench.clock.leap(14_999);
      expect((await bench.scope.get("item")).metadata.finalizers).toEqual([finalizer]);
      bench.clock.leap(1);
      await bench.scope.waitUntilGone("item");
    });
  });

  it("ends its job when others keep the object", async () => {
    await bench.scope.create({ name: "item", spec });
    const item = await bench.scope.waitForEnd("item");
    const finalizers = [...(item.metadata.finalizers ?? []), "example.org/other"];
    await bench.fixture.hubClient.update(resources.deployItem, { ...item, metadata: { ...item.metadata, finalizers } });
    await bench.scope.remove("item");
    const { status, metadata } = await bench.scope.waitForEnd("item");
    expect([status?.phase, metadata.finalizers]).toEqual(["Succeeded", ["example.org/other"]]);
    await bench.fixture.hubClient.update(resources.deployItem, {
      ...(await bench.scope.get("item")),
      metadata: { ...metadata, finalizers: [] },
    });
    await bench.scope.waitUntilGone("item");
  });

  it("without uninstall of an object that others keep ends with the time of its job, as every job does", async () => {
    const annotations = { "landscaper.gardener.cloud/delete-without-uninstall": "true" };
    await bench.scope.create({ name: "item", spec, annotations });
    const item = await bench.scope.waitForEnd("item");
    const finalizers = [...(item.metadata.finalizers ?? []), "example.org/other"];
    const long = { ...item.status, lastReconcileTime: "2020-01-01T00:00:00Z" };
    const updated = { ...item, metadata: { ...item.metadata, finalizers } };
    const kept = await bench.fixture.hubClient.update(resources.deployItem, updated);
    await bench.fixture.hubClient.updateStatus(resources.deployItem, { ...kept, status: long });
    await bench.scope.remove("item");
    const { status } = await bench.scope.waitForEnd("item");
    expect([status?.phase, status?.jobIDFinished]).toEqual(["Succeeded", status?.jobID]);
    expect(status?.lastReconcileTime?.slice(0, 4)).not.toBe("2020");
    expect(new Set(bench.calls)).toEqual(new Set(["reconcile item", "leave item"]));
  });

  it("of an item whose configuration cannot be read fails only if the deployer needs it", async () => {
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitForEnd("item");
    bench.script.delete = ({ config }) => Promise.resolve(config.text === undefined ? "done" : "pending");
    const broken = { ...spec.config, broken: true };
    await bench.fixture.hubClient.update(resources.deployItem, {
      ...(await bench.scope.get("item")),
      spec: { ...spec, config: broken },
    });
    await bench.scope.remove("item");
    expect((await bench.scope.waitForEnd("item")).status).toMatchObject({
      phase: "DeleteFailed",
      lastError: { message: "spec.config: broken" },
    });
    bench.script.delete = () => Promise.resolve("done");
    await bench.scope.trigger("item");
    await bench.scope.waitUntilGone("item");
  });
});
