// DeployItems whose forged owner reference and label claim that they are an item of an Execution (docs/reference/deployer-management.md).
import { describe, expect, it } from "@jest/globals";
import { apiVersion, labels, resources, type DeployItem, type Execution } from "@landscaper/api";
import { isConflict } from "@landscaper/controller-runtime";
import { waitFor, type TestNamespace } from "@landscaper/testkit";
import { change, deployItem, finishItem, untilPicked } from "../../test/behaviours.ts";
import { deployItems, installation, trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";
import { deployItemName } from "../execution/identify-deploy-items.ts";

const setUp = setUpCore();

/** Metadata whose owner reference and label claim that a DeployItem is an item of the Execution "root". */
function claim({ metadata }: Execution, name: string, item: string): DeployItem["metadata"] {
  const owner = { apiVersion, kind: "Execution", name: "root", uid: metadata.uid ?? "", controller: true };
  return { name, labels: { [labels.managedName]: item }, ownerReferences: [owner] };
}

/** Creates a DeployItem that claims to be an item and to have finished the job. */
async function forge(namespace: TestNamespace, item: string, jobID = ""): Promise<DeployItem> {
  const execution = await namespace.get(resources.execution, "root");
  const made = await namespace.create(resources.deployItem, {
    apiVersion,
    kind: "DeployItem",
    metadata: claim(execution, `forged-${item}`, item),
    spec: { type: "test/of-the-attacker" },
  });
  const status = { observedGeneration: 1, jobID, jobIDFinished: jobID, phase: "Succeeded" };
  return namespace.client.updateStatus(resources.deployItem, { ...made, status });
}

/** Removes the noted names from the status, as if a core without this feature had written the status. */
async function forgetNames(namespace: TestNamespace): Promise<void> {
  for (;;) {
    const found = await namespace.get(resources.execution, "root");
    const { deployItemCache: _, ...status } = found.status ?? {};
    try {
      await namespace.client.updateStatus(resources.execution, { ...found, status });
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

/** Replaces the real item by one with a name of the original core's form. */
async function rename(namespace: TestNamespace, item: string, name: string): Promise<void> {
  const found = await deployItem(namespace, item);
  if (found === undefined) throw new Error(`there is no deploy item ${item}`);
  const { annotations: kept = {}, finalizers = [], labels: marks = {}, ownerReferences = [] } = found.metadata;
  const metadata = { name, annotations: kept, finalizers, labels: marks, ownerReferences };
  const made = await namespace.create(resources.deployItem, { ...found, metadata });
  await namespace.client.updateStatus(resources.deployItem, {
    ...made,
    ...(found.status ? { status: found.status } : {}),
  });
  const old = found.metadata.name ?? "";
  await namespace.client.delete(resources.deployItem, { namespace: namespace.name, name: old });
  const body = { metadata: { finalizers: null } };
  await namespace.client.patch(resources.deployItem, { namespace: namespace.name, name: old }, { type: "merge", body });
}

async function failItem({ client }: TestNamespace, item: DeployItem): Promise<void> {
  const status = { observedGeneration: 1, ...item.status, phase: "Failed", jobIDFinished: item.status?.jobID ?? "" };
  await client.updateStatus(resources.deployItem, { ...item, status });
}

const namesOf = async (namespace: TestNamespace): Promise<readonly string[]> =>
  (await namespace.list(resources.deployItem)).map(({ metadata }) => metadata.name ?? "").toSorted();

describe("a forged item", () => {
  it("does not replace an item that the next job creates", async () => {
    const namespace = await setUp.namespace("forged-before");
    const first = { deploy: deployItems({ name: "first" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: first }));
    await namespace.untilPhase("root", "Succeeded");
    await forge(namespace, "second");
    const both = { deploy: deployItems({ name: "first" }, { name: "second", result: "Hang" }) };
    await change(namespace, installation({ name: "root", blueprint: both }));
    await namespace.untilWorking("root");
    const isReal = (name: string): boolean => name.startsWith("root-second-");
    await waitFor(async () => (await namesOf(namespace)).some(isReal));
    const real = (await namesOf(namespace)).find(isReal) ?? "";
    const isPicked = (found: DeployItem | undefined): boolean => found?.status?.phase === "Init";
    const picked = await namespace.until(resources.deployItem, real, isPicked);
    if (picked === undefined) throw new Error("the real item is gone");
    await failItem(namespace, picked);
    await namespace.untilPhase("root", "Failed");
    const forged = await namespace.get(resources.deployItem, "forged-second");
    expect([forged.spec.type, forged.status?.jobID]).toEqual(["test/of-the-attacker", ""]);
  });

  it("does not finish the job of the real item", async () => {
    const namespace = await setUp.namespace("forged-after");
    const blueprint = { deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilWorking("root");
    const real = await untilPicked(namespace);
    await forge(namespace, "item", real.status?.jobID);
    await failItem(namespace, real);
    const ended = await namespace.untilPhase("root", "Failed");
    expect(ended.status?.lastError?.message).toContain('deploy item "item"');
  });

  it("does not replace a real item that is deleted", async () => {
    const namespace = await setUp.namespace("forged-alone");
    const blueprint = { deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilWorking("root");
    const real = await untilPicked(namespace);
    await forge(namespace, "item", real.status?.jobID);
    const key = { namespace: namespace.name, name: real.metadata.name ?? "" };
    const body = { metadata: { finalizers: null } };
    await namespace.client.patch(resources.deployItem, key, { type: "merge", body });
    await namespace.client.delete(resources.deployItem, key);
    const ended = await namespace.untilPhase("root", "Failed");
    expect(ended.status?.lastError?.message).toContain('"item" was deleted while the job was running');
  });
});

async function relabel(namespace: TestNamespace, name: string, item: string): Promise<void> {
  const body = { metadata: { labels: { [labels.managedName]: item } } };
  await namespace.client.patch(resources.deployItem, { namespace: namespace.name, name }, { type: "merge", body });
}

describe("an item whose label another client has changed", () => {
  async function working(name: string): Promise<readonly [TestNamespace, string]> {
    const namespace = await setUp.namespace(name);
    const blueprint = { deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilWorking("root");
    const { metadata } = await untilPicked(namespace);
    return [namespace, metadata.name ?? ""];
  }

  async function finish(namespace: TestNamespace, name: string): Promise<void> {
    const isPicked = (found: DeployItem | undefined): boolean => found?.status?.phase === "Init";
    const picked = await namespace.until(resources.deployItem, name, isPicked);
    if (picked === undefined) throw new Error(`${name} is gone`);
    const status = { ...picked.status, phase: "Succeeded", jobIDFinished: picked.status?.jobID ?? "" };
    await namespace.client.updateStatus(resources.deployItem, { ...picked, status });
  }

  it("finishes its job, and gets its label back with the next one", async () => {
    const [namespace, name] = await working("relabelled");
    await relabel(namespace, name, "other");
    await finish(namespace, name);
    await namespace.untilPhase("root", "Succeeded");
    await namespace.annotate(resources.installation, "root", trigger);
    await finish(namespace, name);
    await namespace.untilPhase("root", "Succeeded");
    expect(await namesOf(namespace)).toEqual([name]);
    const { metadata } = await namespace.get(resources.deployItem, name);
    expect(metadata.labels?.[labels.managedName]).toBe("item");
  });

  it("is uninstalled when the Installation is deleted", async () => {
    const [namespace, name] = await working("relabelled-deleted");
    await finish(namespace, name);
    await namespace.untilPhase("root", "Succeeded");
    await relabel(namespace, name, "other");
    await namespace.client.delete(resources.installation, { namespace: namespace.name, name: "root" });
    await waitFor(async () => (await namesOf(namespace)).length === 0);
  });

  it("is removed when the spec drops it", async () => {
    const [namespace, name] = await working("relabelled-dropped");
    await finish(namespace, name);
    await namespace.untilPhase("root", "Succeeded");
    await relabel(namespace, name, "other");
    await change(namespace, installation({ name: "root", blueprint: { deploy: deployItems({ name: "new" }) } }));
    await namespace.untilPhase("root", "Succeeded");
    const names = await namesOf(namespace);
    expect([names.length, names.includes(name)]).toEqual([1, false]);
  });
});

describe("the first job after another core that noted no names", () => {
  async function takenOver(name: string): Promise<TestNamespace> {
    const namespace = await setUp.namespace(name);
    const blueprint = { deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilWorking("root");
    await finishItem(namespace);
    await namespace.untilPhase("root", "Succeeded");
    await rename(namespace, "item", "root-item-x7k2p");
    await forgetNames(namespace);
    return namespace;
  }

  it("takes over the only DeployItem of an item, and notes its name", async () => {
    const namespace = await takenOver("taken-over");
    await namespace.annotate(resources.installation, "root", trigger);
    await untilPicked(namespace);
    await finishItem(namespace);
    await namespace.untilPhase("root", "Succeeded");
    const { status } = await namespace.get(resources.execution, "root");
    expect(await namesOf(namespace)).toEqual(["root-item-x7k2p"]);
    expect(status?.deployItemCache).toEqual({
      activeDIs: [{ specName: "item", objectName: "root-item-x7k2p" }],
      orphanedDIs: [],
    });
  });

  it("fails if two DeployItems claim to be the same item, and the next job succeeds after the forged one is deleted", async () => {
    const namespace = await takenOver("taken-over-forged");
    await forge(namespace, "item");
    await namespace.annotate(resources.installation, "root", trigger);
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toContain(
      'deploy item "item": expected one DeployItem to take over, found forged-item and root-item-x7k2p',
    );
    await namespace.client.delete(resources.deployItem, { namespace: namespace.name, name: "forged-item" });
    await namespace.annotate(resources.installation, "root", trigger);
    await untilPicked(namespace);
    await finishItem(namespace);
    await namespace.untilPhase("root", "Succeeded");
    expect(await namesOf(namespace)).toEqual(["root-item-x7k2p"]);
  });

  it("keeps the noted DeployItem beside a forged one with the name that the core gives", async () => {
    const namespace = await takenOver("taken-over-twin");
    await namespace.annotate(resources.installation, "root", trigger);
    await untilPicked(namespace);
    await finishItem(namespace);
    await namespace.untilPhase("root", "Succeeded");
    const execution = await namespace.get(resources.execution, "root");
    const twin = deployItemName(execution, "item");
    await namespace.create(resources.deployItem, {
      apiVersion,
      kind: "DeployItem",
      metadata: claim(execution, twin, "item"),
      spec: { type: "test/of-the-attacker" },
    });
    await namespace.annotate(resources.installation, "root", trigger);
    const isPicked = (found: DeployItem | undefined): boolean => found?.status?.phase === "Init";
    const real = await namespace.until(resources.deployItem, "root-item-x7k2p", isPicked);
    if (real === undefined) throw new Error("the real item is gone");
    await failItem(namespace, real);
    await namespace.untilPhase("root", "Failed");
    expect((await namespace.get(resources.deployItem, twin)).status?.jobID).toBeUndefined();
  });
});
