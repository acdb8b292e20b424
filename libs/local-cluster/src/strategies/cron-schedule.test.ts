import { describe, expect, it } from "@jest/globals";
import { scheduleProblem } from "./cron-schedule.ts";

describe("scheduleProblem", () => {
  it.each([
    "* * * * *",
    "*/5 0-23/2 1,15 JAN-dec sun",
    "0 0 ? * 6",
    "@daily",
    "@every 1h30m",
    "TZ=UTC 0 0 * * *",
    "CRON_TZ=Europe/Berlin @hourly",
  ])("accepts %j", (schedule) => {
    expect(scheduleProblem(schedule)).toBeUndefined();
  });

  it.each<[schedule: string, problem: string]>([
    ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["0 0 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["0 0 * * 7", "end of range (7) above maximum (6): 7"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    ["1/2/3 * * * *", "too many slashes: 1/2/3"],
    ["x * * * *", "failed to parse int from x"],
    ["@reboot", "unrecognized descriptor: @reboot"],
    ["@every 1", "failed to parse duration @every 1: missing unit in duration"],
  ])("refuses %j", (schedule, problem) => {
    expect(scheduleProblem(schedule)).toBe(problem);
  });
});
