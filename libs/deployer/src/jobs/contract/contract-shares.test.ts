// A deployer whose workers and shares are few: who waits for whom.
import { describe, expect, it } from "@jest/globals";
import { kubernetesClusterTargetType } from "@landscaper/api";
import { gate, spec, useContractBench } from "../../../test/contract-bench.ts";

const bench = useContractBench("contract-shares");

/** Items called slow wait for the door, on a Target of their own. */
function startWithDoor() {
  const door = gate();
  bench.script.reconcile = async ({ item, signal }) => {
    if (item.metadata.name?.startsWith("slow") === true) await door.pass(signal);
    return { type: "succeeded" };
  };
  return door;
}

async function createSlow(...names: string[]): Promise<void> {
  for (const name of names) await bench.scope.create({ name, spec: { ...spec, target: { name: "slow" } } });
}

async function createTargets(): Promise<void> {
  for (const name of ["slow", "good"]) {
    const config = { kubeconfig: "{}" };
    await bench.scope.createTarget({ metadata: { name }, spec: { type: kubernetesClusterTargetType, config } });
  }
}

describe("items on a slow target", () => {
  it("hold no worker: those on other targets are done meanwhile", async () => {
    await bench.running.stop();
    bench.restart({ workers: 1, shares: { total: 10, perNamespace: 10, perServer: 2 } });
    const door = startWithDoor();
    await createTargets();
    await createSlow("slow-1", "slow-2", "slow-3", "slow-4");
    for (const name of ["slow-1", "slow-2", "slow-3", "slow-4"]) {
      await bench.scope.waitFor(name, ({ phase }) => phase === "Progressing");
    }
    await bench.scope.create({ name: "good", spec: { ...spec, target: { name: "good" } } });
    const good = await bench.scope.waitForEnd("good");
    expect(good.status?.phase).toBe("Succeeded");
    // All were picked up, two are at work.
    expect(bench.calls).toEqual(["reconcile slow-1", "reconcile slow-2", "reconcile good"]);
    door.open();
    for (const name of ["slow-1", "slow-2", "slow-3", "slow-4"]) await bench.scope.waitForEnd(name);
    expect(bench.calls.slice(3)).toEqual(["reconcile slow-3", "reconcile slow-4"]);
  });

  it("that wait for a share time out and are interrupted as if they were at work", async () => {
    await bench.running.stop();
    bench.restart({ workers: 1, shares: { total: 10, perNamespace: 10, perServer: 1 } });
    const door = startWithDoor();
    await createTargets();
    await createSlow("slow-1");
    await door.entered;
    await createSlow("slow-2", "slow-3");
    await bench.scope.create({ name: "slow-4", spec: { ...spec, timeout: "1m", target: { name: "slow" } } });
    for (const name of ["slow-3", "slow-4"]) await bench.scope.waitFor(name, ({ phase }) => phase === "Progressing");
    bench.clock.leap(60_000);
    const late = await bench.scope.waitForEnd("slow-4");
    expect(late.status?.lastError?.message).toBe(
      'timeout at: "other work on its target, or in its namespace, to end"; the job did not end within 1m0s',
    );
    await bench.scope.interrupt("slow-2");
    await bench.scope.interrupt("slow-3");
    door.open();
    await bench.scope.waitForEnd("slow-1");
    // The queue is empty: an item that comes now is worked on at once.
    await createSlow("slow-5");
    await bench.scope.waitForEnd("slow-5");
    expect(bench.calls).toEqual(["reconcile slow-1", "reconcile slow-5"]);
  });

  it("that are deleted wait for a share, too, and hold no worker", async () => {
    await bench.running.stop();
    bench.restart({ workers: 1, shares: { total: 10, perNamespace: 10, perServer: 1 } });
    const door = startWithDoor();
    await createTargets();
    await bench.scope.create({ name: "old", spec: { ...spec, target: { name: "slow" } } });
    await bench.scope.waitForEnd("old");
    await createSlow("slow-1");
    await door.entered;
    await bench.scope.remove("old");
    await bench.scope.waitFor("old", ({ phase }) => phase === "Deleting");
    await bench.scope.create({ name: "good", spec: { ...spec, target: { name: "good" } } });
    await bench.scope.waitForEnd("good");
    expect(bench.calls).toEqual(["reconcile old", "reconcile slow-1", "reconcile good"]);
    door.open();
    await bench.scope.waitUntilGone("old");
    expect(bench.calls.slice(3)).toEqual(["delete old"]);
  });

  it("whose deletion waits for a share longer than it may take can be deleted again", async () => {
    await bench.running.stop();
    bench.restart({ workers: 1, shares: { total: 10, perNamespace: 10, perServer: 1 } });
    const door = startWithDoor();
    await createTargets();
    await bench.scope.create({ name: "old", spec: { ...spec, timeout: "1m", target: { name: "slow" } } });
    await bench.scope.waitForEnd("old");
    await createSlow("slow-1");
    await door.entered;
    await bench.scope.remove("old");
    await bench.scope.waitFor("old", ({ phase = "" }) => ["InitDelete", "Deleting"].includes(phase));
    bench.clock.leap(60_000);
    const late = await bench.scope.waitFor("old", ({ phase }) => phase === "DeleteFailed");
    expect(late.status?.lastError?.message).toBe(
      'timeout at: "other work on its target, or in its namespace, to end"; the job did not end within 1m0s',
    );
    door.open();
    await bench.scope.waitForEnd("slow-1");
    await bench.scope.trigger("old");
    await bench.scope.waitUntilGone("old");
    expect(bench.calls).toEqual(["reconcile old", "reconcile slow-1", "delete old"]);
  });

  it("come from one namespace: another one is served although all shares of the first are in use", async () => {
    await bench.running.stop();
    bench.restart({ workers: 1, shares: { total: 3, perNamespace: 2, perServer: 10 } });
    const door = startWithDoor();
    await createTargets();
    await createSlow("slow-1", "slow-2", "slow-3");
    await bench.scope.waitFor("slow-3", ({ phase }) => phase === "Progressing");
    const other = await bench.fixture.scope("contract-shares-neighbour");
    await other.create({ name: "other", spec });
    expect((await other.waitForEnd("other")).status?.phase).toBe("Succeeded");
    expect(bench.calls).toEqual(["reconcile slow-1", "reconcile slow-2", "reconcile other"]);
    door.open();
    for (const name of ["slow-1", "slow-2", "slow-3"]) await bench.scope.waitForEnd(name);
  });
});
