import { describe, expect, it } from "@jest/globals";
import { LandscaperError, type AutomaticReconcile } from "@landscaper/api";
import { installationOf } from "../../test/installations.ts";
import { checkSchedules } from "./check-schedules.ts";

function check(automaticReconcile: AutomaticReconcile): LandscaperError | undefined {
  try {
    checkSchedules(installationOf({ name: "root", spec: { automaticReconcile } }));
    return undefined;
  } catch (error) {
    if (error instanceof LandscaperError) return error;
    throw error;
  }
}

describe("schedules of automaticReconcile", () => {
  it("are good, or not there", () => {
    checkSchedules(installationOf({ name: "root" }));
    expect(check({})).toBeUndefined();
    expect(check({ succeededReconcile: { cronSpec: "", interval: "24h" } })).toBeUndefined();
    expect(check({ failedReconcile: { cronSpec: "@every 1h", interval: "none" } })).toBeUndefined();
  });

  it.each([
    [
      { failedReconcile: { cronSpec: "* * *" } },
      "InvalidCronSpec",
      'spec.automaticReconcile.failedReconcile.cronSpec: not a cron specification: expected 5 fields, found 3, found "* * *"',
    ],
    [
      { succeededReconcile: { interval: "daily" } },
      "InvalidDuration",
      "spec.automaticReconcile.succeededReconcile.interval: expected a duration such as 5m30s, or none, found another text",
    ],
  ])("say what is wrong: %j", (automaticReconcile, reason, message) => {
    const error = check(automaticReconcile);
    expect({ message: error?.message, reason: error?.reason, codes: error?.codes, retry: error?.retry }).toEqual({
      message,
      reason,
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
  });
});
