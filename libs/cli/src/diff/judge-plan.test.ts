import { describe, expect, it } from "@jest/globals";
import type { DeployItem, DeployItemStatus } from "@landscaper/api";
import { findObstacle, judgePlan, type PlanProgress, type PlannedCondition } from "./judge-plan.ts";

const now = Date.parse("2026-01-01T00:10:00Z");
const early = "2026-01-01T00:05:00Z";
const late = "2026-01-01T00:09:59Z";

interface Row {
  readonly operation?: string;
  readonly metadata?: Partial<DeployItem["metadata"]>;
  readonly status?: DeployItemStatus;
  readonly planned?: PlannedCondition;
}

function itemOf({ operation, metadata, status, planned }: Row): DeployItem {
  const conditions = planned === undefined ? [] : [{ type: "Planned", ...planned }];
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: {
      name: "web",
      uid: "u",
      ...(operation === undefined ? {} : { annotations: { "landscaper.gardener.cloud/operation": operation } }),
      ...metadata,
    },
    spec: { type: "t" },
    // A condition of others may have fields of its own.
    status: { jobID: "1", jobIDFinished: "1", phase: "Succeeded", ...status, conditions: conditions as [] },
  };
}

const isTrue = { status: "True", message: "1 to create", lastUpdateTime: late };
const isFalse = { status: "False", message: "no target", lastUpdateTime: late };
const isUnknown = { status: "Unknown", message: "d-1 is making the plan", lastUpdateTime: late };
const pending: PlanProgress = { type: "pending", taken: undefined };
const failed = (message: string): PlanProgress => ({ type: "failed", message });
const withdrawn = failed("the request was taken back by somebody else");
const deleted = { deletionTimestamp: early };

describe("judgePlan", () => {
  it.each<readonly [string, Row | undefined, PlanProgress]>([
    ["nobody has taken it", { operation: "plan" }, pending],
    ["nobody has taken it, an answer of before", { operation: "plan", planned: isTrue }, pending],
    ["in work", { operation: "plan", planned: isUnknown }, { type: "pending", taken: isUnknown.message }],
    ["answered", { planned: isTrue }, { type: "planned" }],
    [
      "answered, another operation comes",
      { operation: "interrupt", planned: isTrue },
      failed('is asked for the operation "interrupt"'),
    ],
    ["answered with an error", { planned: isFalse }, failed("no target")],
    ["about to be answered", { operation: "plan", planned: isFalse }, pending],
    ["taken back", {}, withdrawn],
    ["taken back in work", { planned: isUnknown }, withdrawn],
    ["gone", undefined, failed("is gone")],
    ["another one of the name", { metadata: { uid: "v" } }, failed("is gone")],
    ["being deleted", { operation: "plan", metadata: deleted }, failed("is being deleted")],
    [
      "a job has come",
      { operation: "plan", status: { jobID: "2", phase: "Progressing" } },
      failed("has an open job (Progressing), which goes first"),
    ],
    ["a job has come and gone", { status: { jobID: "2", jobIDFinished: "2" } }, failed("has had a job meanwhile")],
  ])("%s", (_name, row, want) => {
    const item = row === undefined ? undefined : itemOf(row);
    expect(judgePlan(item, { operation: "plan", uid: "u", jobID: "1", before: undefined }, now)).toEqual(want);
  });

  it.each<readonly [string, PlannedCondition, PlannedCondition, PlanProgress]>([
    ["the same, of long ago", { ...isTrue, lastUpdateTime: early }, { ...isTrue, lastUpdateTime: early }, withdrawn],
    ["the same, of the same second perhaps", isTrue, isTrue, { type: "planned" }],
    ["another time", { ...isTrue, lastUpdateTime: early }, isTrue, { type: "planned" }],
    ["another status", isFalse, isTrue, { type: "planned" }],
  ])("with an answer before: %s", (...[_name, before, planned, want]) => {
    expect(judgePlan(itemOf({ planned }), { operation: "plan", uid: "u", jobID: "1", before }, now)).toEqual(want);
  });
});

describe("findObstacle", () => {
  it.each<readonly [Row, string | undefined]>([
    [{}, undefined],
    [{ operation: "plan" }, undefined],
    [{ status: { phase: "Failed" } }, undefined],
    [{ status: { jobID: "", jobIDFinished: "", phase: "" } }, undefined],
    [{ operation: "test-reconcile" }, 'is asked for the operation "test-reconcile"'],
    [{ metadata: deleted }, "is being deleted"],
    [{ status: { jobID: "2", phase: "" } }, "has an open job (not started), which goes first"],
  ])("%j", (row, want) => {
    expect(findObstacle(itemOf(row))).toBe(want);
  });
});
