// Behaviours of core.md §4 by their numbers: when jobs start, wait and fail.
import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  conditionTypes,
  isJobOpen,
  kubeResources,
  operations,
  resources,
  toTimestamp,
} from "@landscaper/api";
import { deployItems, installation, target, targetParameter, trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";
import {
  change,
  consumer,
  deployItem,
  exports,
  finishItem,
  imports,
  producer,
  untilPicked,
} from "../../test/behaviours.ts";

const setUp = setUpCore();

describe("jobs (core.md §4)", () => {
  it("§4.2: a predecessor that never ran fails its successor, and triggers it when it has succeeded", async () => {
    const namespace = await setUp.namespace("k2");
    const of = (name: string, own: Record<string, string>) =>
      installation({ name, blueprint: producer, exports, annotations: own });
    await namespace.create(resources.installation, of("first", {}));
    await namespace.create(resources.installation, installation({ name: "root", blueprint: consumer, imports }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError).toMatchObject({
      operation: "init",
      reason: "AllPredecessorsSucceeded",
      message:
        'not all predecessors succeeded: installation "first" (phase not started); ' +
        "this installation is triggered again when they succeed",
    });
    await namespace.annotate(resources.installation, "first", trigger);
    await namespace.untilPhase("root", "Succeeded");
  });

  it("§4.4 fixed: a predecessor that fails triggers nobody", async () => {
    const namespace = await setUp.namespace("f4");
    const broken = { ...producer, deploy: deployItems({ name: "item", result: "Failed" }) };
    const waiting = installation({ name: "second", blueprint: consumer, imports, annotations: {} });
    await namespace.create(resources.installation, waiting);
    await namespace.create(resources.installation, installation({ name: "root", blueprint: broken, exports }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.dependentsToTrigger).toBeUndefined();
    expect((await namespace.get(resources.installation, "second")).status?.jobID).toBeUndefined();
  });

  it("§4.5 fixed: importers of what two export say so", async () => {
    const namespace = await setUp.namespace("f5");
    await namespace.create(resources.installation, installation({ name: "first", blueprint: producer, exports }));
    await namespace.untilPhase("first", "Succeeded");
    await namespace.create(resources.installation, installation({ name: "second", blueprint: producer, exports }));
    await namespace.untilPhase("second", "Failed");
    await namespace.create(resources.installation, installation({ name: "root", blueprint: consumer, imports }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toBe(
      'data object "value" is exported by first and second; expected one exporter',
    );
  });

  it("§4.31: an item that was given another spec is not started before its turn", async () => {
    const namespace = await setUp.namespace("k31");
    const of = (result: "Succeeded" | "Hang", message: string) =>
      installation({
        name: "root",
        blueprint: { deploy: deployItems({ name: "a", result }, { name: "b", dependsOn: ["a"], message }) },
      });
    await namespace.create(resources.installation, of("Succeeded", "one"));
    const first = await namespace.untilPhase("root", "Succeeded");
    const before = await deployItem(namespace, "b");
    await change(namespace, of("Hang", "two"));
    await untilPicked(namespace, "a");
    const waiting = await deployItem(namespace, "b");
    expect(waiting?.spec.config?.["message"]).toBe("two");
    expect(waiting?.metadata.generation).toBe((before?.metadata.generation ?? 0) + 1);
    expect(waiting?.status).toEqual(before?.status);
    expect(waiting?.status?.jobID).toBe(first.status?.jobID);
    await finishItem(namespace, "a");
    const second = await namespace.untilPhase("root", "Succeeded");
    expect((await deployItem(namespace, "b"))?.status?.jobIDFinished).toBe(second.status?.jobID);
  });

  it("§4.34: ERR_UNFINISHED while sub-objects are at work is no error", async () => {
    const namespace = await setUp.namespace("k34");
    const blueprint = { deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    await namespace.untilWorking("root");
    await untilPicked(namespace);
    // As the original writes it.
    const running = await namespace.get(resources.installation, "root");
    const now = toTimestamp(new Date());
    const lastError = {
      operation: "handlePhaseProgressing",
      reason: "JobIDFinished",
      message: "some running subobjects",
      codes: ["ERR_UNFINISHED"],
      lastTransitionTime: now,
      lastUpdateTime: now,
    };
    await namespace.client.updateStatus(resources.installation, {
      ...running,
      status: { ...running.status, lastError },
    });
    const seen = await namespace.until(
      resources.installation,
      "root",
      (found) => found?.status?.lastError === undefined,
    );
    const condition = (type: string) => seen?.status?.conditions?.find((one) => one.type === type);
    expect([condition(conditionTypes.stalled)?.status, condition(conditionTypes.reconciling)]).toMatchObject([
      "False",
      { status: "True", message: "waits for its sub-objects" },
    ]);
    expect(seen?.status).toMatchObject({ phase: "Progressing", jobID: running.status?.jobID });
    await finishItem(namespace);
    expect((await namespace.untilPhase("root", "Succeeded")).status?.jobID).toBe(running.status?.jobID);
  });

  it("§4.41: a change of the spec while a job runs fails it at the end", async () => {
    const namespace = await setUp.namespace("k41");
    const blueprint = { deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint }));
    const running = await namespace.untilWorking("root");
    const optimization = { hasNoSiblingImports: true };
    await namespace.client.update(resources.installation, { ...running, spec: { ...running.spec, optimization } });
    await finishItem(namespace);
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError).toMatchObject({
      operation: "handlePhaseCompleting",
      reason: "CheckObservedGeneration",
      codes: ["ERR_FOR_INFO_ONLY"],
      message: "the spec was changed while the job was running; trigger the installation again",
    });
  });

  it("§4.41: with reconcile-if-changed the next job starts by itself", async () => {
    const namespace = await setUp.namespace("k41-changed");
    const own = { [annotations.reconcileIfChanged]: "true" };
    const hanging = { deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: hanging, annotations: own }),
    );
    const running = await namespace.untilWorking("root");
    const wanted = installation({ name: "root", blueprint: { deploy: deployItems({ name: "item" }) } });
    await namespace.client.update(resources.installation, { ...running, spec: { ...wanted.spec, context: "default" } });
    await finishItem(namespace);
    const done = await namespace.until(
      resources.installation,
      "root",
      (found) => found?.status?.phase === "Succeeded" && !isJobOpen(found.status),
    );
    expect(done?.status?.jobID).not.toBe(running.status?.jobID);
  });

  it("§4.42: a change of the Secret behind a target is not seen", async () => {
    const namespace = await setUp.namespace("k42");
    const key = { namespace: namespace.name, name: "access" };
    const stringData = (value: string) => ({ data: { value: Buffer.from(value).toString("base64") } });
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: key.name }, ...stringData("one") };
    await namespace.create(kubeResources.secret, secret);
    const mine = target("mine");
    const secretRef = { name: key.name, key: "value" };
    await namespace.create(resources.target, { ...mine, spec: { type: mine.spec.type, secretRef } });
    const blueprint = { imports: [targetParameter("cluster")], deploy: deployItems({ name: "item", result: "Hang" }) };
    const targets = [{ name: "cluster", target: "mine" }];
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports: { targets } }));
    const running = await namespace.untilWorking("root");
    await namespace.client.patch(kubeResources.secret, key, { type: "merge", body: stringData("two") });
    await finishItem(namespace);
    expect((await namespace.untilPhase("root", "Succeeded")).status?.jobID).toBe(running.status?.jobID);
  });

  it("an interruption of a DeployItem ends the job of this item alone", async () => {
    const namespace = await setUp.namespace("interrupted-item");
    const both = [
      { name: "hangs", result: "Hang" },
      { name: "goes-on", result: "Hang" },
    ] as const;
    const blueprint = { ...producer, deploy: deployItems(...both) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, exports }));
    await namespace.untilWorking("root");
    await untilPicked(namespace, "hangs");
    await untilPicked(namespace, "goes-on");
    const { metadata } = (await deployItem(namespace, "hangs")) ?? {};
    const name = metadata?.name ?? "";
    const interrupt = { [annotations.operation]: operations.interrupt };
    await namespace.annotate(resources.deployItem, name, interrupt);
    const failed = await namespace.until(
      resources.deployItem,
      name,
      (found) => found?.metadata.annotations?.[annotations.operation] === undefined,
    );
    expect(failed?.status).toMatchObject({
      phase: "Failed",
      jobIDFinished: failed?.status?.jobID,
      lastError: { reason: "InterruptOperation", message: "operation was interrupted" },
    });
    expect(isJobOpen((await deployItem(namespace, "goes-on"))?.status)).toBe(true);
    await finishItem(namespace, "goes-on");
    await namespace.untilPhase("root", "Failed");
    // Without an open job, only the annotation goes.
    await namespace.annotate(resources.deployItem, name, interrupt);
    const kept = await namespace.until(
      resources.deployItem,
      name,
      (found) => found?.metadata.annotations?.[annotations.operation] === undefined,
    );
    expect(kept?.status).toEqual(failed?.status);
  });

  it("§4.64: an interruption does not reach what comes after it, but can be repeated", async () => {
    const namespace = await setUp.namespace("n64");
    const hanging = (name: string) => ({ deploy: deployItems({ name, result: "Hang" }) });
    const first = installation({ name: "first", blueprint: { ...producer, ...hanging("early") }, exports });
    await namespace.create(resources.installation, first);
    await namespace.untilWorking("first");
    const blueprint = { ...consumer, ...hanging("late") };
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports }));
    const waiting = await namespace.until(
      resources.installation,
      "root",
      (found) => found?.status?.phase === "Init" && isJobOpen(found.status),
    );
    const interrupt = { [annotations.operation]: operations.interrupt };
    await namespace.annotate(resources.installation, "root", interrupt);
    const spared = await namespace.until(
      resources.installation,
      "root",
      (found) => found?.metadata.annotations?.[annotations.operation] === undefined,
    );
    expect(spared?.status).toMatchObject({ phase: "Init", jobID: waiting?.status?.jobID });
    await finishItem(namespace, "early");
    await namespace.untilWorking("root");
    await untilPicked(namespace, "late");
    await namespace.annotate(resources.installation, "root", interrupt);
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.jobID).toBe(waiting?.status?.jobID);
    expect((await deployItem(namespace, "late"))?.status?.lastError?.message).toBe("operation was interrupted");
  });
});
