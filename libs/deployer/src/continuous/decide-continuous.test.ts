import { describe, expect, it } from "@jest/globals";
import type { ContinuousReconcile, DeployItem, DeployItemStatus } from "@landscaper/api";
import { parseContinuousReconcile } from "./continuous-schedule.ts";
import { decideContinuous, type ContinuousDecision, type ObservedContinuous } from "./decide-continuous.ts";

const now = Date.parse("2026-01-01T12:00:00Z");
const times = (text: string): number => Date.parse(`2026-01-01T${text}Z`);

/** An item whose job ended at 11:00. */
const succeeded: DeployItemStatus = {
  jobID: "1",
  jobIDFinished: "1",
  phase: "Succeeded",
  observedGeneration: 3,
  transitionTimes: { finishedTime: "2026-01-01T11:00:00Z" },
};

function condition(status: "True" | "False" | "Unknown", time: string): NonNullable<DeployItemStatus["conditions"]> {
  const at = `2026-01-01T${time}Z`;
  const type = "ContinuousReconcile";
  return [{ type, status, reason: "r", message: "m", lastTransitionTime: at, lastUpdateTime: at }];
}

interface Row {
  readonly status?: DeployItemStatus;
  readonly metadata?: Partial<DeployItem["metadata"]>;
  /** Cron specification; "" = none. */
  readonly schedule?: string;
  readonly windows?: ContinuousReconcile["windows"];
  readonly isRunning?: boolean;
}

function decide({ status, metadata, schedule = "@every 2h", windows, isRunning = false }: Row): ContinuousDecision {
  const item: DeployItem = {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "n", uid: "u", generation: 3, ...metadata },
    spec: { type: "t" },
    status: { ...succeeded, ...status },
  };
  const observed: ObservedContinuous = {
    item,
    schedule: parseContinuousReconcile({ cron: schedule, windows: windows ?? [] }),
    isRunning,
  };
  return decideContinuous(observed, now);
}

describe("between jobs", () => {
  const muted = { annotations: { "continuousreconcile.extensions.landscaper.gardener.cloud/active": "false" } };
  const refresh = { annotations: { "landscaper.gardener.cloud/operation": "refresh" } };
  const night = { start: "0 22 * * *", duration: "4h" };
  const longAgo = { transitionTimes: { finishedTime: "2025-12-30T11:00:00Z" } };
  it.each<readonly [string, Row, ContinuousDecision["type"]]>([
    ["the time has not come", {}, "wait"],
    ["the time has come", { schedule: "@every 30m" }, "run"],
    ["by cron, since the end of the job", { schedule: "30 11 * * *" }, "run"],
    ["by cron, later", { schedule: "30 12 * * *" }, "wait"],
    ["a time that never comes", { schedule: "0 0 30 2 *" }, "off"],
    ["no schedule", { schedule: "" }, "off"],
    ["muted", { schedule: "@every 30m", metadata: muted }, "off"],
    [
      "muted by a word that is none",
      {
        schedule: "@every 30m",
        metadata: { annotations: { "continuousreconcile.extensions.landscaper.gardener.cloud/active": "no" } },
      },
      "run",
    ],
    ["a job is open", { schedule: "@every 30m", status: { jobID: "2" } }, "off"],
    ["the last job failed", { schedule: "@every 30m", status: { phase: "Failed" } }, "off"],
    ["no job yet", { schedule: "@every 30m", status: { jobID: "", jobIDFinished: "", phase: "" } }, "off"],
    ["the spec has changed since", { schedule: "@every 30m", metadata: { generation: 4 } }, "off"],
    [
      "deleted, and the job of the deletion has not come",
      { schedule: "@every 30m", metadata: { deletionTimestamp: "2026-01-01T11:59:00Z" } },
      "off",
    ],
    ["a run was made since", { schedule: "@every 30m", status: { conditions: condition("True", "11:45:00") } }, "wait"],
    ["a run failed since", { schedule: "@every 30m", status: { conditions: condition("False", "11:45:00") } }, "wait"],
    [
      "the last run is long ago",
      { schedule: "@every 30m", status: { conditions: condition("True", "11:10:00") } },
      "run",
    ],
    ["a process has left a run behind", { status: { conditions: condition("Unknown", "11:59:59") } }, "run"],
    [
      "muted, and a process has left a run behind",
      { status: { conditions: condition("Unknown", "11:59:59") }, metadata: muted },
      "off",
    ],
    ["within a window", { schedule: "@every 30m", windows: [{ start: "15 11 * * *", duration: "1h" }] }, "run"],
    [
      "a window has just closed",
      { schedule: "@every 30m", windows: [{ start: "0 11 * * *", duration: "1h" }] },
      "wait",
    ],
    ["one of two windows", { schedule: "@every 30m", windows: [night, { start: "0 9 * * *", duration: "8h" }] }, "run"],
    ["missed in a window that is closed now", { schedule: "@every 30m", windows: [night], status: longAgo }, "wait"],
    ["a refresh is wanted", { metadata: refresh }, "run"],
    ["a refresh is wanted without schedule", { schedule: "", metadata: refresh }, "run"],
    ["a refresh is wanted outside of the windows", { windows: [night], metadata: refresh }, "run"],
    [
      "a refresh is wanted although muted",
      { schedule: "", metadata: { annotations: { ...refresh.annotations, ...muted.annotations } } },
      "run",
    ],
    ["a refresh is wanted, and a job is open", { metadata: refresh, status: { jobID: "2" } }, "off"],
    ["a refresh is wanted after a job that failed", { metadata: refresh, status: { phase: "Failed" } }, "off"],
    ["a run of ours is in work", { isRunning: true }, "run"],
    ["a run of ours is in work although muted", { isRunning: true, metadata: muted }, "run"],
    ["a run of ours is in work, and a job has come", { isRunning: true, status: { jobID: "2" } }, "off"],
    ["a run of ours is in work, and the spec has changed", { isRunning: true, metadata: { generation: 4 } }, "off"],
  ])("%s", (_name, row, type) => {
    expect(decide(row).type).toBe(type);
  });

  it("what is due between windows waits for the next one, each item by its own time", () => {
    for (const status of [succeeded, longAgo]) {
      for (const uid of ["uid-1", "uid-2"]) {
        const decision = decide({ schedule: "@every 30m", windows: [night], status, metadata: { uid } });
        const delayMs = decision.type === "wait" ? decision.untilMs - times("22:00:00") : Number.NaN;
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThan(60_000);
      }
    }
  });

  it("runs are put off by up to a tenth, at most a minute, each item by its own time", () => {
    const dueOf = (uid: string): number => {
      const decision = decide({ metadata: { uid } });
      return decision.type === "wait" ? decision.untilMs - times("13:00:00") : Number.NaN;
    };
    const delays = Array.from({ length: 50 }, (_, index) => dueOf(`uid-${index}`));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...delays)).toBeLessThan(60_000);
    expect(new Set(delays).size).toBeGreaterThan(40);
    expect(dueOf("uid-1")).toBe(delays[1]);
    const short = decide({ schedule: "@every 65m", metadata: { uid: "uid-2" }, status: { conditions: [] } });
    expect(short.type).toBe("wait");
  });
});
