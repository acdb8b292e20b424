import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import type { InstallationDecision } from "./installation-decision.ts";
import type { ObservedInstallation } from "./observed-installation.ts";
import { observe, open, child, execution, running, deleteFailed, decide } from "../../test/observed-installation.ts";

describe("delete phases (core.md §2.3)", () => {
  const siblingImport = (names: string): LandscaperError =>
    new LandscaperError({
      message: `a sibling still imports some of the exports: ${names}`,
      reason: "SiblingImport",
      operation: "CheckSuccessors",
      hint: 'delete the siblings first, or set the annotation landscaper.gardener.cloud/delete-ignore-successors: "true" on this Installation',
    });
  const rows: readonly (readonly [phase: string, name: string, Partial<ObservedInstallation>, InstallationDecision])[] =
    [
      [
        "InitDelete",
        "waits for successors, and says so",
        { successors: [{ name: "c", hasFailedDeletion: false }] },
        { kind: "wait", message: "waits for siblings to be deleted", error: siblingImport("c") },
      ],
      [
        "InitDelete",
        "fails with a successor of the same job",
        {
          successors: [
            { name: "b", hasFailedDeletion: false },
            { name: "c", hasFailedDeletion: true },
          ],
        },
        { kind: "finish", phase: "DeleteFailed", error: siblingImport("c") },
      ],
      [
        "InitDelete",
        "deletes its children",
        { children: [execution({ needsDeletion: true }), child({ isDeleting: true })] },
        { kind: "delete-children" },
      ],
      ["InitDelete", "goes on without children", {}, { kind: "advance", phase: "TriggerDelete" }],
      [
        "InitDelete",
        "goes on when all are marked",
        { children: [child({ isDeleting: true })] },
        { kind: "advance", phase: "TriggerDelete" },
      ],
      ["TriggerDelete", "goes on", {}, { kind: "advance", phase: "Deleting" }],
      [
        "Deleting",
        "gives the job to its children",
        { children: [execution({ isDeleting: true })] },
        { kind: "hand-over", children: [execution({ isDeleting: true })] },
      ],
      [
        "Deleting",
        "marks children again when they lack an annotation of the parent",
        { children: [execution({ ...running, isDeleting: true, needsDeletion: true })] },
        { kind: "delete-children" },
      ],
      [
        "Deleting",
        "waits for them",
        { children: [execution({ ...running, isDeleting: true }), child(deleteFailed)] },
        { kind: "wait", message: "waits for its sub-objects" },
      ],
      [
        "Deleting",
        "fails when all that are left have",
        { children: [child(deleteFailed)] },
        { kind: "finish", phase: "DeleteFailed" },
      ],
      ["Deleting", "lets go when none is left", {}, { kind: "release" }],
      ["Unknown", "begins again", {}, { kind: "enter", phase: "InitDelete" }],
    ];
  it.each(rows)("%s %s", (...[phase, , observed, want]) => {
    expect(decide(observe({ isDeleting: true, status: open(phase), observed }))).toEqual(want);
  });
});
