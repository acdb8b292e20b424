import { describe, expect, it } from "@jest/globals";
import { readyConditions, setCondition, type ConditionUpdate, type ReadyOptions } from "./conditions.ts";
import type { Condition } from "../schema/schema-fields.ts";

const now = new Date("2026-01-02T03:04:05Z");
const later = new Date("2026-01-02T04:00:00Z");
const update: ConditionUpdate = { type: "CreateImports", status: "False", reason: "ImportNotFound", message: "m" };

describe("setCondition", () => {
  it("adds a condition with both times", () => {
    expect(setCondition(undefined, { ...update, codes: ["ERR_TIMEOUT"], observedGeneration: 3 }, now)).toEqual([
      {
        type: "CreateImports",
        status: "False",
        reason: "ImportNotFound",
        message: "m",
        codes: ["ERR_TIMEOUT"],
        observedGeneration: 3,
        lastTransitionTime: "2026-01-02T03:04:05Z",
        lastUpdateTime: "2026-01-02T03:04:05Z",
      },
    ]);
  });

  it("leaves out codes when there are none", () => {
    const [condition] = setCondition([], { ...update, codes: [] }, now);
    expect(Object.keys(condition ?? {})).not.toContain("codes");
  });

  it("moves both times with the status", () => {
    const list = setCondition([], update, now);
    expect(setCondition(list, { ...update, status: "True" }, later)).toEqual([
      {
        ...list[0],
        status: "True",
        lastTransitionTime: "2026-01-02T04:00:00Z",
        lastUpdateTime: "2026-01-02T04:00:00Z",
      },
    ]);
  });

  it.each<Partial<ConditionUpdate>>([
    { reason: "Other" },
    { message: "other" },
    { codes: ["ERR_TIMEOUT"] },
    { observedGeneration: 2 },
  ])("moves only the update time with %p", (change) => {
    const list = setCondition([], update, now);
    expect(setCondition(list, { ...update, ...change }, later)[0]).toMatchObject({
      ...change,
      lastTransitionTime: "2026-01-02T03:04:05Z",
      lastUpdateTime: "2026-01-02T04:00:00Z",
    });
  });

  it("gives the list itself when nothing changes, so that nothing is written", () => {
    const list = setCondition([], { ...update, message: "x".repeat(10_000) }, now);
    expect(setCondition(list, { ...update, message: "x".repeat(10_000) }, later)).toBe(list);
  });

  it("keeps the other conditions and their order", () => {
    const other = (type: string): Condition => ({
      type,
      status: "True",
      reason: "R",
      message: "",
      lastTransitionTime: "2025-01-01T00:00:00Z",
      lastUpdateTime: "2025-01-01T00:00:00Z",
    });
    const list = [other("A"), other("CreateImports"), other("B")];
    const result = setCondition(list, update, now);
    expect(result.map(({ type, status }) => [type, status])).toEqual([
      ["A", "True"],
      ["CreateImports", "False"],
      ["B", "True"],
    ]);
    expect(list[1]?.status).toBe("True");
  });
});

const lastError = {
  operation: "init",
  reason: "ImportsSatisfied",
  message: 'import "a": DataObject "x" not found',
  lastTransitionTime: "2026-01-02T03:04:05Z",
  lastUpdateTime: "2026-01-02T03:04:05Z",
};

describe("readyConditions", () => {
  const done = { jobID: "a", jobIDFinished: "a", observedGeneration: 2 };
  const waiting = "no job has run for the current generation";

  it.each<[string, ReadyOptions, { statuses: readonly string[]; reason: string; message: string }]>([
    [
      "the last job succeeded",
      { status: { ...done, phase: "Succeeded" }, generation: 2 },
      {
        statuses: ["True", "False", "False"],
        reason: "Succeeded",
        message: "the last job succeeded for the current generation",
      },
    ],
    [
      "the last job failed",
      { status: { ...done, phase: "Failed", lastError }, generation: 2 },
      {
        statuses: ["False", "False", "True"],
        reason: "ImportMissing",
        message: 'import "a": DataObject "x" not found',
      },
    ],
    [
      "the last deletion failed",
      { status: { ...done, phase: "DeleteFailed" }, generation: 2 },
      { statuses: ["False", "False", "True"], reason: "Failed", message: "the last job failed" },
    ],
    [
      "a job runs",
      { status: { ...done, jobID: "b", phase: "Progressing", lastError }, generation: 2 },
      { statuses: ["False", "True", "False"], reason: "Progressing", message: "a job is running" },
    ],
    [
      "a job was triggered that nobody works on yet",
      { status: { jobID: "a" }, generation: 1 },
      { statuses: ["False", "True", "False"], reason: "Triggered", message: "a job is running" },
    ],
    [
      "the spec changed after the last job",
      { status: { ...done, phase: "Succeeded" }, generation: 3 },
      { statuses: ["False", "False", "False"], reason: "WaitingForTrigger", message: waiting },
    ],
    [
      "the spec changed after the last job failed",
      { status: { ...done, phase: "Failed", lastError }, generation: 3 },
      { statuses: ["False", "False", "False"], reason: "WaitingForTrigger", message: waiting },
    ],
    [
      "no job ever ran",
      { status: {}, generation: 1 },
      { statuses: ["False", "False", "False"], reason: "WaitingForTrigger", message: waiting },
    ],
  ])("says of an object of which %s", (_, options, { statuses, reason, message }) => {
    expect(readyConditions(options)).toEqual(
      ["Ready", "Reconciling", "Stalled"].map((type, index) => ({
        type,
        status: statuses[index],
        reason,
        message,
        observedGeneration: options.generation,
      })),
    );
  });
});
