// Behaviours of core.md §4 by their numbers, as far as controllers show them and no other test does.
import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  decodeDeployItems,
  isJobOpen,
  labels,
  resources,
  scopeOfInstallation,
  type DeployItem,
  type Installation,
} from "@landscaper/api";
import type { TestNamespace } from "./test-cluster.ts";
import {
  dataObject,
  deployItems,
  installation,
  stringParameter,
  target,
  targetParameter,
  template,
  trigger,
  type TestBlueprint,
} from "./test-objects.ts";
import { setUpCore } from "./test-set-up.ts";

const setUp = setUpCore();
const exports = { data: [{ name: "value", dataRef: "value" }] };
const imports = { data: [{ name: "value", dataRef: "value" }] };
const producer: TestBlueprint = { exports: [stringParameter("value")], export: 'exports: { value: "one" }\n' };

async function change(namespace: TestNamespace, wanted: Installation): Promise<void> {
  const { status: _, ...found } = await namespace.get(resources.installation, "root");
  const metadata = { ...found.metadata, annotations: { ...found.metadata.annotations, ...trigger } };
  const spec = { ...wanted.spec, context: "default" };
  await namespace.client.update(resources.installation, { ...found, metadata, spec });
}

/** Ends the only item of the namespace, which hangs. */
async function finishItem(namespace: TestNamespace): Promise<void> {
  await namespace.untilWorking("root");
  const [item] = await namespace.list(resources.deployItem);
  const isPicked = (found: DeployItem | undefined): boolean => found?.status?.phase === "Init";
  const picked = await namespace.until(resources.deployItem, item!.metadata.name!, isPicked);
  const status = { ...picked!.status, phase: "Succeeded", jobIDFinished: picked!.status!.jobID! };
  await namespace.client.updateStatus(resources.deployItem, { ...picked!, status });
}

async function childOf(namespace: TestNamespace, name: string): Promise<Installation | undefined> {
  const all = await namespace.list(resources.installation);
  return all.find(({ metadata }) => metadata.annotations?.[annotations.subinstallationName] === name);
}

describe("core.md §4", () => {
  it("1: exports are gone while a job runs, and come back at its end", async () => {
    const namespace = await setUp.namespace("k1");
    const hanging = { ...producer, deploy: deployItems({ name: "item", result: "Hang" }) };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: producer, exports }));
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.dataObject, "value")).data).toBe("one");
    await change(namespace, installation({ name: "root", blueprint: hanging, exports }));
    await namespace.untilWorking("root");
    expect(await namespace.find(resources.dataObject, "value")).toBeUndefined();
    await finishItem(namespace);
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.dataObject, "value")).data).toBe("one");
  });

  it("2: a predecessor that never ran fails its successor, and triggers it when it has succeeded", async () => {
    const namespace = await setUp.namespace("k2");
    const of = (name: string, own: Record<string, string>) =>
      installation({ name, blueprint: producer, exports, annotations: own });
    await namespace.create(resources.installation, of("first", {}));
    const consumer = { imports: [stringParameter("value")] };
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

  it("4 fixed: a predecessor that fails triggers nobody", async () => {
    const namespace = await setUp.namespace("f4");
    const broken = { ...producer, deploy: deployItems({ name: "item", result: "Failed" }) };
    const consumer = { imports: [stringParameter("value")] };
    const waiting = installation({ name: "second", blueprint: consumer, imports, annotations: {} });
    await namespace.create(resources.installation, waiting);
    await namespace.create(resources.installation, installation({ name: "root", blueprint: broken, exports }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.dependentsToTrigger).toBeUndefined();
    expect((await namespace.get(resources.installation, "second")).status?.jobID).toBeUndefined();
  });

  it("8: a name with # is taken verbatim, out of any scope", async () => {
    const namespace = await setUp.namespace("n8");
    await namespace.create(resources.dataObject, dataObject("value", "global"));
    const consumer: TestBlueprint = {
      imports: [stringParameter("in")],
      exports: [stringParameter("out")],
      export: 'exports: { out: "{{ .imports.in }}" }\n',
    };
    await namespace.create(
      resources.installation,
      installation({
        name: "root",
        blueprint: consumer,
        imports: { data: [{ name: "in", dataRef: "#value" }] },
        exports: { data: [{ name: "out", dataRef: "copy" }] },
      }),
    );
    await namespace.untilPhase("root", "Succeeded");
    expect((await namespace.get(resources.dataObject, "copy")).data).toBe("global");
  });

  it("14: an item's Target is the imported one, not the copy", async () => {
    const namespace = await setUp.namespace("k14");
    await namespace.create(resources.target, target("mine"));
    const blueprint = {
      imports: [targetParameter("cluster")],
      deploy: deployItems({ name: "item", target: { import: "cluster" } }),
    };
    const targets = [{ name: "cluster", target: "mine" }];
    await namespace.create(resources.installation, installation({ name: "root", blueprint, imports: { targets } }));
    await namespace.untilPhase("root", "Succeeded");
    const [item] = await namespace.list(resources.deployItem);
    expect(item?.spec.target).toEqual({ name: "mine", namespace: "k14" });
  });

  it("20: an import that is listed has to be there, though the blueprint does not know it", async () => {
    const namespace = await setUp.namespace("k20");
    await namespace.create(resources.installation, installation({ name: "root", blueprint: {}, imports }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.reason).toBe("ImportsSatisfied");
  });

  it("26: objects of an earlier job leave the scope when the job completes", async () => {
    const namespace = await setUp.namespace("k26");
    await namespace.create(resources.dataObject, dataObject("value", "x"));
    await namespace.create(resources.dataObject, dataObject("other", "y"));
    const of = (...names: string[]) =>
      installation({
        name: "root",
        blueprint: { imports: names.map(stringParameter) },
        imports: { data: names.map((name) => ({ name, dataRef: name })) },
      });
    const scope = async () => {
      const all = await namespace.list(resources.dataObject);
      const inner = all.filter(({ metadata }) => metadata.labels?.[labels.dataContext] === scopeOfInstallation("root"));
      return inner.map(({ metadata }) => metadata.labels?.[labels.dataKey] ?? "").toSorted();
    };
    await namespace.create(resources.installation, of("value", "other"));
    await namespace.untilPhase("root", "Succeeded");
    expect(await scope()).toEqual(["other", "value"]);
    await change(namespace, of("value"));
    await namespace.untilPhase("root", "Succeeded");
    expect(await scope()).toEqual(["value"]);
  });

  it("27: what somebody changes on a subinstallation is overwritten by the next job", async () => {
    const namespace = await setUp.namespace("k27");
    const child = template({ name: "child", blueprint: producer });
    const root = installation({ name: "root", blueprint: { subinstallations: [child] } });
    await namespace.create(resources.installation, root);
    await namespace.untilPhase("root", "Succeeded");
    const before = await childOf(namespace, "child");
    const metadata = { ...before!.metadata, labels: { ...before!.metadata.labels, mine: "x" } };
    const changed = { ...before!, metadata, spec: { ...before!.spec, exports } };
    await namespace.client.update(resources.installation, changed);
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilPhase("root", "Succeeded");
    const after = await childOf(namespace, "child");
    expect([after?.metadata.labels, after?.spec]).toEqual([before?.metadata.labels, before?.spec]);
  });

  it("28: a subinstallation that somebody deletes stays, and fails the next job", async () => {
    const namespace = await setUp.namespace("k28");
    const child = template({ name: "child", blueprint: producer });
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: { subinstallations: [child] } }),
    );
    await namespace.untilPhase("root", "Succeeded");
    const before = await childOf(namespace, "child");
    await namespace.delete(resources.installation, before!.metadata.name!);
    await namespace.annotate(resources.installation, "root", trigger);
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toMatch(
      /^subinstallation "child" \(child-[a-z2-7]{8}\) is currently under deletion; /,
    );
    await namespace.delete(resources.installation, "root");
    await namespace.untilGone(resources.installation, "root");
  });

  it("29, 30: the Execution carries the reconcile annotation and its items compressed", async () => {
    const namespace = await setUp.namespace("k30");
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: { deploy: deployItems({ name: "item" }) } }),
    );
    await namespace.untilPhase("root", "Succeeded");
    const execution = await namespace.get(resources.execution, "root");
    expect(execution.metadata.annotations?.[annotations.operation]).toBe("reconcile");
    expect(execution.spec.deployItems).toBeUndefined();
    expect(decodeDeployItems(execution.spec).map(({ name }) => name)).toEqual(["item"]);
  });

  it("41: a change of the spec while a job runs fails it at the end", async () => {
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

  it("41: with reconcile-if-changed the next job starts by itself", async () => {
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

  it("46: the second exporter of a name fails, and the importers say why", async () => {
    const namespace = await setUp.namespace("f5");
    await namespace.create(resources.installation, installation({ name: "first", blueprint: producer, exports }));
    await namespace.untilPhase("first", "Succeeded");
    await namespace.create(resources.installation, installation({ name: "second", blueprint: producer, exports }));
    await namespace.untilPhase("second", "Failed");
    const consumer = { imports: [stringParameter("value")] };
    await namespace.create(resources.installation, installation({ name: "root", blueprint: consumer, imports }));
    const failed = await namespace.untilPhase("root", "Failed");
    expect(failed.status?.lastError?.message).toBe(
      'data object "value" is exported by first and second; expected one exporter',
    );
  });
});

describe("NATS", () => {
  it("hears of every transition of an Installation and its Execution (design.md §3.10)", async () => {
    const namespace = await setUp.namespace("transitions");
    await namespace.create(
      resources.installation,
      installation({ name: "root", blueprint: { deploy: deployItems({ name: "item" }) } }),
    );
    const done = await namespace.untilPhase("root", "Succeeded");
    const own = setUp.core.published.filter(({ data }) => data.namespace === "transitions");
    expect(own.map(({ data }) => `${data.kind} ${data.phase}`)).toEqual([
      "Installation Triggered",
      "Installation Progressing",
      "Execution Triggered",
      "DeployItem Triggered",
      "Execution Progressing",
      "Execution Succeeded",
      "Installation Succeeded",
    ]);
    expect(new Set(own.map(({ data }) => data.jobID))).toEqual(new Set([done.status?.jobID]));
  });
});
