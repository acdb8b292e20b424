import { describe, expect, it } from "@jest/globals";
import { annotations, finalizer, isJobOpen, resources, type Installation } from "@landscaper/api";
import { deployItems, installation, trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";

const setUp = setUpCore();

function readyOf(found: Installation | undefined): readonly (string | undefined)[] | undefined {
  const ready = found?.status?.conditions?.find(({ type }) => type === "Ready");
  return ready === undefined ? undefined : [ready.type, ready.status, ready.reason];
}

describe("an Installation that is not triggered", () => {
  it("gets finalizer and context, but neither job nor phase; the annotation starts the job and goes (core.md §5.1)", async () => {
    const namespace = await setUp.namespace("trigger");
    const blueprint = { deploy: deployItems({ name: "item" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, annotations: {} }));
    const seen = await namespace.until(
      resources.installation,
      "root",
      (found) => found?.status?.conditions !== undefined,
    );
    expect({
      finalizers: seen?.metadata.finalizers,
      context: seen?.spec.context,
      jobID: seen?.status?.jobID,
      phase: seen?.status?.phase,
      conditions: seen?.status?.conditions?.map(({ type, status, reason }) => [type, status, reason]),
    }).toEqual({
      finalizers: [finalizer],
      context: "default",
      jobID: undefined,
      phase: undefined,
      conditions: [
        ["Ready", "False", "WaitingForTrigger"],
        ["Reconciling", "False", "WaitingForTrigger"],
        ["Stalled", "False", "WaitingForTrigger"],
      ],
    });

    await namespace.annotate(resources.installation, "root", trigger);
    const done = await namespace.untilPhase("root", "Succeeded");
    expect(done.metadata.annotations?.[annotations.operation]).toBeUndefined();
    expect(done.status?.jobIDFinished).toBe(done.status?.jobID);
    expect(done.status?.lastError).toBeUndefined();
    expect(done.status?.observedGeneration).toBe(done.metadata.generation);
    expect(done.status?.conditions?.map(({ type, status }) => `${type} ${status}`).toSorted()).toEqual([
      "Ready True",
      "ReconcileExecution True",
      "Reconciling False",
      "Stalled False",
    ]);
  });

  it("starts by itself with reconcile-if-changed, and again when its spec has changed (core.md §4.40)", async () => {
    const namespace = await setUp.namespace("if-changed");
    const own = { [annotations.reconcileIfChanged]: "true" };
    const blueprint = { deploy: deployItems({ name: "item" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, annotations: own }));
    const first = await namespace.untilPhase("root", "Succeeded");
    expect(first.metadata.annotations).toEqual(own);

    const changed = installation({ name: "root", blueprint: { deploy: deployItems({ name: "other" }) } });
    await namespace.client.update(resources.installation, { ...first, spec: { ...changed.spec, context: "default" } });
    await namespace.until(
      resources.installation,
      "root",
      (found) => found?.status?.jobIDFinished !== first.status?.jobID && !isJobOpen(found?.status),
    );
    const items = await namespace.list(resources.deployItem);
    expect(items.map(({ metadata }) => metadata.labels?.["execution.landscaper.gardener.cloud/name"])).toEqual([
      "other",
    ]);
  });

  it("says that it waits for a trigger when its spec has changed (design.md §3.9)", async () => {
    const namespace = await setUp.namespace("changed");
    const blueprint = { deploy: deployItems({ name: "item" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const done = await namespace.untilPhase("root", "Succeeded");
    const optimization = { hasNoSiblingImports: true };
    await namespace.client.update(resources.installation, { ...done, spec: { ...done.spec, optimization } });
    const seen = await namespace.until(
      resources.installation,
      "root",
      (found) => readyOf(found)?.[2] === "WaitingForTrigger",
    );
    expect(seen?.status?.conditions?.map(({ type, status }) => `${type} ${status}`).toSorted()).toEqual([
      "Ready False",
      "ReconcileExecution True",
      "Reconciling False",
      "Stalled False",
    ]);
    expect(seen?.status?.phase).toBe("Succeeded");
  });
});

describe("a trigger", () => {
  it("of an Installation with an empty context gives it the default one, which is no change (core.md §2.2 no. 3)", async () => {
    const namespace = await setUp.namespace("empty-context");
    const blueprint = { deploy: deployItems({ name: "item" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, context: "" }));
    const done = await namespace.untilPhase("root", "Succeeded");
    expect([done.spec.context, done.metadata.generation, done.status?.observedGeneration]).toEqual(["default", 2, 2]);
    const [item] = await namespace.list(resources.deployItem);
    expect(item?.spec.context).toBe("default");
  });

  it("that is set while a job runs starts another one after it", async () => {
    const namespace = await setUp.namespace("queued-trigger");
    const blueprint = { deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const running = await namespace.untilWorking("root");
    await namespace.annotate(resources.installation, "root", trigger);
    const [item] = await namespace.list(resources.deployItem);
    const status = { ...item!.status, phase: "Succeeded", jobIDFinished: running.status!.jobID! };
    await namespace.until(resources.deployItem, item!.metadata.name!, (found) => found?.status?.phase === "Init");
    const fresh = await namespace.get(resources.deployItem, item!.metadata.name!);
    await namespace.client.updateStatus(resources.deployItem, { ...fresh, status: { ...fresh.status, ...status } });
    const next = await namespace.until(
      resources.installation,
      "root",
      (found) =>
        found?.status?.jobID !== running.status?.jobID &&
        found?.metadata.annotations?.[annotations.operation] === undefined,
    );
    expect(next?.status?.jobIDFinished).toBe(running.status?.jobID);
  });

  it("on a nested Installation is taken away and does nothing (core.md §1.1 no. 4)", async () => {
    const namespace = await setUp.namespace("nested-trigger");
    const ownerReferences = [
      {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "Installation",
        name: "parent",
        uid: "1",
        controller: true,
      },
    ];
    // Without a parent that exists the garbage collector takes it: a finalizer of its own keeps it.
    const nested = installation({ name: "nested", blueprint: {} });
    await namespace.create(resources.installation, {
      ...nested,
      metadata: { ...nested.metadata, ownerReferences, finalizers: ["test/keep"] },
    });
    const seen = await namespace.until(
      resources.installation,
      "nested",
      (found) => found?.metadata.annotations?.[annotations.operation] === undefined,
    );
    expect(seen?.status?.jobID).toBeUndefined();
  });
});
