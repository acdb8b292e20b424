import { describe, expect, it } from "@jest/globals";
import { annotations, finalizer, LandscaperError, type InstallationStatus } from "@landscaper/api";
import type { InstallationDecision } from "./installation-decision.ts";
import type { ObservedInstallation } from "./observed-installation.ts";
import {
  type Given,
  observe,
  open,
  child,
  execution,
  running,
  deleteFailed,
  metadata,
  decide,
} from "../../test/observed-installation.ts";

const reconcile = { [annotations.operation]: "reconcile" };

const interrupt = { [annotations.operation]: "interrupt" };

const ifChanged = { [annotations.reconcileIfChanged]: "true" };

type Row = readonly [name: string, given: Given, want: InstallationDecision];

const closed = (phase: string): InstallationStatus => ({
  jobID: "1",
  jobIDFinished: "1",
  phase,
  observedGeneration: 1,
});

const succeeded = { jobID: "2", jobIDFinished: "2", phase: "Succeeded" };

const failed = { jobID: "2", jobIDFinished: "2", phase: "Failed" };

/** Of one that was deleted with `--cascade=orphan`. */
const releasing = [finalizer, "orphan"];

const rest: InstallationDecision = { kind: "rest" };

const start: InstallationDecision = { kind: "start-job", automatic: undefined };

const ringError = new LandscaperError({ message: "a => b => a", reason: "CyclicDependencies" });

describe("entry (core.md §2.2)", () => {
  const rows: readonly Row[] = [
    ["a new object gets its finalizer", { finalizers: [] }, metadata(false)],
    ["an object without context gets one", { context: "" }, metadata(false)],
    ["an untriggered object rests", {}, rest],
    ["a finished object rests", { status: closed("Succeeded") }, rest],
    ["conditions that lag behind are written", { observed: { isReadyCurrent: false } }, { kind: "refresh-conditions" }],
    [
      "a ring that was completed after the job replaces the error of the job",
      { status: closed("Failed"), observed: { lateRing: ringError } },
      { kind: "correct-error", error: ringError },
    ],
    [
      "a trigger comes before a late ring",
      { annotations: reconcile, status: closed("Failed"), observed: { lateRing: ringError } },
      start,
    ],
    ["the annotation starts a job", { annotations: reconcile }, start],
    ["the annotation starts a job after success", { annotations: reconcile, status: closed("Succeeded") }, start],
    ["the annotation starts a job after failure", { annotations: reconcile, status: closed("Failed") }, start],
    ["the annotation starts a job before the finalizer is there", { annotations: reconcile, finalizers: [] }, start],
    [
      "a new job enters its first phase; its first action takes the annotation and completes the metadata",
      { annotations: reconcile, finalizers: [], context: "", status: open() },
      { kind: "enter", phase: "Init" },
    ],
    [
      "a new job enters its first phase although the last one has left a final phase",
      { annotations: reconcile, status: open("Succeeded") },
      { kind: "enter", phase: "Init" },
    ],
    [
      "a job that was given by the parent does, too",
      { isNested: true, status: open("Failed") },
      { kind: "enter", phase: "Init" },
    ],
    [
      "an annotation that comes while the job works waits for its end",
      { annotations: reconcile, status: open("Init"), observed: { gate: { state: "waiting", unfinished: ["a"] } } },
      { kind: "wait", message: "waits for predecessors: a" },
    ],
    ["on a nested object the annotation goes", { annotations: reconcile, isNested: true }, metadata(true)],
    [
      "on a nested object it goes while a job runs, too",
      { annotations: reconcile, isNested: true, status: open("Progressing") },
      metadata(true),
    ],
    ["interrupt is handled without a job", { annotations: interrupt }, { kind: "interrupt" }],
    [
      "interrupt is handled in any phase",
      { annotations: interrupt, status: open("Progressing") },
      { kind: "interrupt" },
    ],
    [
      "dependents are triggered before anything else",
      { annotations: reconcile, status: { ...closed("Succeeded"), dependentsToTrigger: [{ name: "b" }] } },
      { kind: "trigger-dependents", names: ["b"] },
    ],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(observe(given))).toEqual(want));
});

describe("reconcile-if-changed (core.md §2.2 no. 4, §4.40)", () => {
  const rows: readonly Row[] = [
    ["starts what never ran", { annotations: ifChanged }, start],
    ["starts after a change", { annotations: ifChanged, generation: 2, status: closed("Succeeded") }, start],
    [
      "starts after a change of what failed",
      { annotations: ifChanged, generation: 2, status: closed("Failed") },
      start,
    ],
    ["rests without a change", { annotations: ifChanged, status: closed("Succeeded") }, rest],
    ["does nothing on a nested object", { annotations: ifChanged, isNested: true }, rest],
    [
      "does not start a second job",
      {
        annotations: ifChanged,
        generation: 2,
        status: open("Progressing"),
        observed: { children: [execution(running)] },
      },
      { kind: "wait", message: "waits for its sub-objects" },
    ],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(observe(given))).toEqual(want));
});

describe("deletion entry (core.md §4.36, §4.37)", () => {
  const rows: readonly Row[] = [
    ["a root that never ran gets a delete job", { isDeleting: true }, start],
    ["a root that has succeeded gets a delete job", { isDeleting: true, status: closed("Succeeded") }, start],
    ["a failed deletion rests", { isDeleting: true, status: closed("DeleteFailed") }, rest],
    [
      "a failed deletion is tried again on the annotation",
      { isDeleting: true, annotations: reconcile, status: closed("DeleteFailed") },
      start,
    ],
    ["a nested object waits for the job of its parent", { isDeleting: true, isNested: true }, rest],
    ["starts no deletion job while the finalizer orphan exists", { isDeleting: true, finalizers: releasing }, rest],
    [
      "ignores operation: reconcile while the finalizer orphan exists",
      { isDeleting: true, finalizers: releasing, annotations: reconcile, status: closed("DeleteFailed") },
      rest,
    ],
    [
      "does not begin an open job while the finalizer orphan exists",
      { isDeleting: true, finalizers: releasing, status: open("Succeeded") },
      rest,
    ],
    [
      "lets a job that installs rest while the finalizer orphan exists",
      { isDeleting: true, finalizers: releasing, status: open("Progressing") },
      rest,
    ],
    [
      "continues a deletion job to which somebody adds the finalizer orphan",
      { isDeleting: true, finalizers: releasing, status: open("TriggerDelete") },
      { kind: "advance", phase: "Deleting" },
    ],
    [
      "a failed deletion goes on when its Targets exist again",
      { isDeleting: true, status: closed("DeleteFailed"), observed: { isAccessBack: true } },
      start,
    ],
    [
      "a nested Installation waits for its parent even if its Targets exist again",
      { isDeleting: true, isNested: true, status: closed("DeleteFailed"), observed: { isAccessBack: true } },
      rest,
    ],
    ["an object that only others keep is left alone", { isDeleting: true, finalizers: ["other"] }, rest],
    [
      "the job begins with InitDelete, without new metadata",
      { isDeleting: true, context: "", status: open("Succeeded") },
      { kind: "enter", phase: "InitDelete" },
    ],
    [
      "so does the second attempt",
      { isDeleting: true, annotations: reconcile, status: open("DeleteFailed") },
      { kind: "enter", phase: "InitDelete" },
    ],
    [
      "a running install job is not aborted",
      { isDeleting: true, status: open("Progressing"), observed: { children: [execution(running)] } },
      { kind: "wait", message: "waits for its sub-objects" },
    ],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(observe(given))).toEqual(want));
});

describe("install phases (core.md §2.3)", () => {
  const error = new LandscaperError({ message: "blocked", reason: "Test" });
  const rows: readonly (readonly [phase: string, name: string, Partial<ObservedInstallation>, InstallationDecision])[] =
    [
      [
        "Init",
        "withdraws exports that are no longer listed before it waits",
        { droppedExportCount: 1, gate: { state: "waiting", unfinished: ["a"] } },
        { kind: "withdraw-exports" },
      ],
      [
        "Init",
        "fails at once when a predecessor has failed: that withdraws all exports",
        { droppedExportCount: 1, gate: { state: "blocked", error } },
        { kind: "finish", phase: "Failed", error },
      ],
      ["Init", "withdraws them with its work otherwise", { droppedExportCount: 1 }, { kind: "initialise" }],
      [
        "Init",
        "waits for predecessors",
        { gate: { state: "waiting", unfinished: ["a", "b"] } },
        { kind: "wait", message: "waits for predecessors: a, b" },
      ],
      [
        "Init",
        "fails when they have",
        { gate: { state: "blocked", error } },
        { kind: "finish", phase: "Failed", error },
      ],
      ["Init", "does its work then", {}, { kind: "initialise" }],
      ["Init", "does it again after a crash", { children: [execution(), child()] }, { kind: "initialise" }],
      [
        "Init",
        "gives the job to an Execution that somebody deleted",
        { children: [execution({ isDeleting: true })] },
        { kind: "hand-over", children: [execution({ isDeleting: true })] },
      ],
      [
        "Init",
        "waits until that Execution is gone",
        { children: [execution({ ...running, isDeleting: true })] },
        { kind: "wait", message: "waits for the deletion of what the blueprint has no more" },
      ],
      [
        "CleanupOrphaned",
        "goes on without orphans",
        { children: [child()] },
        { kind: "advance", phase: "ObjectsCreated" },
      ],
      [
        "CleanupOrphaned",
        "gives orphans the job",
        { children: [child(), child({ name: "old", isDeleting: true })] },
        { kind: "hand-over", children: [child({ name: "old", isDeleting: true })] },
      ],
      [
        "CleanupOrphaned",
        "waits for them",
        { children: [child({ ...running, name: "old", isDeleting: true })] },
        { kind: "wait", message: "waits for the deletion of what the blueprint has no more" },
      ],
      [
        "CleanupOrphaned",
        "waits while one of them is at work",
        { children: [child({ ...running, isDeleting: true }), child(deleteFailed)] },
        { kind: "wait", message: "waits for the deletion of what the blueprint has no more" },
      ],
      [
        "CleanupOrphaned",
        "fails when all have",
        { children: [child(deleteFailed)] },
        { kind: "finish", phase: "Failed" },
      ],
      ["ObjectsCreated", "goes on", {}, { kind: "advance", phase: "Progressing" }],
      [
        "Progressing",
        "does the work of Init again when no child has the job",
        { isApplied: false, children: [execution({ jobID: "1" }), child()] },
        { kind: "initialise" },
      ],
      ["Progressing", "does it again without children, too", { isApplied: false }, { kind: "initialise" }],
      [
        "Progressing",
        "does it again when only orphans have had the job",
        { isApplied: false, children: [execution({ jobID: "1" }), child(deleteFailed)] },
        { kind: "initialise" },
      ],
      [
        "Progressing",
        "does not when one of them has it",
        { isApplied: false, children: [execution(running), child()] },
        { kind: "hand-over", children: [child()] },
      ],
      [
        "Progressing",
        "gives the job to all that have another",
        { children: [execution({ jobID: "1" }), child(running)] },
        { kind: "hand-over", children: [execution({ jobID: "1" })] },
      ],
      [
        "Progressing",
        "waits for what is unfinished",
        { children: [execution(running), child(running), child({ ...succeeded, name: "done" })] },
        { kind: "wait", message: "waits for its sub-objects" },
      ],
      [
        "Progressing",
        "waits although one has failed",
        { children: [execution(failed), child(running)] },
        { kind: "wait", message: "waits for its sub-objects" },
      ],
      [
        "Progressing",
        "fails when all have ended and one has failed",
        { children: [execution(failed), child(succeeded)] },
        { kind: "finish", phase: "Failed" },
      ],
      [
        "Progressing",
        "looks live for children that are missing",
        { children: [child(succeeded)], missingChildren: [{ kind: "Execution", name: "root" }] },
        { kind: "confirm-children", children: [{ kind: "Execution", name: "root" }] },
      ],
      [
        "Progressing",
        "completes when all have succeeded",
        { children: [execution(succeeded), child(succeeded)] },
        { kind: "advance", phase: "Completing" },
      ],
      ["Progressing", "completes without children", {}, { kind: "advance", phase: "Completing" }],
      ["Completing", "writes the exports", {}, { kind: "complete" }],
      ["Unknown", "begins again", {}, { kind: "enter", phase: "Init" }],
    ];
  it.each(rows)("%s %s", (...[phase, , observed, want]) => {
    expect(decide(observe({ status: open(phase), observed }))).toEqual(want);
  });
});
