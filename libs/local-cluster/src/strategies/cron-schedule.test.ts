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
    "@every -1h",
    "1,,2 , * +1 *",
    "*-5 *-x */+2 jan-dec/2 ?/2",
    "*\u00A0*\u2003* *\u0085*",
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
    ["x * * * *", 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ["-5 * * * *", 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ["1-*/2 * * * *", 'failed to parse int from *: strconv.Atoi: parsing "*": invalid syntax'],
    ["*/ * * * *", 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ["*/-2 * * * *", "negative number (-2) not allowed: -2"],
    ["70/0 * * * *", "beginning of range (70) beyond end of range (59): 70/0"],
    ["1-2-3/0/9 * * * *", "too many hyphens: 1-2-3/0/9"],
    ["70,x * * * *", "end of range (70) above maximum (59): 70"],
    [
      "9999999999999999999 * * * *",
      'failed to parse int from 9999999999999999999: strconv.Atoi: parsing "9999999999999999999": value out of range',
    ],
    [
      "*/99999999999999999999 * * * *",
      'failed to parse int from 99999999999999999999: strconv.Atoi: parsing "99999999999999999999": value out of range',
    ],
    ["@reboot", "unrecognized descriptor: @reboot"],
    ["@hourly ", "unrecognized descriptor: @hourly "],
    ["@everything", "unrecognized descriptor: @everything"],
    [" @hourly", "expected exactly 5 fields, found 1: [@hourly]"],
    ["@every 1", 'failed to parse duration @every 1: time: missing unit in duration "1"'],
    ["@every 1d", 'failed to parse duration @every 1d: time: unknown unit "d" in duration "1d"'],
    ["@every ", 'failed to parse duration @every : time: invalid duration ""'],
  ])("refuses %j", (schedule, problem) => {
    expect(scheduleProblem(schedule)).toBe(problem);
  });

  // The size of a request bounds a schedule to 3 MiB, as on the real server.
  it("reads schedules of a megabyte", () => {
    const zeros = "00h".repeat(350_000);
    expect(scheduleProblem(`@every ${zeros}`)).toBeUndefined();
    expect(scheduleProblem(`@every ${zeros}x`)).toMatch(/^failed to parse duration @every 00h/);
    expect(scheduleProblem(`${"1,".repeat(500_000)}1 * * * *`)).toBeUndefined();
    expect(scheduleProblem(`${"9".repeat(1_000_000)} * * * *`)).toMatch(/: value out of range$/);
    expect(scheduleProblem(`${" ".repeat(1_000_000)}x`)).toBe("expected exactly 5 fields, found 1: [x]");
  });
});
