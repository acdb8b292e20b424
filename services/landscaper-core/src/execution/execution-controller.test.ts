import { describe, expect, it } from "@jest/globals";
import { annotations, apiVersion, isJobOpen, labels, resources, type DeployItem } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import { deployItems, installation, template, trigger, type TestBlueprint } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore({ timeouts: { pickupMs: 2_000, progressingMs: 600_000, graceMs: 60_000 } });

async function items(namespace: TestNamespace): Promise<Map<string, DeployItem>> {
  const all = await namespace.list(resources.deployItem);
  return new Map(all.map((item) => [item.metadata.labels?.[labels.managedName] ?? "", item]));
}

async function change(
  namespace: TestNamespace,
  blueprint: TestBlueprint,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { status: _, ...found } = await namespace.get(resources.installation, "root");
  const { spec } = installation({ name: "root", blueprint });
  const metadata = { ...found.metadata, annotations: { ...trigger, ...more } };
  await namespace.client.update(resources.installation, { ...found, metadata, spec: { ...spec, context: "default" } });
}

describe("dependsOn", () => {
  it("orders the items, and the reverse when they are deleted (core.md §5.18)", async () => {
    const namespace = await setUp.namespace("depends-on");
    const from = setUp.deployer.log.length;
    const deploy = deployItems({ name: "c", dependsOn: ["b"] }, { name: "a" }, { name: "b", dependsOn: ["a"] });
    await namespace.create(resources.installation, installation({ name: "root", blueprint: { deploy } }));
    await namespace.untilPhase("root", "Succeeded");
    expect(setUp.deployer.log.slice(from)).toEqual([
      "pickup a",
      "finish a",
      "pickup b",
      "finish b",
      "pickup c",
      "finish c",
    ]);
    const [first] = await namespace.list(resources.deployItem);
    expect(first?.metadata.name).toMatch(/^root-[abc]-[a-z2-7]{8}$/);

    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
    expect(setUp.deployer.log.slice(from).filter((line) => line.startsWith("delete"))).toEqual([
      "delete c",
      "delete b",
      "delete a",
    ]);
  });

  it("keeps what depends on a failed item from starting (core.md §5.18, §4.33)", async () => {
    const namespace = await setUp.namespace("fail-fast");
    const deploy = deployItems(
      { name: "a", result: "Failed", message: "broken" },
      { name: "b", dependsOn: ["a"] },
      { name: "c", dependsOn: ["b"] },
    );
    await namespace.create(resources.installation, installation({ name: "root", blueprint: { deploy } }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toBe('Execution is failed: deploy item "a": broken');
    const found = await items(namespace);
    expect([found.get("b")?.status?.jobID, found.get("c")?.status?.jobID]).toEqual([undefined, undefined]);
    const execution = await namespace.get(resources.execution, "root");
    expect(execution.status?.lastError).toMatchObject({
      reason: "DeployItemsFailed",
      message: 'deploy item "a": broken',
    });
  });
});

describe("an Execution of somebody's own", () => {
  it("with items in a ring fails before anything is created", async () => {
    const namespace = await setUp.namespace("ring");
    const config = { apiVersion: "test/v1", kind: "Item" };
    const item = { type: "test/item", config };
    const ring = ["a", "b", "c"].map((name, index, names) => ({
      ...item,
      name,
      dependsOn: [names[(index + 1) % names.length] ?? ""],
    }));
    const metadata = { name: "ring", namespace: namespace.name };
    const { client } = namespace;
    const spec = { deployItems: [{ ...item, name: "first" }, ...ring] };
    const made = await client.create(resources.execution, { apiVersion, kind: "Execution", metadata, spec });
    await client.updateStatus(resources.execution, { ...made, status: { jobID: "job" } });
    const failed = await namespace.until(resources.execution, "ring", (found) => found?.status?.phase === "Failed");
    expect(failed?.status?.lastError).toMatchObject({
      reason: "CyclicDependencies",
      codes: ["ERR_CONFIGURATION_PROBLEM", "ERR_CYCLIC_DEPENDENCIES"],
      message: expect.stringContaining("deploy items depend on each other in a ring: "),
    });
    expect(failed?.status?.jobIDFinished).toBe("job");
    expect(await namespace.list(resources.deployItem)).toEqual([]);
  });
});

describe("items that the blueprint has no more", () => {
  it("are uninstalled in dependency order before anything else starts (core.md §4.11, §4.12 fixed)", async () => {
    const namespace = await setUp.namespace("orphan-items");
    const before = deployItems({ name: "a" }, { name: "b", dependsOn: ["a"] }, { name: "c", dependsOn: ["b"] });
    await namespace.create(resources.installation, installation({ name: "root", blueprint: { deploy: before } }));
    await namespace.untilPhase("root", "Succeeded");
    const from = setUp.deployer.log.length;
    await change(namespace, { deploy: deployItems({ name: "new" }) });
    await namespace.untilPhase("root", "Succeeded");
    expect(setUp.deployer.log.slice(from)).toEqual([
      "pickup c",
      "delete c",
      "pickup b",
      "delete b",
      "pickup a",
      "delete a",
      "pickup new",
      "finish new",
    ]);
  });

  it("leave no Execution behind when none is left (core.md §4.10 fixed)", async () => {
    const namespace = await setUp.namespace("no-items");
    const blueprint = { deploy: deployItems({ name: "a" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilPhase("root", "Succeeded");
    await change(namespace, { deploy: "deployItems: []\n" }, { [annotations.allowEmpty]: "true" });
    const done = await namespace.untilPhase("root", "Succeeded");
    expect(await namespace.list(resources.execution)).toEqual([]);
    expect(await namespace.list(resources.deployItem)).toEqual([]);
    expect(done.status?.executionRef).toBeUndefined();
    // And back again.
    await change(namespace, blueprint);
    await namespace.untilPhase("root", "Succeeded");
    expect([...(await items(namespace)).keys()]).toEqual(["a"]);
  });
});

describe("a repeated job", () => {
  it("keeps the generation of items that are rendered alike (core.md §4.30, §4.31)", async () => {
    const namespace = await setUp.namespace("same");
    const blueprint = { deploy: deployItems({ name: "a", dependsOn: [] }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilPhase("root", "Succeeded");
    const before = {
      item: (await items(namespace)).get("a"),
      execution: await namespace.get(resources.execution, "root"),
    };
    await namespace.annotate(resources.installation, "root", trigger);
    const root = await namespace.untilPhase("root", "Succeeded");
    const item = (await items(namespace)).get("a");
    const execution = await namespace.get(resources.execution, "root");
    expect(item?.metadata.generation).toBe(before.item?.metadata.generation);
    expect(execution.metadata.generation).toBe(before.execution.metadata.generation);
    expect(item?.status?.jobIDFinished).toBe(root.status?.jobID);
    expect(item?.status?.jobIDFinished).not.toBe(before.item?.status?.jobIDFinished);
  });
});

describe("an item that somebody deletes", () => {
  it("while a job runs fails it; the next job makes it anew (core.md §4.32)", async () => {
    const namespace = await setUp.namespace("force-deleted");
    const blueprint = { deploy: deployItems({ name: "a", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.until(resources.execution, "root", (found) => found?.status?.phase === "Progressing");
    const item = (await items(namespace)).get("a");
    await namespace.delete(resources.deployItem, item!.metadata.name!);
    const key = { namespace: namespace.name, name: item!.metadata.name! };
    await namespace.client.patch(resources.deployItem, key, { type: "merge", body: { metadata: { finalizers: [] } } });
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toBe(
      'Execution is failed: has failed or missing deploy items: "a" was deleted while the job was running; ' +
        "trigger the installation again",
    );
    const execution = await namespace.get(resources.execution, "root");
    expect(execution.status?.lastError?.reason).toBe("DeployItemMissing");
    await change(namespace, { deploy: deployItems({ name: "a" }) });
    await namespace.untilPhase("root", "Succeeded");
  });

  it("before a job is uninstalled and made anew by it", async () => {
    const namespace = await setUp.namespace("deleted-before");
    const blueprint = { deploy: deployItems({ name: "a" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilPhase("root", "Succeeded");
    const item = (await items(namespace)).get("a");
    await namespace.delete(resources.deployItem, item!.metadata.name!);
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilPhase("root", "Succeeded");
    expect((await items(namespace)).get("a")?.metadata.uid).not.toBe(item?.metadata.uid);
  });
});

describe("the interrupt annotation", () => {
  it("ends a hanging job everywhere, and a new job works (core.md §5.20)", async () => {
    const namespace = await setUp.namespace("interrupt");
    const blueprint = { deploy: deployItems({ name: "a", result: "Hang" }, { name: "b", dependsOn: ["a"] }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.until(resources.execution, "root", (found) => found?.status?.phase === "Progressing");
    const first = (await items(namespace)).get("a");
    await namespace.until(resources.deployItem, first!.metadata.name!, (found) => found?.status?.phase === "Init");
    await namespace.annotate(resources.installation, "root", { [annotations.operation]: "interrupt" });
    const failed = await namespace.untilPhase("root", "Failed");
    const found = await items(namespace);
    for (const item of found.values()) {
      expect(item.status).toMatchObject({
        phase: "Failed",
        jobID: failed.status?.jobID,
        jobIDFinished: failed.status?.jobID,
        lastError: {
          operation: "InterruptOperation",
          reason: "InterruptOperation",
          message: "operation was interrupted",
        },
      });
    }
    expect(
      (await namespace.get(resources.execution, "root")).metadata.annotations?.[annotations.operation],
    ).toBeUndefined();
    await change(namespace, { deploy: deployItems({ name: "a" }, { name: "b", dependsOn: ["a"] }) });
    await namespace.untilPhase("root", "Succeeded");
  });

  it("reaches nested Installations, and wakes what it reaches (core.md §2.7)", async () => {
    const namespace = await setUp.namespace("interrupt-nested");
    const nested = template({ name: "nested", blueprint: { deploy: deployItems({ name: "a", result: "Hang" }) } });
    const blueprint = { subinstallations: [nested], deploy: deployItems({ name: "own" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const root = await namespace.until(
      resources.installation,
      "root",
      (found) => found?.status?.installationRefs !== undefined,
    );
    const name = root?.status?.installationRefs?.[0]?.ref?.name ?? "";
    await namespace.until(resources.execution, name, (found) => found?.status?.phase === "Progressing");
    await namespace.annotate(resources.installation, "root", { [annotations.operation]: "interrupt" });
    const failed = await namespace.untilPhase("root", "Failed");
    const sub = await namespace.get(resources.installation, name);
    const reached = [sub, await namespace.get(resources.execution, name)];
    for (const { metadata, status } of reached) {
      expect(status).toMatchObject({ phase: "Failed", jobIDFinished: failed.status?.jobID });
      expect(metadata.annotations).toMatchObject({ [annotations.touch]: "true" });
      expect(metadata.annotations).not.toMatchObject({ [annotations.operation]: "interrupt" });
    }
    expect((await items(namespace)).get("a")?.status?.lastError?.reason).toBe("InterruptOperation");
    expect(failed.status?.lastError?.message).toContain("operation was interrupted");
  });
});

describe("an item that no deployer takes", () => {
  it("fails with PickupTimeout; the item beside it succeeds (core.md §5.17)", async () => {
    const namespace = await setUp.namespace("pickup");
    const blueprint = { deploy: deployItems({ name: "lost", type: "test/nobody" }, { name: "served" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const failed = await namespace.untilPhase("root", "Failed");
    const found = await items(namespace);
    expect(found.get("served")?.status?.phase).toBe("Succeeded");
    expect(isJobOpen(found.get("lost")?.status)).toBe(false);
    const message =
      'no deployer has reconciled this deployitem within 2 seconds; install a deployer for type "test/nobody", or correct the type of the item';
    expect(found.get("lost")?.status).toMatchObject({
      phase: "Failed",
      lastError: {
        operation: "WaitingForPickup",
        reason: "PickupTimeout",
        codes: ["ERR_TIMEOUT"],
        message,
      },
    });
    expect(failed.status?.lastError).toMatchObject({
      codes: ["ERR_TIMEOUT"],
      message: `Execution is failed: deploy item "lost": ${message}`,
    });
  });
});
