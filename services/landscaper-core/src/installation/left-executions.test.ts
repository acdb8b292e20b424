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

  it("keeps the finalizers of others when it is taken back", async () => {
    const { namespace } = await leave("finalizers");
    const key = { namespace: namespace.name, name: "root" };
    const { metadata } = await namespace.get(resources.execution, "root");
    const body = { metadata: { finalizers: [...(metadata.finalizers ?? []), "example.org/audit"] } };
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

  it("holds back an Installation of its name until it is gone, which then begins anew", async () => {
    const { namespace, execution } = await leave("waiting");
    await namespace.delete(resources.execution, "root");
    await install(namespace);
    expect((await namespace.get(resources.execution, "root")).metadata.uid).not.toBe(execution.metadata.uid);
  });

  it("tries its deletion again when somebody asks for it", async () => {
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
