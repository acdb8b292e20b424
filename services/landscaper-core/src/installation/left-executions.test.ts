// kubectl delete installation --cascade=orphan leaves the Execution behind, and with it what was installed.
import { describe, expect, it } from "@jest/globals";
import { annotations, isJobOpen, resources, type Execution } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import { deployItems, installation, trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();
const blueprint = { deploy: deployItems({ name: "item" }) };

async function install(namespace: TestNamespace): Promise<void> {
  await namespace.create(resources.installation, installation({ name: "root", blueprint }));
  await namespace.untilPhase("root", "Succeeded");
}

/** Leaves an Execution behind. */
async function leave(name: string): Promise<{ readonly namespace: TestNamespace; readonly execution: Execution }> {
  const namespace = await setUp.namespace(name);
  await install(namespace);
  const key = { namespace: namespace.name, name: "root" };
  await namespace.client.delete(resources.installation, key, { propagationPolicy: "Orphan" });
  await namespace.untilGone(resources.installation, "root");
  return { namespace, execution: await namespace.get(resources.execution, "root") };
}

const deletions = (from: number): readonly string[] =>
  setUp.deployer.log.slice(from).filter((line) => line.startsWith("delete"));

describe("an Installation that is deleted with --cascade=orphan", () => {
  it("uninstalls nothing", async () => {
    const from = setUp.deployer.log.length;
    const { namespace, execution } = await leave("orphan");
    expect(execution.metadata.ownerReferences ?? []).toEqual([]);
    expect(execution.metadata.deletionTimestamp).toBeUndefined();
    expect((await namespace.list(resources.deployItem)).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([
      undefined,
    ]);
    expect(deletions(from)).toEqual([]);
  });

  it("uninstalls nothing when it is deleted during a job", async () => {
    const namespace = await setUp.namespace("orphan-job");
    const from = setUp.deployer.log.length;
    const hanging = { deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: hanging }));
    await namespace.untilWorking("root");
    await namespace.until(resources.execution, "root", (found) => found?.status?.phase === "Progressing");
    const key = { namespace: namespace.name, name: "root" };
    await namespace.client.delete(resources.installation, key, { propagationPolicy: "Orphan" });
    await namespace.untilGone(resources.installation, "root");
    const { metadata } = await namespace.get(resources.execution, "root");
    expect([metadata.ownerReferences ?? [], metadata.deletionTimestamp]).toEqual([[], undefined]);
    expect(deletions(from)).toEqual([]);
  });
});

describe("an Installation whose finalizer is removed by hand", () => {
  it("leaves an Execution that Kubernetes deletes and the core uninstalls", async () => {
    const namespace = await setUp.namespace("by-hand");
    await install(namespace);
    const from = setUp.deployer.log.length;
    const key = { namespace: namespace.name, name: "root" };
    const body = { metadata: { finalizers: null } };
    await namespace.annotate(resources.installation, "root", { [annotations.operation]: "interrupt" });
    await namespace.until(
      resources.installation,
      "root",
      (found) => found?.metadata.annotations?.[annotations.operation] === undefined,
    );
    const blocked = { metadata: { finalizers: ["example.org/block"] } };
    await namespace.client.patch(resources.installation, key, { type: "merge", body: blocked });
    await namespace.delete(resources.installation, "root");
    await namespace.client.patch(resources.installation, key, { type: "merge", body });
    await namespace.untilGone(resources.execution, "root");
    expect(deletions(from)).toEqual(["delete item"]);
  });
});

describe("an Execution that was left behind", () => {
  it("is taken back by the next Installation of this name, with its items", async () => {
    const { namespace, execution } = await leave("taken-back");
    const [item] = await namespace.list(resources.deployItem);
    await install(namespace);
    const root = await namespace.get(resources.installation, "root");
    const found = await namespace.get(resources.execution, "root");
    expect(found.metadata.uid).toBe(execution.metadata.uid);
    expect(found.metadata.ownerReferences).toMatchObject([{ uid: root.metadata.uid, controller: true }]);
    expect((await namespace.list(resources.deployItem)).map(({ metadata }) => metadata.uid)).toEqual([
      item?.metadata.uid,
    ]);
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
    expect(await namespace.list(resources.deployItem)).toEqual([]);
  });

  it("keeps the finalizers of others when it is taken back, but not those of the garbage collector", async () => {
    const { namespace } = await leave("finalizers");
    const key = { namespace: namespace.name, name: "root" };
    const { metadata } = await namespace.get(resources.execution, "root");
    const body = { metadata: { finalizers: [...(metadata.finalizers ?? []), "example.org/audit", "orphan"] } };
    await namespace.client.patch(resources.execution, key, { type: "merge", body });
    await install(namespace);
    const found = await namespace.get(resources.execution, "root");
    expect(found.metadata.finalizers).toEqual(["finalizer.landscaper.gardener.cloud", "example.org/audit"]);
  });

  it("uninstalls its items when it is deleted itself", async () => {
    const { namespace } = await leave("deleted");
    const from = setUp.deployer.log.length;
    await namespace.delete(resources.execution, "root");
    await namespace.untilGone(resources.execution, "root");
    expect(await namespace.list(resources.deployItem)).toEqual([]);
    expect(deletions(from)).toEqual(["delete item"]);
  });

  it("lets an Installation of its name wait until its deletion has ended", async () => {
    const namespace = await setUp.namespace("waiting");
    const hanging = { deploy: deployItems({ name: "item", deletion: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: hanging }));
    await namespace.untilPhase("root", "Succeeded");
    const key = { namespace: namespace.name, name: "root" };
    await namespace.client.delete(resources.installation, key, { propagationPolicy: "Orphan" });
    await namespace.untilGone(resources.installation, "root");
    const { metadata } = await namespace.get(resources.execution, "root");
    await namespace.delete(resources.execution, "root");
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const message = "execution root exists and is being deleted";
    await namespace.until(
      resources.installation,
      "root",
      (found) => found?.status?.lastError?.message.includes(message) === true,
    );
    const [item] = await namespace.list(resources.deployItem);
    const itemKey = { namespace: namespace.name, name: item?.metadata.name ?? "" };
    const body = { metadata: { finalizers: null } };
    await namespace.client.patch(resources.deployItem, itemKey, { type: "merge", body });
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.execution, "root")).metadata.uid).not.toBe(metadata.uid);
  });

  it("starts another deletion job for operation: reconcile after a failure", async () => {
    const namespace = await setUp.namespace("retried");
    const failing = { deploy: deployItems({ name: "item", deletion: "DeleteFailed" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: failing }));
    await namespace.untilPhase("root", "Succeeded");
    const key = { namespace: namespace.name, name: "root" };
    await namespace.client.delete(resources.installation, key, { propagationPolicy: "Orphan" });
    await namespace.untilGone(resources.installation, "root");
    await namespace.delete(resources.execution, "root");
    const untilFailed = async (after: string | undefined): Promise<string | undefined> => {
      const found = await namespace.until(
        resources.execution,
        "root",
        (one) => one?.status?.phase === "DeleteFailed" && !isJobOpen(one.status) && one.status.jobID !== after,
      );
      return found?.status?.jobID;
    };
    const first = await untilFailed(undefined);
    const { metadata } = await namespace.get(resources.execution, "root");
    expect(metadata.annotations?.[annotations.operation]).toBeUndefined();
    await namespace.annotate(resources.execution, "root", trigger);
    await untilFailed(first);
  });
});
