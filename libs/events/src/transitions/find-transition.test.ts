import { describe, expect, it } from "@jest/globals";
import { findTransition, type Observation } from "./find-transition.ts";

const state = { namespace: "n", name: "web", resourceVersion: "10", phase: "Init", jobID: "j", jobIDFinished: "" };
const version = { ...state, uid: "u", resourceVersion: "11" };
const base = { kind: "Installation", namespace: "n", name: "web", uid: "u", resourceVersion: "11", jobID: "j" };
const after = { previousPhase: "Init", previous: "10" };

describe("findTransition", () => {
  it.each<readonly [string, typeof state | undefined, Omit<Observation, "kind">, unknown]>([
    [
      "finds nothing in a new object without a phase and a job",
      undefined,
      { version: { ...version, phase: "", jobID: "" } },
      undefined,
    ],
    ["finds the first phase", undefined, { version }, { ...base, phase: "Init" }],
    ["finds nothing in an unchanged status", state, { version }, undefined],
    [
      "finds another phase",
      state,
      { version: { ...version, phase: "Deleting" } },
      { ...base, ...after, phase: "Deleting" },
    ],
    [
      "finds another job",
      state,
      { version: { ...version, jobID: "k" } },
      { ...base, ...after, phase: "Init", jobID: "k" },
    ],
    [
      "finds the end of a job",
      state,
      { version: { ...version, jobIDFinished: "j" } },
      { ...base, ...after, phase: "Init", jobIDFinished: "j" },
    ],
    [
      "ignores a repeated version",
      state,
      { version: { ...version, resourceVersion: "10", phase: "Failed" } },
      undefined,
    ],
    [
      "ignores an older version of a watch",
      state,
      { version: { ...version, resourceVersion: "9", phase: "Failed" } },
      undefined,
    ],
    ["finds a deletion", state, { version, isDeleted: true }, { ...base, ...after, phase: "Deleted", deleted: true }],
    [
      "tells a stored phase called Deleted from a deletion",
      state,
      { version: { ...version, phase: "Deleted" } },
      { ...base, ...after, phase: "Deleted" },
    ],
    [
      "finds a deletion after a stored phase called Deleted",
      { ...state, phase: "Deleted" },
      { version: { ...version, phase: "Deleted" }, isDeleted: true },
      { ...base, ...after, previousPhase: "Deleted", phase: "Deleted", deleted: true },
    ],
    ["finds nothing in an unchanged status of a list", state, { version, isListed: true }, undefined],
    [
      "marks a changed status of a list as a gap",
      state,
      { version: { ...version, phase: "Failed", error: { reason: "R", message: "m" } }, isListed: true },
      { ...base, ...after, phase: "Failed", error: { reason: "R", message: "m" }, gap: true },
    ],
    [
      "marks an older version in the list of a restored server as a gap",
      state,
      { version: { ...version, resourceVersion: "9" }, isListed: true },
      { ...base, ...after, resourceVersion: "9", phase: "Init", gap: true },
    ],
  ])("%s", (...[, previous, observation, want]) => {
    expect(findTransition(previous, { kind: "Installation", ...observation })).toEqual(want);
  });
});
