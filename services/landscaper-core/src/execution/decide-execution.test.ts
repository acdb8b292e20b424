import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  finalizer,
  LandscaperError,
  type DeployItemTemplate,
  type ExecutionStatus,
} from "@landscaper/api";
import { decideExecution, type ObservedExecution } from "./decide-execution.ts";
import { itemNameOf } from "./deploy-item-identity.ts";
import { deployItem, itemTemplate, type ItemState } from "../../test/deploy-items.ts";

interface Given {
  readonly annotations?: Record<string, string>;
  readonly finalizers?: string[];
  readonly isDeleting?: boolean;
  readonly status?: ExecutionStatus;
  readonly templates?: readonly DeployItemTemplate[];
  readonly items?: readonly ItemState[];
  readonly specError?: LandscaperError;
  readonly allowsEmpty?: boolean;
  readonly isOwned?: boolean;
  readonly isAccessBack?: boolean;
}

function observe(given: Given): ObservedExecution {
  const {
    finalizers = [finalizer],
    status = {},
    templates = [],
    items = [],
    specError,
    allowsEmpty = false,
    isOwned = true,
    isAccessBack = false,
  } = given;
  const metadata = {
    name: "root",
    finalizers,
    annotations: given.annotations ?? {},
    ...(given.isDeleting === true ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
  };
  const execution = { apiVersion, kind: "Execution", metadata, spec: {} };
  const deployItems = items.map(deployItem);
  return { execution, status, templates, deployItems, specError, allowsEmpty, isOwned, isAccessBack };
}

/** The decision with items by their names and errors by their text. */
function decide(given: Given): unknown {
  const { kind, ...rest } = decideExecution(observe(given));
  const simple = Object.entries(rest).map(([key, value]): [string, unknown] => {
    if (value instanceof Error) return [key, value.message];
    if (!Array.isArray(value)) return [key, value];
    return [key, value.map((one) => ("metadata" in one ? itemNameOf(one) : one.name))];
  });
  return { kind, ...Object.fromEntries(simple) };
}

const open = (phase?: string): ExecutionStatus => ({
  jobID: "2",
  jobIDFinished: "1",
  ...(phase === undefined ? {} : { phase }),
});
const done: ExecutionStatus = { jobID: "2", jobIDFinished: "2", phase: "Succeeded" };
const broken = { jobID: "2", jobIDFinished: "2", phase: "Failed", message: "it broke" };
const busy = { jobID: "2", phase: "Progressing" };
const gone = { jobID: "2", isDeleting: true };
const stuck = { ...broken, phase: "DeleteFailed", isDeleting: true };

const leaves = { [annotations.deleteWithoutUninstall]: "true" };
/** Deleted, without Installation. */
const left: Given = { isDeleting: true, isOwned: false };
const deleteFailed = { jobID: "1", jobIDFinished: "1", phase: "DeleteFailed" };

type Row = readonly [name: string, given: Given, want: unknown];

describe("entry (core.md §2.5)", () => {
  const rows: readonly Row[] = [
    ["rests without a job", {}, { kind: "rest" }],
    ["gets its finalizer first", { finalizers: [], status: open() }, { kind: "add-finalizer" }],
    ["gets no finalizer while it is deleted", { finalizers: [], isDeleting: true }, { kind: "rest" }],
    ["enters Init", { status: open() }, { kind: "enter", phase: "Init" }],
    ["enters Init after a failed job", { status: open("Failed") }, { kind: "enter", phase: "Init" }],
    ["enters InitDelete", { isDeleting: true, status: open("Succeeded") }, { kind: "enter", phase: "InitDelete" }],
    [
      "ignores the reconcile annotation (§4.29)",
      { annotations: { [annotations.operation]: "reconcile" } },
      { kind: "rest" },
    ],
    [
      "is interrupted in any phase",
      { annotations: { [annotations.operation]: "interrupt" }, status: open("Progressing") },
      { kind: "interrupt" },
    ],
    [
      "rests in its deletion while its Installation gives it no job",
      { isDeleting: true, status: done },
      { kind: "rest" },
    ],
    ["starts a deletion job without Installation", { ...left, status: done }, { kind: "start-deletion" }],
    ["starts a deletion job without Installation if it never had a job", left, { kind: "start-deletion" }],
    ["starts no second deletion job after a failure", { ...left, status: deleteFailed }, { kind: "rest" }],
    [
      "starts another deletion job when its Targets exist again",
      { ...left, isAccessBack: true, status: deleteFailed },
      { kind: "start-deletion" },
    ],
    [
      "starts another deletion job for operation: reconcile",
      { ...left, annotations: { [annotations.operation]: "reconcile" }, status: deleteFailed },
      { kind: "start-deletion" },
    ],
    [
      "starts no deletion job if it lacks the finalizer of the core",
      { ...left, finalizers: ["other"] },
      { kind: "rest" },
    ],
    [
      "starts no deletion job while the finalizer orphan exists",
      { ...left, finalizers: [finalizer, "orphan"] },
      { kind: "rest" },
    ],
    [
      "does not begin an open job while the finalizer orphan exists",
      { isDeleting: true, finalizers: [finalizer, "orphan"], status: open("Succeeded") },
      { kind: "rest" },
    ],
    ["begins again in a phase that nobody knows", { status: open("Odd") }, { kind: "enter", phase: "Init" }],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(given)).toEqual(want));
});

describe("Init", () => {
  const templates = [itemTemplate("a")];
  const specError = new LandscaperError({ message: "unreadable", reason: "InvalidDeployItems" });
  const rows: readonly Row[] = [
    ["applies the items", { templates }, { kind: "apply-items" }],
    ["fails when the spec cannot be read", { specError }, { kind: "finish", phase: "Failed", error: "unreadable" }],
    [
      "first lets an item go that somebody deleted",
      { templates, items: [{ name: "a", isDeleting: true }] },
      { kind: "trigger", items: ["a"] },
    ],
    [
      "waits for it",
      { templates, items: [{ name: "a", ...gone }] },
      { kind: "wait", message: "waits for its deploy items" },
    ],
    [
      "is held back when it would leave no item",
      { items: [{ name: "a" }, { name: "b" }, { name: "c", ...gone }] },
      { kind: "finish", phase: "Failed", error: "the job would leave no deploy item: it would remove a, b" },
    ],
    ["leaves none where that is allowed", { items: [{ name: "a" }], allowsEmpty: true }, { kind: "apply-items" }],
    ["leaves none when all go anyway", { items: [{ name: "a", ...gone }] }, { kind: "apply-items" }],
    ["does not wait for orphans", { templates, items: [{ name: "x", ...gone }] }, { kind: "apply-items" }],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide({ status: open("Init"), ...given })).toEqual(want));
});

describe("Progressing", () => {
  const templates = [itemTemplate("a"), itemTemplate("b", "a")];
  const rows: readonly Row[] = [
    ["triggers what depends on nothing", { items: [{ name: "a" }, { name: "b" }] }, { kind: "trigger", items: ["a"] }],
    [
      "triggers orphans before everything else (§4.11)",
      { items: [{ name: "a" }, { name: "b" }, { name: "x", isDeleting: true }] },
      { kind: "trigger", items: ["x"] },
    ],
    [
      "waits for orphans",
      { items: [{ name: "a" }, { name: "x", ...gone }] },
      { kind: "wait", message: "waits for its deploy items" },
    ],
    [
      "fails with an orphan",
      { items: [{ name: "a" }, { name: "x", ...stuck }] },
      { kind: "finish", phase: "Failed", error: 'deploy item "x": it broke' },
    ],
    [
      "waits for what runs",
      { items: [{ name: "a", ...busy }, { name: "b" }] },
      { kind: "wait", message: "waits for its deploy items" },
    ],
    [
      "triggers what has become free",
      { items: [{ name: "a", ...done }, { name: "b" }] },
      { kind: "trigger", items: ["b"] },
    ],
    [
      "starts nothing more after a failure",
      { items: [{ name: "a", ...broken }, { name: "b" }] },
      { kind: "finish", phase: "Failed", error: 'deploy item "a": it broke' },
    ],
    [
      "drains before it fails",
      {
        templates: [...templates, itemTemplate("c")],
        items: [{ name: "a", ...broken }, { name: "b" }, { name: "c", ...busy }],
      },
      { kind: "wait", message: "waits for its deploy items" },
    ],
    [
      "looks live for a missing item (§4.32)",
      { items: [{ name: "a", ...done }] },
      { kind: "confirm-items", items: ["b"] },
    ],
    [
      "fails when nothing can start",
      { templates: [itemTemplate("a", "b"), itemTemplate("b", "a")], items: [{ name: "a" }, { name: "b" }] },
      {
        kind: "finish",
        phase: "Failed",
        error: "items could not be started: a, b; each depends on another that is not there or not finished",
      },
    ],
    [
      "completes when all have succeeded",
      {
        items: [
          { name: "a", ...done },
          { name: "b", ...done },
        ],
      },
      { kind: "advance", phase: "Completing" },
    ],
  ];
  it.each(rows)("%s", (_name, given, want) => {
    expect(decide({ status: open("Progressing"), templates, ...given })).toEqual(want);
  });

  it("names the item that failed first", () => {
    const items = [
      { name: "a", ...broken, finishedTime: "2026-01-01T00:00:02Z", message: "second" },
      { name: "b", ...broken, finishedTime: "2026-01-01T00:00:01Z", message: "first" },
    ];
    expect(decide({ status: open("Progressing"), templates, items })).toEqual({
      kind: "finish",
      phase: "Failed",
      error: 'deploy item "b": first',
    });
  });
});

describe("the other phases", () => {
  const rows: readonly (readonly [phase: string, name: string, given: Given, want: unknown])[] = [
    ["Completing", "collects the exports", {}, { kind: "complete" }],
    ["InitDelete", "marks the items", { isDeleting: true }, { kind: "delete-items" }],
    ["Deleting", "lets go when none is left", { isDeleting: true }, { kind: "release" }],
    [
      "Deleting",
      "marks items again when delete-without-uninstall is set after the job has started",
      { isDeleting: true, annotations: leaves, items: [{ name: "a", ...busy, isDeleting: true }] },
      { kind: "delete-items" },
    ],
    [
      "Deleting",
      "releases marked items at once if their deployer has no marks to remove",
      {
        isDeleting: true,
        annotations: leaves,
        items: [
          { name: "a", jobID: "2", phase: "Deleting", isDeleting: true, annotations: leaves, finalizers: [finalizer] },
        ],
      },
      { kind: "trigger", items: ["a"] },
    ],
    [
      "Deleting",
      "releases no item that a deployer still deploys",
      {
        isDeleting: true,
        annotations: leaves,
        items: [{ name: "a", ...busy, isDeleting: true, annotations: leaves, finalizers: [finalizer] }],
      },
      { kind: "wait", message: "waits for its deploy items" },
    ],
    [
      "Deleting",
      "goes backwards, orphans included (§4.13 fixed)",
      {
        isDeleting: true,
        items: [
          { name: "a", isDeleting: true },
          { name: "x", dependsOn: ["a"], isDeleting: true },
        ],
      },
      { kind: "trigger", items: ["x"] },
    ],
    [
      "Deleting",
      "waits",
      { isDeleting: true, items: [{ name: "a", ...gone }] },
      { kind: "wait", message: "waits for its deploy items" },
    ],
    [
      "Deleting",
      "fails",
      { isDeleting: true, items: [{ name: "a", ...stuck }] },
      { kind: "finish", phase: "DeleteFailed", error: 'deploy item "a": it broke' },
    ],
    [
      "Deleting",
      "drains before it fails",
      {
        isDeleting: true,
        items: [
          { name: "a", ...stuck },
          { name: "b", ...gone },
        ],
      },
      { kind: "wait", message: "waits for its deploy items" },
    ],
    [
      "Deleting",
      "fails when it is stuck",
      {
        isDeleting: true,
        items: [
          { name: "a", dependsOn: ["b"], isDeleting: true },
          { name: "b", dependsOn: ["a"], isDeleting: true },
        ],
      },
      {
        kind: "finish",
        phase: "DeleteFailed",
        error: "items could not be started: a, b; each depends on another that is not there or not finished",
      },
    ],
  ];
  it.each(rows)("%s %s", (...[phase, , given, want]) => {
    expect(decide({ status: open(phase), ...given })).toEqual(want);
  });
});

describe("the error of items that cannot start", () => {
  it("has a reason of its own, by which firstFailure passes it over", () => {
    const items = [{ name: "a" }, { name: "b" }];
    const templates = [itemTemplate("a", "b"), itemTemplate("b", "a")];
    const decision = decideExecution(observe({ status: open("Progressing"), templates, items }));
    expect(decision).toMatchObject({ kind: "finish", error: { reason: "ItemsNotStarted" } });
  });
});
