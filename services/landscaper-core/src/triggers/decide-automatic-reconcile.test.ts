import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  parseCronSpec,
  parseDuration,
  setWarnings,
  type AutomaticReconcile,
  type InstallationStatus,
} from "@landscaper/api";
import { installationOf } from "../../test/installations.ts";
import { decideAutomaticReconcile, type AutomaticDecision } from "./decide-automatic-reconcile.ts";

const now = "2026-03-01T12:00:00Z";
const ms = (time: string): number => Date.parse(time);

interface Given {
  readonly spec?: AutomaticReconcile;
  readonly phase?: string;
  readonly last?: InstallationStatus["automaticReconcileStatus"];
  readonly annotations?: Record<string, string>;
  readonly generation?: number;
  readonly observedGeneration?: number;
  readonly isNested?: boolean;
  readonly now?: string;
  /** That the status tells already. */
  readonly warning?: string;
}

function decide(given: Given): AutomaticDecision {
  const { generation = 3, observedGeneration = 3, phase = "Failed", last } = given;
  const status: InstallationStatus = {
    phase,
    jobID: "1",
    jobIDFinished: "1",
    observedGeneration,
    // Long before anybody has looked.
    transitionTimes: { finishedTime: "2026-02-01T00:00:00Z" },
    ...(last === undefined ? {} : { automaticReconcileStatus: last }),
    ...(given.warning === undefined
      ? {}
      : { conditions: [...setWarnings([], [{ reason: "InvalidSchedule", message: given.warning }], new Date(now))] }),
  };
  const installation = installationOf({
    name: "root",
    generation,
    annotations: given.annotations ?? {},
    spec: given.spec === undefined ? {} : { automaticReconcile: given.spec },
  });
  const observed = { installation, status, isRoot: given.isNested !== true };
  return decideAutomaticReconcile(observed, new Date(given.now ?? now));
}

const off: AutomaticDecision = { kind: "off" };
const onFailure = (fields: AutomaticReconcile["failedReconcile"] = {}): AutomaticReconcile => ({
  failedReconcile: fields,
});
const onSuccess = (fields: AutomaticReconcile["succeededReconcile"] = {}): AutomaticReconcile => ({
  succeededReconcile: fields,
});
const retried = (count: number, at: string) => ({
  generation: 3,
  numberOfReconciles: count,
  lastReconcileTime: at,
  onFailed: true,
});
const repeated = (count: number, at: string) => ({ ...retried(count, at), onFailed: false });

/** What a parser says of a text. */
function unreadable(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  throw new Error("the text can be read");
}
const notADuration = `spec.automaticReconcile.failedReconcile: ${unreadable(() => parseDuration("soon"))}; no job starts by it`;

type Row = readonly [name: string, given: Given, want: AutomaticDecision];

describe("after a failure (core.md §2.4, §4.38)", () => {
  const rows: readonly Row[] = [
    ["nothing happens by itself", {}, off],
    ["the first retry is immediate", { spec: onFailure() }, { kind: "start", automatic: retried(1, now) }],
    [
      "that of a deletion, too",
      { spec: onFailure(), phase: "DeleteFailed" },
      { kind: "start", automatic: retried(1, now) },
    ],
    [
      "the next one waits for the interval, which is 5 minutes",
      { spec: onFailure(), last: retried(1, "2026-03-01T11:58:00Z") },
      { kind: "wait", untilMs: ms("2026-03-01T12:03:00Z") },
    ],
    [
      "and is due after it",
      { spec: onFailure(), last: retried(1, "2026-03-01T11:55:00Z") },
      { kind: "start", automatic: retried(2, now) },
    ],
    [
      "a retry that was missed comes at once",
      { spec: onFailure({ interval: "1h" }), last: retried(7, "2026-02-01T00:00:00Z") },
      { kind: "start", automatic: retried(8, now) },
    ],
    [
      "an interval of its own counts",
      { spec: onFailure({ interval: "1h30m" }), last: retried(2, "2026-03-01T11:00:00Z") },
      { kind: "wait", untilMs: ms("2026-03-01T12:30:00Z") },
    ],
    [
      "cron wins over it",
      { spec: onFailure({ interval: "1m", cronSpec: "0 * * * *" }), last: retried(2, "2026-03-01T12:00:00Z") },
      { kind: "wait", untilMs: ms("2026-03-01T13:00:00Z") },
    ],
    [
      "cron counts from the last retry",
      { spec: onFailure({ cronSpec: "0 * * * *" }), last: retried(2, "2026-03-01T11:00:00Z") },
      { kind: "start", automatic: retried(3, now) },
    ],
    [
      "a cron specification that says nothing is told",
      { spec: onFailure({ cronSpec: "every day" }), last: retried(1, "2026-03-01T11:58:00Z") },
      {
        kind: "warn",
        warning: {
          reason: "InvalidSchedule",
          message: `spec.automaticReconcile.failedReconcile: ${unreadable(() => parseCronSpec("every day"))}; no job starts by it`,
        },
      },
    ],
    [
      "one that has no time any more ends it",
      { spec: onFailure({ cronSpec: "0 0 30 2 *" }), last: retried(1, "2026-03-01T11:58:00Z") },
      off,
    ],
    [
      "an interval of nothing is no loop without pause",
      { spec: onFailure({ interval: "0s" }), last: retried(1, now) },
      { kind: "wait", untilMs: ms("2026-03-01T12:05:00Z") },
    ],
    [
      "one that is no duration is told",
      { spec: onFailure({ interval: "soon" }), last: retried(1, now) },
      { kind: "warn", warning: { reason: "InvalidSchedule", message: notADuration } },
    ],
    [
      "once",
      {
        spec: onFailure({ interval: "soon" }),
        last: retried(1, now),
        warning: notADuration,
      },
      off,
    ],
    [
      "no more than numberOfReconciles",
      { spec: onFailure({ numberOfReconciles: 2 }), last: retried(2, "2026-01-01T00:00:00Z") },
      off,
    ],
    [
      "that many",
      { spec: onFailure({ numberOfReconciles: 2 }), last: retried(1, "2026-01-01T00:00:00Z") },
      { kind: "start", automatic: retried(2, now) },
    ],
    ["numberOfReconciles 0 means none", { spec: onFailure({ numberOfReconciles: 0 }) }, off],
    ["succeededReconcile does not count", { spec: onSuccess() }, off],
    [
      "a count of successes begins anew",
      { spec: onFailure(), last: repeated(5, "2026-03-01T11:58:00Z") },
      { kind: "start", automatic: retried(1, now) },
    ],
    [
      "a count of another generation begins anew",
      { spec: onFailure({ numberOfReconciles: 1 }), last: { ...retried(1, now), generation: 2 } },
      { kind: "start", automatic: retried(1, now) },
    ],
    [
      "a count without time is old",
      { spec: onFailure(), last: { generation: 3, numberOfReconciles: 1, onFailed: true } },
      { kind: "start", automatic: retried(2, now) },
    ],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(given)).toEqual(want));
});

describe("after success (core.md §2.4, §4.38)", () => {
  const rows: readonly Row[] = [
    ["nothing happens by itself", { phase: "Succeeded" }, off],
    [
      "the time counts from where it is seen first",
      { phase: "Succeeded", spec: onSuccess() },
      { kind: "record", automatic: repeated(0, now) },
    ],
    [
      "until the interval, which is 24 hours",
      { phase: "Succeeded", spec: onSuccess(), last: repeated(0, "2026-03-01T11:00:00Z") },
      { kind: "wait", untilMs: ms("2026-03-02T11:00:00Z") },
    ],
    [
      "then a job starts",
      { phase: "Succeeded", spec: onSuccess(), last: repeated(4, "2026-02-28T12:00:00Z") },
      { kind: "start", automatic: repeated(5, now) },
    ],
    [
      "cron wins over the interval",
      {
        phase: "Succeeded",
        spec: onSuccess({ interval: "1m", cronSpec: "TZ=Europe/Berlin 0 3 * * *" }),
        last: repeated(0, "2026-03-01T11:00:00Z"),
      },
      { kind: "wait", untilMs: ms("2026-03-02T02:00:00Z") },
    ],
    [
      "a count of retries begins anew",
      { phase: "Succeeded", spec: { ...onSuccess(), ...onFailure() }, last: retried(3, "2026-01-01T00:00:00Z") },
      { kind: "record", automatic: repeated(0, now) },
    ],
    [
      "and goes where success is not repeated",
      { phase: "Succeeded", spec: onFailure(), last: retried(3, "2026-01-01T00:00:00Z") },
      { kind: "record", automatic: undefined },
    ],
    [
      "a count of another generation goes",
      { phase: "Succeeded", last: { ...repeated(3, now), generation: 2 } },
      { kind: "record", automatic: undefined },
    ],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(given)).toEqual(want));
});

describe("nothing starts by itself", () => {
  const spec = { ...onSuccess({ interval: "1s" }), ...onFailure({ interval: "1s" }) };
  const rows: readonly (readonly [string, Given])[] = [
    ["on a nested Installation", { spec, isNested: true }],
    ["while an operation is asked for", { spec, annotations: { [annotations.operation]: "reconcile" } }],
    ["while any other operation is there", { spec, annotations: { [annotations.operation]: "test-reconcile" } }],
    ["after a change of the spec", { spec, observedGeneration: 2 }],
    ["before the first job", { spec, phase: "" }],
    ["in a phase that is not final", { spec, phase: "Progressing" }],
  ];
  it.each(rows)("%s", (_name, given) => {
    expect(decide(given)).toEqual(off);
    expect(decide({ ...given, phase: given.phase ?? "Succeeded" })).toEqual(off);
  });
});
