import { describe, expect, it } from "@jest/globals";
import { ended, installation, open, type InstallationState } from "../../test/objects.ts";
import { judgeJob, type AwaitedJob, type JobState } from "./judge-job.ts";

const uid = "uid--app";
const next: AwaitedJob = { uid, which: "new", jobID: "j1" };
const running: AwaitedJob = { uid, which: "running", jobID: "j1" };

describe("judgeJob", () => {
  it.each<[string, Partial<InstallationState>, AwaitedJob, JobState]>([
    ["nobody has begun", { status: ended("Succeeded") }, next, "running"],
    [
      "the new job has ended, and the next one was asked for",
      { annotations: { "landscaper.gardener.cloud/operation": "reconcile" }, status: ended("Failed", "j2") },
      next,
      "failed",
    ],
    ["the new job is open", { status: open("Progressing") }, next, "running"],
    ["the new job has succeeded", { status: ended("Succeeded", "j2") }, next, "succeeded"],
    ["the new job has failed", { status: ended("Failed", "j2") }, next, "failed"],
    ["the deletion has failed", { status: ended("DeleteFailed", "j2") }, next, "failed"],
    ["there was no job before", {}, { ...next, jobID: undefined }, "running"],
    ["the running job is open", { status: open("Progressing") }, running, "running"],
    ["the running job has ended", { status: ended("Failed") }, running, "failed"],
    ["another object has the name", { status: ended("Succeeded", "j2") }, { ...next, uid: "old" }, "gone"],
  ])("%s", (...[_name, state, job, expected]) => {
    expect(judgeJob(installation({ name: "app", ...state }), job)).toBe(expected);
  });

  it("knows what is gone", () => expect(judgeJob(undefined, next)).toBe("gone"));
});
