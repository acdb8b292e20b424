import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import type { JobHolderStatus } from "../job-status.ts";
import { addStepSuccess, conditionOfFailure, dropImportFailures } from "./step-conditions.ts";

const now = new Date("2026-01-01T00:00:00Z");

describe("conditions of the steps of a job (core.md §2.9)", () => {
  it.each([
    ["Init", "SchemaValidationFailed", ["ValidateImports", "ImportValidationFailed"]],
    ["Init", "ImportTypeMismatch", ["ValidateImports", "ImportValidationFailed"]],
    ["Progressing", "CreateOrUpdateImports", ["CreateImports", "CreateDataObjects"]],
    ["Init", "EnsureSubinstallations", ["EnsureSubInstallations", "InstallationCreatingFailed"]],
    ["Init", "TemplatingFailed", ["ReconcileExecution", "TemplatingFailed"]],
    ["Completing", "TemplatingFailed", ["CreateExports", "CreateDataObjects"]],
    ["Completing", "CreateOrUpdateExports", ["CreateExports", "CreateDataObjects"]],
    ["Init", "ImportsSatisfied", undefined],
    ["Progressing", "JobIDFinished", undefined],
  ])("%s failed with %s: %j", (phase, reason, want) => {
    const condition = conditionOfFailure(phase, new LandscaperError({ message: "m", reason }));
    expect(condition).toEqual(
      want === undefined ? undefined : { type: want[0], status: "False", reason: want[1], message: "m" },
    );
  });

  it("say what succeeded", () => {
    const { conditions } = addStepSuccess<JobHolderStatus>({}, ["EnsureSubInstallations", "CreateExports"], now);
    expect(conditions?.map(({ type, status, reason }) => [type, status, reason])).toEqual([
      ["EnsureSubInstallations", "True", "InstallationsInstalled"],
      ["CreateExports", "True", "DataObjectsCreated"],
    ]);
  });

  it("of imports are gone when a job begins", () => {
    const time = { lastTransitionTime: "", lastUpdateTime: "", message: "", reason: "", status: "False" };
    const others = [{ ...time, type: "Ready" }];
    const failures = ["ValidateImports", "CreateImports"].map((type) => ({ ...time, type }));
    expect(dropImportFailures({ conditions: [...others, ...failures] })).toEqual({ conditions: others });
    const without = { conditions: others };
    expect(dropImportFailures(without)).toBe(without);
  });
});
