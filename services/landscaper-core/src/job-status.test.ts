import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import {
  addTime,
  clearError,
  enterJob,
  finishJob,
  isReadyCurrent,
  movePhase,
  omit,
  refreshReady,
  setError,
  startJob,
  type JobHolderStatus,
} from "./job-status.ts";

const now = new Date("2026-01-01T10:00:00.700Z");
const stamp = "2026-01-01T10:00:00Z";
const error = new LandscaperError({ message: "broken", reason: "Broken", operation: "Op", codes: ["ERR_TIMEOUT"] });
const lastError = {
  operation: "Op",
  reason: "Broken",
  message: "broken",
  codes: ["ERR_TIMEOUT"],
  lastTransitionTime: stamp,
  lastUpdateTime: stamp,
};

describe("the life of a job in a status", () => {
  it("starts with the ID alone: the phase stays", () => {
    const before = { phase: "Succeeded", jobID: "1", jobIDFinished: "1", transitionTimes: { finishedTime: "x" } };
    expect(startJob(before, "2", now)).toEqual({
      phase: "Succeeded",
      observedGeneration: 0,
      jobID: "2",
      jobIDFinished: "1",
      transitionTimes: { triggerTime: stamp },
    });
  });

  it("enters its first phase with the generation, and without the error of the last job", () => {
    const before: JobHolderStatus = { phase: "Failed", jobID: "2", lastError, transitionTimes: { triggerTime: "t" } };
    expect(enterJob(before, { phase: "Init", generation: 3 }, now)).toEqual({
      phase: "Init",
      jobID: "2",
      observedGeneration: 3,
      phaseTransitionTime: stamp,
      transitionTimes: { triggerTime: "t" },
    });
  });

  it("ends with phase, jobIDFinished and error at once", () => {
    expect(
      finishJob({ phase: "Progressing", jobID: "2", jobIDFinished: "1" }, { phase: "Failed", error }, now),
    ).toEqual({
      phase: "Failed",
      jobID: "2",
      jobIDFinished: "2",
      phaseTransitionTime: stamp,
      transitionTimes: { finishedTime: stamp },
      lastError,
    });
  });

  it("ends without an error that was tried again", () => {
    expect(
      finishJob<JobHolderStatus>({ phase: "Completing", jobID: "2", lastError }, { phase: "Succeeded" }, now).lastError,
    ).toBeUndefined();
  });

  it("names the phase as operation of an error that names none", () => {
    const nameless = new LandscaperError({ message: "broken", reason: "Broken" });
    const ended = finishJob<JobHolderStatus>({ phase: "Init", jobID: "2" }, { phase: "Failed", error: nameless }, now);
    expect(ended.lastError?.operation).toBe("handlePhaseInit");
  });
});

describe("single changes", () => {
  it("leave the object alone when there is nothing to change", () => {
    const status: JobHolderStatus = { phase: "Init" };
    expect(movePhase(status, "Init", now)).toBe(status);
    expect(clearError(status)).toBe(status);
  });

  it("keep what they do not concern", () => {
    expect(addTime({ transitionTimes: { initTime: "i" } }, "waitTime", now)).toEqual({
      transitionTimes: { initTime: "i", waitTime: stamp },
    });
    expect(omit({ a: 1, b: 2, c: 3 }, "a", "c")).toEqual({ b: 2 });
  });

  it("keep the time of an error that is the same", () => {
    const earlier: JobHolderStatus = { phase: "Init", lastError: { ...lastError, lastUpdateTime: "before" } };
    expect(setError(earlier, error, now).lastError).toBe(earlier.lastError);
  });
});

describe("Ready, Reconciling and Stalled", () => {
  const conditions = (status: JobHolderStatus, waiting?: string) =>
    refreshReady(status, { generation: 1, waiting }, now).conditions?.map(({ type, status: value, message }) => [
      type,
      value,
      message,
    ]);

  it("say what a running job waits for", () => {
    expect(conditions({ jobID: "2", phase: "Progressing" }, "waits for its sub-objects")).toEqual([
      ["Ready", "False", "waits for its sub-objects"],
      ["Reconciling", "True", "waits for its sub-objects"],
      ["Stalled", "False", "waits for its sub-objects"],
    ]);
  });

  it("carry the error of a failed one", () => {
    const status = { jobID: "1", jobIDFinished: "1", phase: "Failed", observedGeneration: 1, lastError };
    expect(conditions(status)).toEqual([
      ["Ready", "False", "broken"],
      ["Reconciling", "False", "broken"],
      ["Stalled", "True", "broken"],
    ]);
  });

  it("are current until phase, job or generation say otherwise", () => {
    const status = { jobID: "1", jobIDFinished: "1", phase: "Succeeded", observedGeneration: 1 };
    const fresh = refreshReady<JobHolderStatus>(status, { generation: 1 }, now);
    expect(isReadyCurrent(fresh, 1)).toBe(true);
    expect(isReadyCurrent(fresh, 2)).toBe(false);
    expect(isReadyCurrent({ ...fresh, jobID: "2" }, 1)).toBe(false);
    expect(isReadyCurrent(status, 1)).toBe(false);
    expect(refreshReady(fresh, { generation: 1 }, new Date("2026-02-01T00:00:00Z"))).toBe(fresh);
  });
});
