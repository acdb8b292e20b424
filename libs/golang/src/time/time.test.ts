import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { civilFromSeconds, daysInMonth, secondsFromCivil, weekdayOf, yearDayOf } from "./calendar.ts";
import { formatGoDuration, parseGoDuration } from "./go-duration.ts";
import { GoTime } from "./go-time.ts";
import { parseTime } from "./parse-time.ts";
import { findTimeZone } from "./time-zone.ts";

describe("calendar", () => {
  it("agrees with JavaScript's calendar", () => {
    fc.assert(
      fc.property(fc.integer({ min: -60_000_000_000, max: 250_000_000_000 }), (seconds) => {
        const date = new Date(seconds * 1000);
        const civil = civilFromSeconds(seconds);
        expect(civil).toEqual({
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
          hour: date.getUTCHours(),
          minute: date.getUTCMinutes(),
          second: date.getUTCSeconds(),
        });
        expect(secondsFromCivil(civil)).toBe(seconds);
        expect(weekdayOf(civil)).toBe(date.getUTCDay());
      }),
      { numRuns: 500, seed: 9 },
    );
  });

  it("carries months and days over", () => {
    const at = (month: number, day: number): string => {
      const {
        year,
        month: m,
        day: d,
      } = civilFromSeconds(secondsFromCivil({ year: 2024, month, day, hour: 0, minute: 0, second: 0 }));
      return `${year}-${m}-${d}`;
    };
    expect([at(13, 1), at(0, 1), at(2, 30), at(-11, 0), at(3, -1)]).toEqual([
      "2025-1-1",
      "2023-12-1",
      "2024-3-1",
      "2022-12-31",
      "2024-2-28",
    ]);
    expect([daysInMonth(2023, 2), daysInMonth(2024, 2), daysInMonth(2024, 12)]).toEqual([28, 29, 31]);
    expect(yearDayOf({ year: 2024, month: 12, day: 31, hour: 0, minute: 0, second: 0 })).toBe(366);
  });
});

describe("durations", () => {
  it.each<[string, bigint | string]>([
    ["0", 0n],
    ["1.5h", 5_400_000_000_000n],
    ["-1h30m", -5_400_000_000_000n],
    ["1m0.5s", 60_500_000_000n],
    [".5s", 500_000_000n],
    ["1us", 1_000n],
    ["1µs2ns", 1_002n],
    ["3ms", 3_000_000n],
    ["", 'time: invalid duration ""'],
    ["-", 'time: invalid duration "-"'],
    ["5", 'time: missing unit in duration "5"'],
    ["5x", 'time: unknown unit "x" in duration "5x"'],
    [".s", 'time: invalid duration ".s"'],
    ["9999999h", 'time: invalid duration "9999999h"'],
  ])("reads %j", (text, duration) => {
    expect(parseGoDuration(text)).toBe(duration);
  });

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), (nanos) => {
        expect(parseGoDuration(formatGoDuration(nanos))).toBe(nanos);
      }),
      { numRuns: 300, seed: 6 },
    );
  });

  it.each([
    [1n, "1ns"],
    [1_500n, "1.5µs"],
    [2_000_000n, "2ms"],
    [61_000_000_000n, "1m1s"],
    [-3_600_000_000_000n, "-1h0m0s"],
  ])("writes %d ns", (nanos, text) => {
    expect(formatGoDuration(nanos)).toBe(text);
  });
});

describe("time zones", () => {
  const winter = GoTime.fromDate(new Date("2024-01-15T12:00:00Z"));
  const summer = GoTime.fromDate(new Date("2024-07-15T12:00:00Z"));
  it.each([
    ["Europe/Berlin", "13:00 +0100 CET", "14:00 +0200 CEST"],
    ["America/New_York", "07:00 -0500 EST", "08:00 -0400 EDT"],
    ["Asia/Kolkata", "17:30 +0530 IST", "17:30 +0530 IST"],
    ["UTC", "12:00 +0000 UTC", "12:00 +0000 UTC"],
    ["Local", "12:00 +0000 UTC", "12:00 +0000 UTC"],
  ])("knows %s in winter and summer", (name, inWinter, inSummer) => {
    const zone = findTimeZone(name)!;
    const layout = "15:04 -0700 MST";
    expect([winter.in(zone).format(layout), summer.in(zone).format(layout)]).toEqual([inWinter, inSummer]);
  });

  it("knows no zone that is not there", () => {
    expect([findTimeZone("Mars/Olympus"), findTimeZone("../etc/passwd"), findTimeZone("a b")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("parseTime", () => {
  it("reads back what it formats", () => {
    const layout = "2006-01-02T15:04:05.000000000Z07:00";
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n }), (nanos) => {
        const text = new GoTime(nanos).format(layout);
        expect(parseTime(layout, text)).toEqual(new GoTime(nanos));
      }),
      { numRuns: 200, seed: 8 },
    );
  });

  it.each([
    ["2006-01-02 15:04:05 -07:00", "2021-03-04 05:06:07 -02:30", "2021-03-04 05:06:07 -0230 -0230"],
    ["Mon, 02 Jan 2006 15:04:05 MST", "Thu, 04 Mar 2021 05:06:07 CET", "2021-03-04 05:06:07 +0000 CET"],
    ["Monday January _2 3PM 06", "thursday MARCH  4 11PM 69", "1969-03-04 23:00:00 +0000 UTC"],
    ["2006 002", "2024 060", "2024-02-29 00:00:00 +0000 UTC"],
    ["3:04pm", "12:05am", "0000-01-01 00:05:00 +0000 UTC"],
    ["2006-01-02T15:04:05Z0700", "2021-03-04T05:06:07Z", "2021-03-04 05:06:07 +0000 UTC"],
    ["15:04:05.000", "01:02:03.456", "0000-01-01 01:02:03.456 +0000 UTC"],
    ["15:04:05,999", "01:02:03,5", "0000-01-01 01:02:03.5 +0000 UTC"],
  ])("reads by the layout %j", (layout, text, shown) => {
    const time = parseTime(layout, text);
    expect(typeof time === "string" ? time : time.text()).toBe(shown);
  });

  it.each([
    ["2006-01-02", "2021-02-30", 'parsing time "2021-02-30": day out of range'],
    ["15:04", "12:75", 'parsing time "12:75": minute out of range'],
    ["2006", "20x1", 'parsing time "20x1" as "2006": cannot parse "20x1" as "2006"'],
    ["2006 002", "2023 366", 'parsing time "2023 366": day out of range'],
    ["January", "Foo", 'parsing time "Foo" as "January": cannot parse "Foo" as "January"'],
  ])("refuses by the layout %j the text %j", (layout, text, message) => {
    expect(parseTime(layout, text)).toBe(message);
  });
});
