import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  childName,
  finalizer,
  inheritedAnnotations,
  labels,
  type DeployItem,
  type DeployItemTemplate,
  type Execution,
} from "@landscaper/api";
import { assert, constantFrom, dictionary, property, record, subarray } from "fast-check";
import { planDeployItems } from "./plan-deploy-items.ts";

const now = new Date("2026-01-01T00:00:00Z");
const execution: Execution = {
  apiVersion,
  kind: "Execution",
  metadata: { name: "root", namespace: "ns", uid: "e" },
  spec: { context: "default" },
};
const config = { apiVersion: "v1", kind: "Test" };

function template(name: string, more: Partial<DeployItemTemplate> = {}): DeployItemTemplate {
  return { name, type: "test", config, ...more };
}

function plan(templates: readonly DeployItemTemplate[], existing: readonly DeployItem[] = []) {
  return planDeployItems({ execution, templates, existing, clusterNames: new Map(), now });
}

function created(...templates: readonly DeployItemTemplate[]): readonly DeployItem[] {
  return plan(templates).create;
}

describe("a DeployItem that has lost its label", () => {
  const [item] = created(template("a"));
  const lost: DeployItem = {
    apiVersion,
    kind: "DeployItem",
    spec: { type: "test" },
    ...item,
    metadata: { ...item?.metadata, labels: {} },
  };
  const planWith = (existing: DeployItem, mislabelled: ReadonlySet<string>) =>
    planDeployItems({
      execution,
      templates: [template("a")],
      existing: [existing],
      clusterNames: new Map(),
      mislabelled,
      now,
    });

  it("gets its label back, although nothing else changes", () => {
    const [created] = planDeployItems({
      execution,
      templates: [template("a")],
      existing: [],
      clusterNames: new Map(),
      now,
    }).create;
    if (created === undefined) throw new Error("expected an item to create");
    const plan = planWith(created, new Set([created.metadata.name ?? ""]));
    expect([plan.create, plan.remove]).toEqual([[], []]);
    expect(plan.update.map(({ metadata }) => [metadata.name, metadata.labels])).toEqual([
      [created.metadata.name, { [labels.managedBy]: "root", [labels.managedName]: "a" }],
    ]);
    expect(planWith(created, new Set()).update).toEqual([]);
  });

  it("is an orphan if nothing notes its item", () => {
    const plan = planWith(lost, new Set());
    expect([plan.create.length, plan.remove]).toEqual([1, [lost]]);
  });
});

describe("DeployItems of an Execution (core.md §1.3, §3.3)", () => {
  it("are created with deterministic names, marks for deployers, owner and finalizer", () => {
    const full = template("a", {
      target: { name: "cluster", namespace: "ns" },
      labels: { mine: "x" },
      dependsOn: ["b", "c"],
      timeout: "5m",
      updateOnChangeOnly: true,
      onDelete: { skipUninstallIfClusterRemoved: true },
    });
    expect(created(full)).toEqual([
      {
        apiVersion,
        kind: "DeployItem",
        metadata: {
          name: childName("root-a-", "e", "a"),
          namespace: "ns",
          labels: { mine: "x", [labels.managedBy]: "root", [labels.managedName]: "a" },
          annotations: {
            [annotations.deployerType]: "test",
            [annotations.deployerTargetName]: "cluster",
            [annotations.dependsOn]: "b,c",
            [annotations.reconcileTime]: "2026-01-01T00:00:00Z",
          },
          finalizers: [finalizer],
          ownerReferences: [
            { apiVersion, kind: "Execution", name: "root", uid: "e", controller: true, blockOwnerDeletion: true },
          ],
        },
        spec: {
          type: "test",
          target: { name: "cluster", namespace: "ns" },
          context: "default",
          config,
          timeout: "5m",
          updateOnChangeOnly: true,
          onDelete: { skipUninstallIfClusterRemoved: true },
        },
      },
    ]);
  });

  it("without target say so", () => {
    expect(created(template("a"))[0]?.metadata.annotations?.[annotations.deployerTargetName]).toBe(".noTargetName");
  });

  it.each(inheritedAnnotations)("take %s over, and let it go (core.md §1.3 no. 70)", (annotation) => {
    const own = { [annotation]: "true" };
    const caching = { ...execution, metadata: { ...execution.metadata, annotations: own } };
    const planOf = (of: Execution, existing: readonly DeployItem[]) =>
      planDeployItems({ execution: of, templates: [template("a")], existing, clusterNames: new Map(), now });
    const marked = planOf(caching, created(template("a"))).update;
    expect(marked.map(({ metadata }) => metadata.annotations)).toMatchObject([own]);
    expect(planOf(caching, marked).update).toEqual([]);
    const [unmarked] = planOf(execution, marked).update;
    expect(unmarked?.metadata.annotations).not.toHaveProperty([annotation]);
    expect(unmarked?.spec).toEqual(marked[0]?.spec);
  });

  it("that are as wanted stay untouched, so that their generation stays (core.md §4.31)", () => {
    expect(plan([template("a", { dependsOn: [] })], created(template("a")))).toEqual({
      create: [],
      update: [],
      remove: [],
    });
  });

  it.each([
    ["config", template("a", { config: { ...config, x: 1 } })],
    ["dependsOn", template("a", { dependsOn: ["b"] })],
    ["labels", template("a", { labels: { mine: "x" } })],
    ["timeout", template("a", { timeout: "1m" })],
  ])("with another %s are updated; what others have put on them stays", (_name, changed) => {
    const [old] = created(template("a"));
    const existing = {
      ...old!,
      metadata: { ...old!.metadata, name: "root-a-random", annotations: { ...old!.metadata.annotations, theirs: "y" } },
      status: { jobID: "1" },
    };
    const [wanted] = created(changed);
    const later = {
      execution,
      templates: [changed],
      existing: [existing],
      clusterNames: new Map(),
      now: new Date("2026-02-01T00:00:00Z"),
    };
    expect(planDeployItems(later).update).toEqual([
      {
        ...existing,
        metadata: {
          ...existing.metadata,
          labels: wanted!.metadata.labels,
          annotations: {
            ...wanted!.metadata.annotations,
            theirs: "y",
            [annotations.reconcileTime]: "2026-02-01T00:00:00Z",
          },
        },
        spec: wanted!.spec,
      },
    ]);
  });

  it("lose a dependency that is gone", () => {
    const { update } = plan([template("a")], created(template("a", { dependsOn: ["b"] })));
    expect(update[0]?.metadata.annotations).not.toHaveProperty([annotations.dependsOn]);
  });

  it.each<[name: string, known: ReadonlyMap<string, string | undefined>, expected: string | undefined]>([
    ["get the name of their cluster", new Map([["a", "new"]]), "new"],
    ["lose it when their Target is of no cluster", new Map([["a", undefined]]), undefined],
    ["keep it when nobody can tell", new Map(), "old"],
  ])("%s", (_name, clusterNames, expected) => {
    const templates = [template("a")];
    const before = { execution, templates, existing: [], clusterNames: new Map([["a", "old"]]), now };
    const [existing] = planDeployItems(before).create;
    expect(existing?.metadata.annotations?.[annotations.clusterName]).toBe("old");
    const { update } = planDeployItems({ ...before, existing: [existing!], clusterNames });
    const [item = existing] = update;
    expect(item?.metadata.annotations?.[annotations.clusterName]).toBe(expected);
  });

  it("whose item is gone are removed, once", () => {
    const [old] = created(template("old"));
    expect(plan([], [old!]).remove).toEqual([old]);
    const deleting = { ...old!, metadata: { ...old!.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
    expect(plan([], [deleting]).remove).toEqual([]);
  });

  it("are in step after one plan, whatever was there before", () => {
    const name = constantFrom("a", "b", "c", "d");
    const item = record({ timeout: constantFrom("1m", "2m"), dependsOn: subarray(["a", "b", "c", "d"]) });
    const list = dictionary(name, item).map((all) => Object.entries(all).map(([key, more]) => template(key, more)));
    assert(
      property(list, list, (before, after) => {
        const existing = created(...before);
        const { create, update, remove } = plan(after, existing);
        const updated = new Map(update.map((one) => [one.metadata.name, one]));
        const next = existing
          .filter((one) => !remove.includes(one))
          .map((one) => updated.get(one.metadata.name) ?? one)
          .concat(create);
        expect(plan(after, next)).toEqual({ create: [], update: [], remove: [] });
        expect(next.length).toBe(after.length);
      }),
    );
  });
});

describe("the id of the landscaper cluster", () => {
  const planFor = (hubId: string | undefined, existing: readonly DeployItem[] = []) =>
    planDeployItems({ execution, templates: [template("a")], existing, clusterNames: new Map(), now, hubId });
  const idsOf = (items: readonly DeployItem[]) =>
    items.map(({ metadata }) => metadata.annotations?.[annotations.hubId]);

  it("stands on new items, and on those of earlier releases from their next job on", () => {
    expect(idsOf(planFor("hub-1").create)).toEqual(["hub-1"]);
    const existing = created(template("a"));
    expect(idsOf(existing)).toEqual([undefined]);
    expect(idsOf(planFor("hub-1", existing).update)).toEqual(["hub-1"]);
    expect(planFor("hub-1", planFor("hub-1").create).update).toEqual([]);
  });

  it("stays when it is not known", () => {
    expect(planFor(undefined, planFor("hub-1").create).update).toEqual([]);
  });
});
