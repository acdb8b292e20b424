import { describe, expect, it } from "@jest/globals";
import { findTransition, type Observation } from "./find-transition.ts";

const state = { namespace: "n", name: "web", resourceVersion: "10", phase: "Init", jobID: "j", jobIDFinished: "" };
const version = { ...state, uid: "u", resourceVersion: "11" };
const base = { kind: "Installation", namespace: "n", name: "web", uid: "u", resourceVersion: "11", jobID: "j" };
const after = { previousPhase: "Init", previous: "10" };

describe("findTransition", () => {
  it.each<readonly [string, typeof state | undefined, Omit<Observation, "kind">, unknown]>([
    ["a new object without a job", undefined, { version: { ...version, phase: "", jobID: "" } }, undefined],
    ["the first phase", undefined, { version }, { ...base, phase: "Init" }],
    ["an unchanged status", state, { version }, undefined],
    ["another phase", state, { version: { ...version, phase: "Deleting" } }, { ...base, ...after, phase: "Deleting" }],
    ["another job", state, { version: { ...version, jobID: "k" } }, { ...base, ...after, phase: "Init", jobID: "k" }],
    [
      "the end of a job",
      state,
      { version: { ...version, jobIDFinished: "j" } },
      { ...base, ...after, phase: "Init", jobIDFinished: "j" },
    ],
    ["a repeated version", state, { version: { ...version, resourceVersion: "10", phase: "Failed" } }, undefined],
    ["an older version", state, { version: { ...version, resourceVersion: "9", phase: "Failed" } }, undefined],
    ["a deletion", state, { version, isDeleted: true }, { ...base, ...after, phase: "Deleted", deleted: true }],
    [
      "a stored phase that is called Deleted",
      state,
      { version: { ...version, phase: "Deleted" } },
      { ...base, ...after, phase: "Deleted" },
    ],
    [
      "a deletion after a stored phase that is called Deleted",
      { ...state, phase: "Deleted" },
      { version: { ...version, phase: "Deleted" }, isDeleted: true },
      { ...base, ...after, previousPhase: "Deleted", phase: "Deleted", deleted: true },
    ],
    ["an unchanged status in a list", state, { version, isListed: true }, undefined],
    [
      "a changed status in a list",
      state,
      { version: { ...version, phase: "Failed", error: { reason: "R", message: "m" } }, isListed: true },
      { ...base, ...after, phase: "Failed", error: { reason: "R", message: "m" }, gap: true },
    ],
    [
      "an older version in the list of a restored server",
      state,
      { version: { ...version, resourceVersion: "9" }, isListed: true },
      { ...base, ...after, resourceVersion: "9", phase: "Init", gap: true },
    ],
  ])("of %s", (...[, previous, observation, want]) => {
    expect(findTransition(previous, { kind: "Installation", ...observation })).toEqual(want);
  });
});
