import { describe, expect, it } from "@jest/globals";
import { LandscaperError, type ContinuousReconcile, type DeployItem } from "@landscaper/api";
import { createContinuousSchedules, nextRunMs, parseContinuousReconcile } from "./continuous-schedule.ts";
import type { Deployer } from "../deployer-interface.ts";

const start = new Date("2026-01-01T12:00:00Z");

describe("continuousReconcile", () => {
  it.each<readonly [string, ContinuousReconcile, string]>([
    ["every", { every: "90m" }, "2026-01-01T13:30:00.000Z"],
    ["every, shorter than a second", { every: "1ms" }, "2026-01-01T12:00:01.000Z"],
    ["cron", { cron: "15 3 * * *" }, "2026-01-02T03:15:00.000Z"],
    ["a descriptor", { cron: "@hourly" }, "2026-01-01T13:00:00.000Z"],
    ["hours of cron", { cron: "*/20 9-16 * * MON-FRI" }, "2026-01-01T12:20:00.000Z"],
    [
      "a window that is open",
      { every: "1h", windows: [{ start: "0 8 * * *", duration: "10h" }] },
      "2026-01-01T13:00:00.000Z",
    ],
    [
      "a window that opens later",
      { every: "1h", windows: [{ start: "0 22 * * *", duration: "2h" }] },
      "2026-01-01T22:00:00.000Z",
    ],
    [
      "a window over midnight",
      { cron: "0 1 * * *", windows: [{ start: "0 22 * * *", duration: "4h" }] },
      "2026-01-02T01:00:00.000Z",
    ],
    [
      "a window that closes when it is due",
      { every: "1h", windows: [{ start: "0 12 * * *", duration: "1h" }] },
      "2026-01-02T12:00:00.000Z",
    ],
    [
      "a window of a time zone",
      { every: "1h", windows: [{ start: "TZ=Asia/Tokyo 0 0 * * *", duration: "1h" }] },
      "2026-01-01T15:00:00.000Z",
    ],
    [
      "windows that take turns",
      {
        every: "1h",
        windows: [
          { start: "0 8 * * *", duration: "1h" },
          { start: "0 18 * * *", duration: "1h" },
        ],
      },
      "2026-01-01T18:00:00.000Z",
    ],
  ])("%s has times", (_name, continuous, expected) => {
    expect(parseContinuousReconcile(continuous)?.next(start)?.toISOString()).toBe(expected);
  });

  it.each([undefined, {}, { cron: "" }, { every: "", cron: "" }])("%j is no schedule", (continuous) => {
    expect(parseContinuousReconcile(continuous)).toBe(undefined);
  });

  it.each<readonly [ContinuousReconcile, string]>([
    [{ cron: "@hourly", every: "1h" }, "spec.config.continuousReconcile: expected either cron or every, found both"],
    [
      { cron: "61 * * * *" },
      "spec.config.continuousReconcile.cron: not a cron specification: minute: expected 0 to 59",
    ],
    [
      { every: "1h", windows: [{ start: "0 8 * *", duration: "1h" }] },
      "spec.config.continuousReconcile.windows[0].start: not a cron specification: expected 5 fields, found 4",
    ],
    [
      { every: "1h", windows: [{ start: "0 8 * * *", duration: "0s" }] },
      'spec.config.continuousReconcile.windows[0].duration: expected a duration above 0, found "0s"',
    ],
    [
      { every: "soon" },
      "spec.config.continuousReconcile.every: expected a duration such as 5m30s, or none, found another text",
    ],
    [{ every: "0s" }, 'spec.config.continuousReconcile.every: expected a duration above 0, found "0s"'],
    [{ every: "none" }, 'spec.config.continuousReconcile.every: expected a duration above 0, found "none"'],
    [{ every: "-1h" }, 'spec.config.continuousReconcile.every: expected a duration above 0, found "-1h"'],
  ])("%j says nothing", (continuous, message) => {
    expect(() => parseContinuousReconcile(continuous)).toThrow(message);
    expect(() => parseContinuousReconcile(continuous)).toThrow(LandscaperError);
  });

  it("is put off by no more than a tenth of the pause", () => {
    const schedule = parseContinuousReconcile({ every: "10s" });
    if (schedule === undefined) throw new Error("no schedule");
    for (let index = 0; index < 50; index++) {
      const due = nextRunMs(schedule, start.getTime(), `uid-${index}`) ?? 0;
      expect(due - start.getTime()).toBeGreaterThanOrEqual(10_000);
      expect(due - start.getTime()).toBeLessThan(11_000);
    }
  });
});

describe("the schedules of a deployer", () => {
  const item = (generation: number, config: object): DeployItem => ({
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "n", uid: "u", generation },
    spec: { type: "t", config: config as NonNullable<DeployItem["spec"]["config"]> },
  });

  it("are read once per generation", () => {
    let reads = 0;
    const deployer: Deployer<ContinuousReconcile> = {
      type: "t",
      name: "n",
      version: "v",
      parseConfig: (value) => {
        reads++;
        return value as ContinuousReconcile;
      },
      reconcile: () => Promise.resolve({ type: "succeeded" }),
      delete: () => Promise.resolve("done"),
      continuousReconcile: (config) => config,
    };
    const told: string[] = [];
    const onUnreadable = ({ metadata }: DeployItem, error: unknown): void =>
      void told.push(`${metadata.generation}: ${error instanceof Error ? error.message : ""}`);
    const schedules = createContinuousSchedules(deployer, { onUnreadable });
    expect(
      schedules
        .of(item(1, { every: "1h" }))
        ?.next(start)
        ?.toISOString(),
    ).toBe("2026-01-01T13:00:00.000Z");
    expect(schedules.of(item(1, { every: "1h" }))).toBeDefined();
    expect(reads).toBe(1);
    const unreadable = { ...item(2, { every: "nonsense" }), status: { phase: "Succeeded" } } as const;
    expect([schedules.of(unreadable), schedules.of(unreadable)]).toEqual([undefined, undefined]);
    expect(told).toEqual([expect.stringContaining("2: spec.config.continuousReconcile.every: ")]);
    expect(schedules.of(item(3, {}))).toBe(undefined);
    expect(reads).toBe(3);
    schedules.forget(item(3, {}));
    schedules.of(item(3, {}));
    expect(reads).toBe(4);
  });
});
