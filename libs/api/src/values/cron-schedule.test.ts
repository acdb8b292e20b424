import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { parseCronSpec } from "./cron-schedule.ts";

/** A Saturday. */
const from = "2026-01-31T22:30:15Z";

function nextRuns(spec: string, count: number, start = from): string[] {
  const schedule = parseCronSpec(spec);
  const runs: string[] = [];
  let last = new Date(start);
  while (runs.length < count) {
    const next = schedule.next(last);
    if (next === undefined) break;
    runs.push(next.toISOString().replace(":00.000Z", "Z"));
    last = next;
  }
  return runs;
}

describe("parseCronSpec", () => {
  it.each([
    ["0 * * * *", ["2026-01-31T23:00Z", "2026-02-01T00:00Z"]],
    [" 0  *\t* * * ", ["2026-01-31T23:00Z", "2026-02-01T00:00Z"]],
    ["@hourly", ["2026-01-31T23:00Z", "2026-02-01T00:00Z"]],
    ["@daily", ["2026-02-01T00:00Z", "2026-02-02T00:00Z"]],
    ["@midnight", ["2026-02-01T00:00Z", "2026-02-02T00:00Z"]],
    ["@weekly", ["2026-02-01T00:00Z", "2026-02-08T00:00Z"]],
    ["@monthly", ["2026-02-01T00:00Z", "2026-03-01T00:00Z"]],
    ["@yearly", ["2027-01-01T00:00Z", "2028-01-01T00:00Z"]],
    ["@annually", ["2027-01-01T00:00Z", "2028-01-01T00:00Z"]],
    ["*/15 8-9 * * MON-FRI", ["2026-02-02T08:00Z", "2026-02-02T08:15Z"]],
    ["5/20 * * * *", ["2026-01-31T22:45Z", "2026-01-31T23:05Z"]],
    ["10-30/10 23 * * ?", ["2026-01-31T23:10Z", "2026-01-31T23:20Z", "2026-01-31T23:30Z", "2026-02-01T23:10Z"]],
    ["0 0 1,15 feb,Mar *", ["2026-02-01T00:00Z", "2026-02-15T00:00Z", "2026-03-01T00:00Z"]],
    ["*/100 * * * *", ["2026-01-31T23:00Z", "2026-02-01T00:00Z"]],
    ["0 0 29 2 *", ["2028-02-29T00:00Z", "2032-02-29T00:00Z"]],
    ["TZ=Europe/Berlin 0 3 * * *", ["2026-02-01T02:00Z", "2026-02-02T02:00Z"]],
    ["CRON_TZ=America/New_York @daily", ["2026-02-01T05:00Z", "2026-02-02T05:00Z"]],
    ["TZ=UTC 0 3 * * *", ["2026-02-01T03:00Z"]],
    ["TZ= 0 3 * * *", ["2026-02-01T03:00Z"]],
  ])("reads %p", (spec, want) => {
    expect(nextRuns(spec, want.length)).toEqual(want);
  });

  it("lets either day suffice when both are restricted, and the restricted one count when the other is not", () => {
    expect(nextRuns("0 0 13 * FRI", 2)).toEqual(["2026-02-06T00:00Z", "2026-02-13T00:00Z"]);
    expect(nextRuns("0 0 13 * *", 1)).toEqual(["2026-02-13T00:00Z"]);
    expect(nextRuns("0 0 * * 5", 1)).toEqual(["2026-02-06T00:00Z"]);
  });

  it.each([
    ["@every 1h30m", "2026-02-01T00:00:15.000Z"],
    ["@every 90s", "2026-01-31T22:31:45.000Z"],
    ["@every 1500ms", "2026-01-31T22:30:16.000Z"],
    ["@every 0s", "2026-01-31T22:30:16.000Z"],
    ["TZ=Asia/Tokyo @every 1h", "2026-01-31T23:30:15.000Z"],
  ])("counts %p in whole seconds from the last time, at least one", (spec, want) => {
    expect(parseCronSpec(spec).next(new Date("2026-01-31T22:30:15.400Z"))?.toISOString()).toBe(want);
  });

  it("keeps the hour of its zone when the clocks change", () => {
    const start = "2026-03-28T12:00:00Z";
    expect(nextRuns("TZ=Europe/Berlin 0 3 * * *", 2, start)).toEqual(["2026-03-29T01:00Z", "2026-03-30T01:00Z"]);
    expect(nextRuns("TZ=Europe/Berlin 30 2 * * *", 1, "2026-10-24T12:00:00Z")).toEqual(["2026-10-25T00:30Z"]);
  });

  it("has no next time when no such day exists", () => {
    expect(parseCronSpec("0 0 30 2 *").next(new Date(from))).toBeUndefined();
  });

  const minutes = "minute: expected 0 to 59, A-B, * or a step such as */5";
  it.each([
    ["", "expected 5 fields, found 1"],
    ["0 0 * * * *", "expected 5 fields, found 6"],
    ["* * * *", "expected 5 fields, found 4"],
    ["60 * * * *", minutes],
    ["-1 * * * *", minutes],
    ["a * * * *", minutes],
    ["1,,2 * * * *", minutes],
    ["10-5 * * * *", minutes],
    ["1-2-3 * * * *", minutes],
    ["*/0 * * * *", minutes],
    ["1e1 * * * *", minutes],
    ["* 24 * * *", "hour: expected 0 to 23, A-B, * or a step such as */5"],
    ["* * 0 * *", "day of month: expected 1 to 31, A-B, * or a step such as */5"],
    ["* * L * *", "day of month: expected 1 to 31, A-B, * or a step such as */5"],
    ["* * 15W * *", "day of month: expected 1 to 31, A-B, * or a step such as */5"],
    ["* * * 13 *", "month: expected 1 to 12 or jan to dec, A-B, * or a step such as */5"],
    ["* * * january *", "month: expected 1 to 12 or jan to dec, A-B, * or a step such as */5"],
    ["* * * * 7", "day of week: expected 0 to 6 or sun to sat, A-B, * or a step such as */5"],
    ["* * * * FRI#2", "day of week: expected 0 to 6 or sun to sat, A-B, * or a step such as */5"],
    [
      "@every",
      'expected one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly or "@every DURATION"',
    ],
    [
      "@Hourly",
      'expected one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly or "@every DURATION"',
    ],
    ["@every soon", 'expected a Go duration after "@every"'],
    ["TZ=Mars/Base 0 * * * *", 'expected the name of a time zone after "TZ="'],
    ["TZ=UTC", "expected 5 fields, found 1"],
  ])("refuses %p", (spec, problem) => {
    expect(() => parseCronSpec(spec)).toThrow(`not a cron specification: ${problem}, found "${spec}"`);
  });

  it("takes any text or says what is wrong with it, and every time it gives is later", () => {
    const piece = fc.constantFrom(
      "*",
      "?",
      "5",
      "0-3",
      "*/7",
      "2/9",
      "MON",
      "jan",
      "1,2",
      "31",
      "@daily",
      "TZ=UTC",
      "x",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 7 }),
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2090-01-01") }),
        (parts, after) => {
          let schedule;
          try {
            schedule = parseCronSpec(parts.join(" "));
          } catch (error) {
            expect(String(error)).toContain("not a cron specification");
            return;
          }
          const next = schedule.next(after);
          if (next !== undefined) expect(next.getTime()).toBeGreaterThan(after.getTime());
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });
});
