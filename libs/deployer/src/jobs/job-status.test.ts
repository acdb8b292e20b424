import { describe, expect, it } from "@jest/globals";
import { LandscaperError, type DeployItem, type DeployItemStatus } from "@landscaper/api";
import {
  acknowledgeStatus,
  errorStatus,
  finishStatus,
  isUntouched,
  pickUpStatus,
  progressStatus,
  rejectStatus,
} from "./job-status.ts";

const now = new Date("2026-01-01T12:00:00.700Z");
const later = new Date("2026-01-01T12:00:05Z");
const deployer = { identity: "i", name: "n", version: "v" };

function item(status?: DeployItemStatus): DeployItem {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "n", generation: 4 },
    spec: { type: "t" },
    ...(status === undefined ? {} : { status }),
  };
}

function failure(message: string, reason = "Broken"): LandscaperError {
  return new LandscaperError({ message, reason });
}

const oldError = {
  operation: "Reconcile",
  reason: "Old",
  message: "old",
  lastTransitionTime: "2026-01-01T10:00:00Z",
  lastUpdateTime: "2026-01-01T10:00:00Z",
};
const before: DeployItemStatus = {
  jobID: "2",
  jobIDFinished: "1",
  phase: "Failed",
  observedGeneration: 3,
  lastError: oldError,
  firstError: oldError,
  lastErrors: [oldError],
  transitionTimes: {
    triggerTime: "2026-01-01T11:59:00Z",
    initTime: "2026-01-01T10:00:00Z",
    finishedTime: "2026-01-01T10:00:00Z",
  },
  providerStatus: { kept: "yes" },
  exportRef: { name: "item-export", namespace: "n" },
  deployItemPhase: "Old",
};

/** Without conditions, which have tests of their own. */
function bare({ conditions: _conditions, ...status }: DeployItemStatus): DeployItemStatus {
  return status;
}

describe("the pickup", () => {
  it("says when and by whom, and forgets the errors of former jobs, in one write", () => {
    expect(bare(pickUpStatus(item(before), { now, deployer, isDeleting: false }))).toEqual({
      jobID: "2",
      jobIDFinished: "1",
      phase: "Progressing",
      observedGeneration: 4,
      lastReconcileTime: "2026-01-01T12:00:00Z",
      deployer,
      transitionTimes: { triggerTime: "2026-01-01T11:59:00Z", initTime: "2026-01-01T12:00:00Z" },
      providerStatus: { kept: "yes" },
      exportRef: { name: "item-export", namespace: "n" },
      deployItemPhase: "Old",
    });
  });

  it("of a deletion has its own phase", () => {
    expect(pickUpStatus(item(before), { now, deployer, isDeleting: true }).phase).toBe("Deleting");
  });

  it("carries what is going to be managed", () => {
    const status = pickUpStatus(item(before), { now, deployer, isDeleting: false, providerStatus: { planned: 1 } });
    expect(status.providerStatus).toEqual({ planned: 1 });
  });

  it("of a test brings its own job", () => {
    const status = pickUpStatus(item({ ...before, jobID: "1" }), { now, deployer, isDeleting: false, jobID: "test" });
    expect([status.jobID, status.jobIDFinished, status.jobIDGenerationTime]).toEqual([
      "test",
      "1",
      "2026-01-01T12:00:00Z",
    ]);
    expect(status.transitionTimes).toEqual({ triggerTime: "2026-01-01T12:00:00Z", initTime: "2026-01-01T12:00:00Z" });
  });

  it("is not ready and reconciling", () => {
    const { conditions = [] } = pickUpStatus(item(before), { now, deployer, isDeleting: false });
    expect(conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
      "Ready False Progressing",
      "Reconciling True Progressing",
      "Stalled False Progressing",
    ]);
  });
});

describe("progress", () => {
  const running = pickUpStatus(item(before), { now, deployer, isDeleting: false });

  it("says what the job waits for and is no error", () => {
    const failing = errorStatus(item(running), { now, error: failure("down"), operation: "Reconcile" });
    const status = progressStatus(item(failing), { now: later, waitingFor: "Pod n/a", providerStatus: { step: 2 } });
    expect(status.lastError).toBe(undefined);
    expect(status.providerStatus).toEqual({ step: 2 });
    expect(status.conditions?.map(({ type, status: value, message }) => [type, value, message])).toEqual([
      ["Ready", "False", "waiting for Pod n/a"],
      ["Reconciling", "True", "waiting for Pod n/a"],
      ["Stalled", "False", "waiting for Pod n/a"],
    ]);
  });

  it("changes nothing when nothing is new", () => {
    const progress = { now, waitingFor: "Pod n/a" };
    const status = progressStatus(item(running), progress);
    expect(progressStatus(item(status), { ...progress, now: later })).toEqual(status);
  });
});

describe("an error of a job that goes on", () => {
  const running = pickUpStatus(item(before), { now, deployer, isDeleting: false });
  const fail = (status: DeployItemStatus, message: string, at = now): DeployItemStatus =>
    errorStatus(item(status), { now: at, error: failure(message), operation: "Reconcile" });

  it("stands as last, first and only one", () => {
    const status = fail(running, "down");
    const error = {
      operation: "Reconcile",
      reason: "Broken",
      message: "down",
      lastTransitionTime: "2026-01-01T12:00:00Z",
      lastUpdateTime: "2026-01-01T12:00:00Z",
    };
    expect([status.lastError, status.firstError, status.lastErrors]).toEqual([error, error, [error]]);
    expect([status.phase, status.jobIDFinished]).toEqual(["Progressing", "1"]);
    expect(status.conditions?.[0]?.message).toBe("down");
  });

  it("that repeats itself changes nothing", () => {
    const status = fail(running, "down");
    expect(fail(status, "down", later)).toEqual(status);
  });

  it("is remembered: the first one for ever, of the others five", () => {
    const messages = ["1", "2", "3", "4", "5", "6", "7"];
    const status = messages.reduce((last, message) => fail(last, message), running);
    expect(status.firstError?.message).toBe("1");
    expect(status.lastErrors?.map(({ message }) => message)).toEqual(["3", "4", "5", "6", "7"]);
    expect(status.lastError?.message).toBe("7");
  });

  it("keeps what was reported before it", () => {
    const error = { now, error: failure("down"), operation: "Reconcile", providerStatus: { step: 2 } };
    expect(errorStatus(item(running), error).providerStatus).toEqual({ step: 2 });
  });
});

describe("the finish", () => {
  const running = pickUpStatus(item(before), { now, deployer, isDeleting: false });

  it("has final phase, job and times in one write, and no error", () => {
    const failing = errorStatus(item(running), { now, error: failure("down"), operation: "Reconcile" });
    const status = finishStatus(item(failing), { now: later, phase: "Succeeded", providerStatus: { step: 3 } });
    expect(bare(status)).toEqual({
      ...bare(failing),
      lastError: undefined,
      phase: "Succeeded",
      jobIDFinished: "2",
      transitionTimes: { ...running.transitionTimes, finishedTime: "2026-01-01T12:00:05Z" },
      providerStatus: { step: 3 },
    });
    expect("lastError" in status).toBe(false);
    expect(status.firstError?.message).toBe("down");
    expect(status.conditions?.map(({ type, status: value }) => `${type} ${value}`)).toEqual([
      "Ready True",
      "Reconciling False",
      "Stalled False",
    ]);
  });

  it("of a failure has the error", () => {
    const status = finishStatus(item(running), {
      now: later,
      phase: "Failed",
      failure: { error: failure("broken"), operation: "Reconcile" },
    });
    expect([status.phase, status.jobIDFinished, status.lastError?.message]).toEqual(["Failed", "2", "broken"]);
    expect(status.lastErrors?.map(({ message }) => message)).toEqual(["broken"]);
    expect(status.conditions?.map(({ type, status: value, reason }) => `${type} ${value} ${reason}`)).toEqual([
      "Ready False Broken",
      "Reconciling False Broken",
      "Stalled True Broken",
    ]);
  });

  it.each([
    ["keeps", undefined, { name: "item-export", namespace: "n" }],
    ["sets", { name: "new", namespace: "n" }, { name: "new", namespace: "n" }],
    ["removes", null, undefined],
  ])("%s the reference to the exports", (_name, exportRef, want) => {
    expect(finishStatus(item(running), { now, phase: "Succeeded", exportRef }).exportRef).toEqual(want);
  });

  it("keeps the generation of the pickup: what changed meanwhile was not deployed", () => {
    const changed = { ...item(running), metadata: { name: "item", generation: 5 } };
    const status = finishStatus(changed, { now, phase: "Succeeded" });
    expect(status.observedGeneration).toBe(4);
    expect(status.conditions?.[0]).toMatchObject({ type: "Ready", status: "False", reason: "WaitingForTrigger" });
  });
});

describe("pickup and finish in one", () => {
  it("acknowledge a job without work", () => {
    const status = acknowledgeStatus(item({ ...before, phase: "Succeeded" }), { now, deployer, isDeleting: false });
    expect(status).toMatchObject({
      phase: "Succeeded",
      jobIDFinished: "2",
      lastReconcileTime: "2026-01-01T12:00:00Z",
      observedGeneration: 4,
    });
    expect(status.lastError).toBe(undefined);
  });

  it.each([
    [false, "Failed"],
    [true, "DeleteFailed"],
  ])("reject a job before any work (deleting: %j): %s", (isDeleting, phase) => {
    const status = rejectStatus(
      item(before),
      { now, deployer, isDeleting },
      { error: failure("no"), operation: "Delete" },
    );
    expect(status).toMatchObject({ phase, jobIDFinished: "2", observedGeneration: 4, lastError: { message: "no" } });
    expect(status.lastReconcileTime).toBe("2026-01-01T12:00:00Z");
    expect(isUntouched(status)).toBe(true);
    expect(status.firstError).toEqual(status.lastError);
  });

  it("a rejected job does not forget that there was work before", () => {
    const worked = { ...before, lastReconcileTime: "2026-01-01T10:00:00Z" };
    const status = rejectStatus(
      item(worked),
      { now, deployer, isDeleting: false },
      { error: failure("no"), operation: "x" },
    );
    expect(status.lastReconcileTime).toBe("2026-01-01T12:00:00Z");
    expect(isUntouched(status)).toBe(false);
  });

  it("an item stays untouched over any number of rejected jobs, until one is picked up", () => {
    const pickUp = { now, deployer, isDeleting: false };
    const rejected = rejectStatus(item(before), pickUp, { error: failure("no"), operation: "x" });
    const again = rejectStatus(item(rejected), pickUp, { error: failure("no"), operation: "x" });
    expect(again.conditions).toContainEqual(
      expect.objectContaining({ type: "Deployed", status: "False", reason: "NothingDeployed" }),
    );
    expect(isUntouched(again)).toBe(true);
    const picked = pickUpStatus(item(again), pickUp);
    expect(isUntouched(picked)).toBe(false);
    const later = rejectStatus(item(picked), pickUp, { error: failure("no"), operation: "x" });
    expect(isUntouched(later)).toBe(false);
  });
});
