import { describe, expect, it } from "@jest/globals";
import type { DeployItem, DeployItemStatus } from "@landscaper/api";
import { createJobRegistry, JobEndedError } from "./job-registry.ts";

function item(status: DeployItemStatus, uid = "u"): DeployItem {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "n", uid },
    spec: { type: "t" },
    status,
  };
}

const open = item({ jobID: "2", jobIDFinished: "1", phase: "Progressing" });

describe("the jobs of a process", () => {
  it("keep their memory over the passes of one job", () => {
    const jobs = createJobRegistry();
    const memory = jobs.enter(open, "2");
    memory.failures = 3;
    expect(jobs.enter(open, "2")).toBe(memory);
    expect(jobs.find(open)).toBe(memory);
    expect(jobs.find(item({ jobID: "3" }))).toBe(undefined);
  });

  it("are told apart by the item's uid", () => {
    const jobs = createJobRegistry();
    expect(jobs.enter(item({}, "other"), "2")).not.toBe(jobs.enter(open, "2"));
  });

  it("start anew with a new job, and the old one is cancelled", () => {
    const jobs = createJobRegistry();
    const memory = jobs.enter(open, "2");
    expect(jobs.enter(open, "3").failures).toBe(0);
    expect(memory.interrupted.reason).toBeInstanceOf(JobEndedError);
  });

  it.each<readonly [string, DeployItemStatus, boolean]>([
    ["ended from outside", { jobID: "2", jobIDFinished: "2", phase: "Failed" }, true],
    ["replaced by another one", { jobID: "3", jobIDFinished: "1" }, true],
    ["still open", { jobID: "2", jobIDFinished: "1", phase: "Progressing" }, false],
  ])("are cancelled when the watch shows them %s", (_name, status, isCancelled) => {
    const jobs = createJobRegistry();
    const memory = jobs.enter(open, "2");
    jobs.observe(item(status));
    expect(memory.interrupted.aborted).toBe(isCancelled);
    expect(jobs.find(open)).toBe(isCancelled ? undefined : memory);
  });

  it("are cancelled when their item is gone", () => {
    const jobs = createJobRegistry();
    const memory = jobs.enter(open, "2");
    jobs.forget(open);
    expect(memory.interrupted.aborted).toBe(true);
  });

  it("that the deployer was at and that were ended from outside can be taken once, until the next one", () => {
    const jobs = createJobRegistry();
    const ended = item({ jobID: "2", jobIDFinished: "2" });
    const lose = (work: "reconcile" | "delete" | undefined): unknown => {
      const memory = Object.assign(jobs.enter(open, "2"), { work });
      jobs.observe(ended);
      return memory;
    };
    for (const work of ["reconcile", "delete"] as const) {
      const memory = lose(work);
      expect([jobs.takeEnded(ended), jobs.takeEnded(ended)]).toEqual([memory, undefined]);
    }
    lose(undefined);
    expect(jobs.takeEnded(ended)).toBeUndefined();
    lose("delete");
    jobs.enter(open, "3");
    expect(jobs.takeEnded(ended)).toBeUndefined();
  });

  it("end without a cancel when this process ends them", () => {
    const jobs = createJobRegistry();
    const memory = jobs.enter(open, "2");
    jobs.leave(open);
    jobs.observe(item({ jobID: "2", jobIDFinished: "2" }));
    expect(memory.interrupted.aborted).toBe(false);
    expect(jobs.find(open)).toBe(undefined);
  });
});
