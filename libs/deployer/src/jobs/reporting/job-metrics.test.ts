import { describe, expect, it } from "@jest/globals";
import { createMetrics } from "@landscaper/controller-runtime";
import { createJobObserver } from "./job-metrics.ts";

const triggerTime = "2026-01-01T00:00:00Z";
const nowMs = Date.parse("2026-01-01T00:00:07Z");

async function linesAfter(...ended: readonly Parameters<ReturnType<typeof createJobObserver>>[0][]): Promise<string[]> {
  const metrics = await createMetrics();
  const observe = createJobObserver(metrics.define, { now: () => nowMs });
  for (const object of ended) observe(object);
  const { text } = await metrics.render();
  return text.split("\n").filter((line) => /^landscaper_job_\w+(?<!_bucket)\{/.test(line));
}

describe("metrics of jobs", () => {
  it("have the time since the trigger, and failures with a reason that is known", async () => {
    const transitionTimes = { triggerTime };
    const failed = (reason: string) => ({ phase: "Failed", transitionTimes, lastError: { reason } });
    expect(
      await linesAfter(
        { kind: "Installation", status: { phase: "Succeeded", transitionTimes } },
        { kind: "DeployItem", status: failed("PickupTimeout") },
        { kind: "DeployItem", status: failed("whatever somebody writes") },
        { kind: "DeployItem", status: { phase: "DeleteFailed", transitionTimes } },
      ),
    ).toEqual([
      'landscaper_job_duration_seconds_sum{kind="Installation",result="Succeeded"} 7',
      'landscaper_job_duration_seconds_count{kind="Installation",result="Succeeded"} 1',
      'landscaper_job_duration_seconds_sum{kind="DeployItem",result="Failed"} 21',
      'landscaper_job_duration_seconds_count{kind="DeployItem",result="Failed"} 3',
      'landscaper_job_failures_total{kind="DeployItem",reason="PickupTimeout"} 1',
      'landscaper_job_failures_total{kind="DeployItem",reason="other"} 2',
    ]);
  });

  it("of a job whose trigger nobody has noted have no time", async () => {
    expect(await linesAfter({ kind: "Execution", status: { phase: "Failed" } }, { kind: "Execution" })).toEqual([
      'landscaper_job_failures_total{kind="Execution",reason="other"} 1',
    ]);
  });
});
