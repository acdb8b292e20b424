// What a tenant writes into statuses and owner references is data: the core takes nothing of another namespace for its own.
import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  kubeResources,
  labels,
  resources,
  type Installation,
  type InstallationStatus,
} from "@landscaper/api";
import { isConflict } from "@landscaper/controller-runtime";
import { deployItem, exports, finishItem, producer } from "../../test/behaviours.ts";
import type { TestNamespace } from "@landscaper/testkit";
import { deployItems, installation, template, trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();

/** Writes fields of the status, whatever the core writes meanwhile. */
async function forgeStatus(namespace: TestNamespace, name: string, fields: InstallationStatus): Promise<void> {
  for (;;) {
    const found = await namespace.get(resources.installation, name);
    try {
      await namespace.client.updateStatus(resources.installation, { ...found, status: { ...found.status, ...fields } });
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

/** An owner that garbage collection finds, so that it leaves the object alone; the reference that is forged comes first. */
async function keptBy(namespace: TestNamespace, kind: "Installation" | "Execution", uid: string) {
  const keeper = await namespace.create(kubeResources.configMap, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `keeper-${kind.toLowerCase()}` },
  });
  return [
    { apiVersion, kind, name: "root", uid, controller: true },
    { apiVersion: "v1", kind: "ConfigMap", name: keeper.metadata.name ?? "", uid: keeper.metadata.uid ?? "" },
  ];
}

describe("owner references that name an object of another namespace", () => {
  const child = template({ name: "child", blueprint: { deploy: deployItems({ name: "item" }) } });

  it("make no subinstallation of an Installation", async () => {
    const victim = await setUp.namespace("parent-victim");
    await victim.create(
      resources.installation,
      installation({ name: "root", blueprint: { deploy: "deployItems: []\n" } }),
    );
    const { uid = "" } = (await victim.untilPhase("root", "Succeeded")).metadata;
    const thief = await setUp.namespace("parent-thief");
    const forged: Installation = {
      apiVersion,
      kind: "Installation",
      metadata: {
        name: "forged",
        annotations: { [annotations.subinstallationName]: "child" },
        ownerReferences: await keptBy(thief, "Installation", uid),
      },
      spec: { blueprint: { inline: { filesystem: {} } } },
    };
    const made = await thief.create(resources.installation, forged);
    const before = await victim.get(resources.installation, "root");
    const { spec } = installation({ name: "root", blueprint: { subinstallations: [child] } });
    await victim.client.update(resources.installation, {
      ...before,
      metadata: { ...before.metadata, annotations: trigger },
      spec: { ...spec, context: "default" },
    });
    const done = await victim.untilPhase("root", "Succeeded");
    expect(done.status?.installationRefs?.map(({ name, ref }) => [name, ref?.namespace])).toEqual([
      ["child", "parent-victim"],
    ]);
    const left = await thief.get(resources.installation, "forged");
    expect([left.spec.blueprint, left.metadata.uid]).toEqual([made.spec.blueprint, made.metadata.uid]);
    expect(await thief.list(resources.deployItem)).toEqual([]);
  });

  it("make no deploy item of an Execution", async () => {
    const victim = await setUp.namespace("execution-victim");
    const blueprint = { deploy: deployItems({ name: "item", message: "of the victim" }) };
    await victim.create(resources.installation, installation({ name: "root", blueprint }));
    await victim.untilPhase("root", "Succeeded");
    const { uid = "" } = (await victim.get(resources.execution, "root")).metadata;
    const thief = await setUp.namespace("execution-thief");
    const forgedConfig = { apiVersion: "test/v1", kind: "Forged" };
    await thief.create(resources.deployItem, {
      apiVersion,
      kind: "DeployItem",
      metadata: {
        name: "forged",
        labels: { [labels.managedName]: "item" },
        ownerReferences: await keptBy(thief, "Execution", uid),
      },
      spec: { type: "test/other", config: forgedConfig },
    });
    await victim.annotate(resources.installation, "root", trigger);
    await victim.untilPhase("root", "Succeeded");
    const forged = await thief.get(resources.deployItem, "forged");
    expect([forged.spec.config, forged.status?.jobID]).toEqual([forgedConfig, undefined]);
    expect((await deployItem(victim, "item"))?.status?.phase).toBe("Succeeded");
  });
});

describe("references in the status of an Installation", () => {
  it("make no child of what belongs to another Installation", async () => {
    const namespace = await setUp.namespace("forged-refs");
    const blueprint = { deploy: deployItems({ name: "item" }) };
    await namespace.create(resources.installation, installation({ name: "other", blueprint }));
    await namespace.untilPhase("other", "Succeeded");
    const hanging = { deploy: deployItems({ name: "hanging", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: hanging }));
    await namespace.untilWorking("root");
    const before = await namespace.get(resources.execution, "other");
    const ref = { name: "other", namespace: "forged-refs" };
    await forgeStatus(namespace, "root", { executionRef: ref, installationRefs: [{ name: "child", ref }] });
    await finishItem(namespace, "hanging");
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError).toMatchObject({
      reason: "ChildMissing",
      message:
        "execution other and subinstallation other was deleted while the job was running; trigger the installation again",
    });
    const after = await namespace.get(resources.execution, "other");
    expect(after.status?.jobID).toBe(before.status?.jobID);
  });

  it("trigger no dependents of another namespace", async () => {
    const victim = await setUp.namespace("dependents-victim");
    const plain = { deploy: deployItems({ name: "item" }) };
    await victim.create(resources.installation, installation({ name: "dependent", blueprint: plain }));
    const { status } = await victim.untilPhase("dependent", "Succeeded");
    const thief = await setUp.namespace("dependents-thief");
    const blueprint = { ...producer, deploy: deployItems({ name: "item", result: "Hang" }) };
    await thief.create(resources.installation, installation({ name: "root", blueprint, exports }));
    await thief.untilWorking("root");
    const names = ["dependent", "dependents-victim/dependent", "../dependents-victim/installations/dependent"];
    await forgeStatus(thief, "root", { dependentsToTrigger: names.map((name) => ({ name })) });
    await finishItem(thief);
    await thief.untilPhase("root", "Succeeded");
    const dependent = await victim.get(resources.installation, "dependent");
    expect([dependent.status?.jobID, dependent.metadata.annotations?.[annotations.operation]]).toEqual([
      status?.jobID,
      undefined,
    ]);
  });
});
