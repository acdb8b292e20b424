import { describe, expect, it } from "@jest/globals";
import { finalizer, type DeployItem, type DeployItemStatus, type Target } from "@landscaper/api";
import type { Claim } from "../sharing/decide-claim.ts";
import type { ObservedTarget } from "../target/target-observer.ts";
import { decideJob, isOfType, type ObservedItem } from "./decide-job.ts";

const type = "landscaper.gardener.cloud/test";
const now = Date.parse("2026-01-01T12:00:00Z");
const target: Target = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Target",
  metadata: { name: "cluster", namespace: "n", labels: { environment: "blue" } },
  spec: { type: "landscaper.gardener.cloud/kubernetes-cluster" },
};

interface ItemOptions {
  readonly status?: DeployItemStatus;
  readonly metadata?: Partial<DeployItem["metadata"]>;
  readonly spec?: Partial<DeployItem["spec"]>;
}

function item({ status, metadata, spec }: ItemOptions = {}): DeployItem {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "n", uid: "u", generation: 3, finalizers: [finalizer], ...metadata },
    spec: { type, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

function decide(
  deployItem: DeployItem,
  overrides: Partial<ObservedItem> & {
    claim?: Claim;
    selectors?: object[];
    isOutdated?: boolean;
    isForced?: boolean;
  } = {},
) {
  const { claim = { type: "ours" }, selectors = [], isOutdated = false, isForced = false, ...observed } = overrides;
  return decideJob(
    { item: deployItem, target: { state: "none" }, deadline: undefined, ...observed },
    { type, targetSelectors: selectors, claim, isOutdated: () => isOutdated, isForced: () => isForced },
    now,
  );
}

const deleted = { deletionTimestamp: "2026-01-01T11:00:00Z" };
const open = { jobID: "2", jobIDFinished: "1" };
const working = {
  ...open,
  transitionTimes: { initTime: "2026-01-01T11:59:00Z" },
  lastReconcileTime: "2026-01-01T11:59:00Z",
};

describe("without work", () => {
  it.each<readonly [string, DeployItem]>([
    ["no status", item()],
    ["a job that has ended", item({ status: { jobID: "1", jobIDFinished: "1", phase: "Succeeded" } })],
    [
      "deleted without job",
      item({ status: { jobID: "1", jobIDFinished: "1", phase: "Succeeded" }, metadata: deleted }),
    ],
    ["of another type", item({ status: open, spec: { type: "landscaper.gardener.cloud/other" } })],
    [
      "annotated for another type",
      item({
        status: open,
        metadata: { annotations: { "landscaper.gardener.cloud/deployer-type": "landscaper.gardener.cloud/other" } },
      }),
    ],
    [
      "an annotation that is none of ours",
      item({
        status: { jobID: "1", jobIDFinished: "1" },
        metadata: { annotations: { "landscaper.gardener.cloud/operation": "interrupt" } },
      }),
    ],
  ])("%s", (_name, deployItem) => {
    expect(decide(deployItem)).toEqual({ type: "idle" });
  });

  it("held by another replica", () => {
    expect(decide(item({ status: open }), { claim: { type: "theirs" } })).toEqual({ type: "idle" });
    expect(decide(item({ status: { ...working, phase: "Progressing" } }), { claim: { type: "theirs" } })).toEqual({
      type: "idle",
    });
  });

  it("in work of another instance, whose items are this one's as well: steps back", () => {
    const claim: Claim = { type: "theirs", holder: "green/pod-1" };
    const inWork = item({ status: { ...working, phase: "Progressing" } });
    expect(decide(inWork, { claim })).toEqual({ type: "stepBack", holder: "green/pod-1" });
    const elsewhere = [{ targets: [{ name: "other", namespace: "n" }] }];
    expect(decide(inWork, { claim, selectors: elsewhere, target: { state: "missing", name: "t" } })).toEqual({
      type: "idle",
    });
  });

  it("in work of a deployer without Lease: waits", () => {
    const claim: Claim = { type: "wait", holder: "old", leftMs: 7000 };
    expect(decide(item({ status: { ...working, phase: "Progressing" } }), { claim })).toEqual({
      type: "wait",
      leftMs: 7000,
    });
  });

  it("of a replica that is gone", () => {
    expect(
      decide(item({ status: { ...working, phase: "Progressing" } }), { claim: { type: "orphaned", holder: "h" } }),
    ).toEqual({
      type: "takeOver",
    });
    expect(
      decide(item({ status: { ...working, phase: "Progressing" } }), {
        claim: { type: "orphaned", holder: "h" },
        deadline: now - 1,
      }),
    ).toEqual({ type: "takeOver" });
    expect(decide(item({ status: open }), { claim: { type: "orphaned", holder: "h" } }).type).toBe("start");
  });
});

describe("the phase of an open job", () => {
  it.each<readonly [string | undefined, boolean, string, boolean]>([
    [undefined, false, "start", false],
    ["", false, "start", false],
    ["Succeeded", false, "start", false],
    ["Failed", false, "start", false],
    ["DeleteFailed", false, "start", false],
    [undefined, true, "start", true],
    ["Succeeded", true, "start", true],
    ["DeleteFailed", true, "start", true],
    ["Init", false, "resume", false],
    ["Progressing", false, "resume", false],
    ["Processing", false, "resume", false],
    ["Completing", false, "resume", false],
    ["InitDelete", true, "resume", true],
    ["Deleting", true, "resume", true],
    // The deletion came in the middle of a job that deploys: it starts with the next job.
    ["Progressing", true, "resume", false],
  ])("%s, deleted: %j: %s, deleting: %j", (...[phase, isDeleted, decision, isDeleting]) => {
    const status = { ...working, ...(phase === undefined ? {} : { phase }) };
    const metadata = isDeleted ? deleted : {};
    expect(decide(item({ status, metadata }))).toEqual({ type: decision, isDeleting, isTest: false });
  });

  it("a phase of work without pickup is picked up", () => {
    expect(decide(item({ status: { ...open, phase: "Progressing" } }))).toEqual({
      type: "start",
      isDeleting: false,
      isTest: false,
    });
  });

  it("the first job has no predecessor", () => {
    expect(decide(item({ status: { jobID: "1" } })).type).toBe("start");
  });
});

describe("the target", () => {
  const selectors = [{ labels: [{ key: "environment", operator: "==", values: ["blue"] }] }];
  const others = [{ labels: [{ key: "environment", operator: "==", values: ["green"] }] }];
  const found: ObservedTarget = { state: "found", target };
  const missing: ObservedTarget = { state: "missing", name: "cluster" };
  it.each<readonly [string, ObservedTarget, object[], string]>([
    ["none is accepted by everybody", { state: "none" }, others, "start"],
    ["a selected one", found, selectors, "start"],
    ["one of another instance", found, others, "idle"],
    ["a missing one fails the job", missing, [], "targetMissing"],
    [
      "a missing one that is selected by name fails the job",
      missing,
      [{ targets: [{ name: "cluster" }] }],
      "targetMissing",
    ],
    ["a missing one of who knows whom is left alone", missing, selectors, "idle"],
  ])("%s", (...[_name, observed, targetSelectors, want]) => {
    expect(decide(item({ status: open }), { target: observed, selectors: targetSelectors }).type).toBe(want);
  });

  it("a missing one fails a deletion, too", () => {
    const status = { ...open, phase: "Succeeded", lastReconcileTime: "2026-01-01T11:00:00Z" };
    expect(decide(item({ status, metadata: deleted }), { target: missing })).toEqual({
      type: "targetMissing",
      targetName: "cluster",
      isDeleting: true,
    });
  });

  it("a missing one does not keep an item that was never worked on, nor one whose jobs were all refused", () => {
    const at = "2026-01-01T11:00:00Z";
    const untouched = {
      type: "Deployed",
      status: "False",
      reason: "NothingDeployed",
      message: "",
      lastTransitionTime: at,
      lastUpdateTime: at,
    };
    for (const status of [open, { ...open, lastReconcileTime: at, conditions: [untouched] }]) {
      expect(decide(item({ status, metadata: deleted }), { target: missing })).toEqual({
        type: "release",
        leaves: false,
      });
    }
  });

  it("a missing one is no reason to wait for the deadline", () => {
    const status = { ...working, phase: "Progressing" };
    expect(decide(item({ status }), { target: missing, deadline: now + 1 }).type).toBe("targetMissing");
  });
});

describe("the deadline", () => {
  const status = { ...working, phase: "Progressing" };
  it.each<readonly [string, number | undefined, string]>([
    ["none", undefined, "resume"],
    ["in a millisecond", now + 1, "resume"],
    ["now", now, "timeOut"],
    ["past", now - 1, "timeOut"],
  ])("%s", (_name, deadline, want) => {
    expect(decide(item({ status }), { deadline }).type).toBe(want);
  });

  it("of a former job means nothing to a new one", () => {
    expect(decide(item({ status: { ...working, phase: "Failed" } }), { deadline: now - 1 }).type).toBe("start");
  });

  it("ends a deletion, too", () => {
    const deleting = item({ status: { ...working, phase: "Deleting" }, metadata: deleted });
    expect(decide(deleting, { deadline: now })).toEqual({ type: "timeOut", isDeleting: true });
  });
});

describe("updateOnChangeOnly", () => {
  const spec = { updateOnChangeOnly: true };
  const succeeded = { ...open, phase: "Succeeded", observedGeneration: 3 };
  it.each<readonly [string, ItemOptions, string]>([
    ["nothing has changed", { spec, status: succeeded }, "acknowledge"],
    ["the spec has changed", { spec, status: { ...succeeded, observedGeneration: 2 } }, "start"],
    ["the last job failed", { spec, status: { ...succeeded, phase: "Failed" } }, "start"],
    ["it never ran", { spec, status: open }, "start"],
    ["it is deleted", { spec, status: succeeded, metadata: deleted }, "start"],
    ["the field is off", { spec: { updateOnChangeOnly: false }, status: succeeded }, "start"],
    [
      "a test wants it",
      {
        spec,
        status: succeeded,
        metadata: { annotations: { "landscaper.gardener.cloud/operation": "test-reconcile" } },
      },
      "start",
    ],
  ])("%s", (_name, options, want) => {
    expect(decide(item(options)).type).toBe(want);
  });

  it("the deployer wants a job whatever the spec says", () => {
    expect(decide(item({ spec, status: succeeded }), { isOutdated: true }).type).toBe("start");
  });
});

describe("deletion", () => {
  const withoutUninstall = {
    ...deleted,
    annotations: { "landscaper.gardener.cloud/delete-without-uninstall": "true" },
  };
  it.each<readonly [string, ItemOptions, string]>([
    ["without uninstall only removes the finalizer", { status: open, metadata: withoutUninstall }, "release"],
    [
      "without uninstall, also in the middle",
      { status: { ...working, phase: "Deleting" }, metadata: withoutUninstall },
      "release",
    ],
    [
      "with another value of the annotation uninstalls",
      {
        status: open,
        metadata: { ...deleted, annotations: { "landscaper.gardener.cloud/delete-without-uninstall": "yes" } },
      },
      "start",
    ],
    [
      "without our finalizer is complete",
      { status: { ...working, phase: "Deleting" }, metadata: { ...deleted, finalizers: ["example.org/other"] } },
      "complete",
    ],
    [
      "the annotation alone deletes nothing",
      { status: open, metadata: { annotations: withoutUninstall.annotations } },
      "start",
    ],
  ])("%s", (_name, options, want) => {
    expect(decide(item(options)).type).toBe(want);
  });

  it("without uninstall needs no target", () => {
    const status = { ...open, lastReconcileTime: "2026-01-01T11:00:00Z" };
    const target = { state: "missing", name: "cluster" } as const;
    expect(decide(item({ status, metadata: withoutUninstall }), { target })).toEqual({
      type: "release",
      leaves: false,
    });
  });

  it("without uninstall has the deployer leave what a job may have deployed", () => {
    const status = { ...open, lastReconcileTime: "2026-01-01T11:00:00Z" };
    const leaves = (given: DeployItemStatus) => decide(item({ status: given, metadata: withoutUninstall }));
    expect(leaves(status)).toEqual({ type: "release", leaves: true });
    expect(leaves(open)).toEqual({ type: "release", leaves: false });
  });
});

describe("a deletion that has failed", () => {
  const failed = { jobID: "1", jobIDFinished: "1", phase: "DeleteFailed" } as const;
  const of = (status: DeployItemStatus, metadata: ItemOptions["metadata"] = deleted) => item({ status, metadata });

  it.each<readonly [string, DeployItem, string]>([
    ["is forced where the deployer wants that", of(failed), "start"],
    ["is forced once", of({ ...failed, jobID: "forced-deletion", jobIDFinished: "forced-deletion" }), "idle"],
    ["is forced again after a further job", of({ ...failed, jobID: "2", jobIDFinished: "2" }), "start"],
    ["is not forced for an item without a deletion", of({ ...failed, phase: "Failed" }, {}), "idle"],
    ["is not forced for an item that succeeded last", of({ ...failed, phase: "Succeeded" }), "idle"],
    ["is complete without our finalizer", of(failed, { ...deleted, finalizers: [] }), "complete"],
  ])("%s", (_, deployItem, expected) => {
    expect(decide(deployItem, { isForced: true }).type).toBe(expected);
  });

  it("waits for a job where the deployer does not force it", () => {
    expect(decide(of(failed), { isForced: false }).type).toBe("idle");
  });
});

describe("test-reconcile", () => {
  const metadata = { annotations: { "landscaper.gardener.cloud/operation": "test-reconcile" } };
  it.each<readonly [string, DeployItemStatus | undefined, string]>([
    ["starts an item without job", undefined, "start"],
    ["starts an item whose job has ended", { jobID: "1", jobIDFinished: "1", phase: "Succeeded" }, "start"],
    ["joins a job that was not picked up", { ...open, phase: "Succeeded" }, "start"],
    ["joins a running job", { ...working, phase: "Progressing" }, "resume"],
  ])("%s", (_name, status, want) => {
    expect(decide(item({ metadata, ...(status === undefined ? {} : { status }) }))).toEqual({
      type: want,
      isDeleting: false,
      isTest: true,
    });
  });
});

it.each<readonly [string, string, string | undefined, boolean]>([
  ["equal", type, undefined, true],
  ["equal, annotated", type, type, true],
  ["short form", "test", undefined, true],
  ["short annotation", type, "test", true],
  ["other type", "landscaper.gardener.cloud/other", undefined, false],
  ["other annotation", type, "other", false],
])("isOfType: %s", (...[_name, specType, annotation, want]) => {
  const annotations = annotation === undefined ? {} : { "landscaper.gardener.cloud/deployer-type": annotation };
  expect(isOfType(item({ spec: { type: specType }, metadata: { annotations } }), type)).toBe(want);
});
