import { describe, expect, it } from "@jest/globals";
import type { InstallationStatus } from "@landscaper/api";
import { installationOf } from "../../test/installations.ts";
import { decideOnChange, type ChangeDecision, type ChangeObservation } from "./decide-on-change.ts";

interface Given {
  readonly generation?: number;
  readonly isDeleting?: boolean;
  readonly status?: InstallationStatus;
  /** Undefined: changes do not start jobs. */
  readonly change?: Partial<ChangeObservation> | undefined;
}

function decide(given: Given): ChangeDecision {
  const { generation = 1, isDeleting = false, status = succeeded } = given;
  const installation = installationOf({ name: "root", generation, isDeleting });
  const idle: ChangeObservation = {
    waitMs: 0,
    isUpstreamBusy: false,
    isGateOpen: true,
    hasEditedSubobjects: false,
    importsHash: "same",
  };
  const change = "change" in given && given.change === undefined ? undefined : { ...idle, ...given.change };
  return decideOnChange({ installation, status, change });
}

const succeeded: InstallationStatus = {
  phase: "Succeeded",
  jobID: "1",
  jobIDFinished: "1",
  observedGeneration: 1,
  importsHash: "same",
};
const failed: InstallationStatus = { ...succeeded, phase: "Failed" };
const none: ChangeDecision = { kind: "none" };
const start = (importsHash = "same"): ChangeDecision => ({ kind: "start", importsHash });

describe("reconcile-policy on-change", () => {
  const rows: readonly (readonly [string, Given, ChangeDecision])[] = [
    ["is no matter of others", { change: undefined, generation: 2 }, none],
    ["ends with the deletion", { isDeleting: true, generation: 2 }, none],
    ["listens while more may come", { change: { waitMs: 5, importsHash: undefined } }, { kind: "listen", waitMs: 5 }],
    ["reads the imports when that is over", { change: { waitMs: 0, importsHash: undefined } }, { kind: "read" }],
    [
      "reads nothing while an exporter works",
      { change: { importsHash: undefined, isUpstreamBusy: true }, generation: 2 },
      none,
    ],
    [
      "starts nothing when an exporter has begun since",
      { change: { importsHash: "other", isUpstreamBusy: true } },
      none,
    ],
    [
      "acts on what it has read although more has come",
      { change: { waitMs: 5, importsHash: "other" } },
      start("other"),
    ],
    ["rests without a change", {}, none],
    ["starts with another spec", { generation: 2 }, start()],
    ["starts what never ran", { status: {} }, start()],
    [
      "starts with another spec also when that can only fail, to say why",
      { generation: 2, change: { isGateOpen: false } },
      start(),
    ],
    ["starts with other imports", { change: { importsHash: "other" } }, start("other")],
    ["starts with other imports after failure", { status: failed, change: { importsHash: "other" } }, start("other")],
    [
      "does not start with other imports when a predecessor has failed",
      { change: { importsHash: "other", isGateOpen: false } },
      none,
    ],
    ["starts when a sub-object was edited", { change: { hasEditedSubobjects: true } }, start()],
    [
      "does not go on starting when the job that should repair it has failed",
      { status: failed, change: { hasEditedSubobjects: true } },
      none,
    ],
    ["does not start again after failure without a change", { status: failed }, none],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(given)).toEqual(want));
});
