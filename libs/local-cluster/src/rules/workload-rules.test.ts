import { describe, expect, it } from "@jest/globals";
import { countIndexes, timeZone, validateDaemonSetUpdate } from "./workload-rules.ts";

describe("countIndexes", () => {
  it.each<[text: string, count: number | undefined]>([
    ["", 0],
    ["0", 1],
    ["0,2-4", 4],
    ["9", 1],
    ["10", undefined],
    ["0-10", undefined],
    ["2,1", undefined],
    ["1,1", undefined],
    ["3-2", undefined],
    ["1,", undefined],
    ["a", undefined],
    ["-1", undefined],
  ])("reads %j of a Job with 10 completions as %p indexes", (text, count) => {
    expect(countIndexes(text, 10)).toBe(count);
  });
});

describe("timeZone", () => {
  it.each([undefined, null, "UTC", "Europe/Berlin"])("accepts %j", (value) => {
    expect(timeZone(value, "spec.timeZone")).toEqual([]);
  });

  it.each<[value: string, detail: string]>([
    ["", "timeZone must be nil or non-empty string"],
    ["Local", "timeZone must be an explicit time zone"],
    ["Nowhere/Town", "unknown time zone Nowhere/Town"],
  ])("refuses %j", (value, detail) => {
    const [error] = timeZone(value, "spec.timeZone");
    expect(error?.field).toBe("spec.timeZone");
    expect(error?.message).toContain(detail);
  });
});

describe("validateDaemonSetUpdate", () => {
  it.each<[maxUnavailable: unknown, maxSurge: unknown, field: string | undefined]>([
    [1, 0, undefined],
    ["25%", undefined, undefined],
    [0, 1, undefined],
    [0, "25%", undefined],
    [0, 0, "at.maxUnavailable"],
    ["0%", undefined, "at.maxUnavailable"],
    ["x", "0%", "at.maxUnavailable"],
    [1, 1, "at.maxSurge"],
    ["25%", "25%", "at.maxSurge"],
  ])("of maxUnavailable %j and maxSurge %j reports the field %s", (maxUnavailable, maxSurge, field) => {
    expect(validateDaemonSetUpdate({ maxUnavailable, maxSurge }, "at")[0]?.field).toBe(field);
  });
});
