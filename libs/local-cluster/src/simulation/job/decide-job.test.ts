import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { recordAt, stringAt } from "../../objects/json.ts";
import type { Action } from "../actions.ts";
import { conditionsOf } from "../conditions.ts";
import { decideJob } from "./decide-job.ts";
import { trackingFinalizer } from "./job-pods.ts";

const nowMs = Date.parse("2026-01-01T00:01:00Z");
const started = { startTime: "2026-01-01T00:00:00Z" };

function job(spec: object, status: object = started): UnstructuredObject {
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "main:1" }] } };
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "job", namespace: "n", uid: "j" },
    spec: { completions: 1, parallelism: 1, backoffLimit: 6, template, ...spec },
    status,
  };
}

interface PodState {
  readonly phase: string;
  readonly tracked?: boolean;
  readonly terminating?: boolean;
  readonly restarts?: number;
  readonly index?: number;
}

function pod(
  name: string,
  { phase, tracked = true, terminating = false, restarts = 0, index }: PodState,
): UnstructuredObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "n",
      uid: name,
      ...(tracked ? { finalizers: [trackingFinalizer] } : {}),
      ...(terminating ? { deletionTimestamp: "2026-01-01T00:00:30Z" } : {}),
      ...(index === undefined ? {} : { annotations: { "batch.kubernetes.io/job-completion-index": String(index) } }),
    },
    status: { phase, containerStatuses: [{ name: "main", restartCount: restarts }] },
  };
}

/** "create job-, release p, delete p": what the decision does beside the status. */
function describeAction(action: Action): string[] {
  if (action.do === "status") return [];
  const { name, generateName } = action.object.metadata;
  return [`${action.do === "update" ? "release" : action.do} ${name ?? generateName}`];
}

interface Outcome {
  readonly does: string;
  readonly conditions?: string;
  readonly counts?: object;
}

function decide(given: UnstructuredObject, pods: readonly UnstructuredObject[] = []): Outcome {
  const { actions } = decideJob({ job: given, pods, nowMs });
  const status = actions.find((action) => action.do === "status");
  const does = actions.flatMap(describeAction).join(", ");
  if (status?.do !== "status") return { does };
  const object = { ...given, status: status.status };
  const { active, succeeded, failed, terminating } = recordAt(object, "status");
  const conditions = conditionsOf(object)
    .map((condition) => `${stringAt(condition, "type")}=${stringAt(condition, "status")}`)
    .join(", ");
  return { does, conditions, counts: JSON.parse(JSON.stringify({ active, succeeded, failed, terminating })) as object };
}

describe("decideJob", () => {
  const running = pod("p", { phase: "Running" });
  type Row = readonly [name: string, job: UnstructuredObject, pods: readonly UnstructuredObject[], want: Outcome];
  const rows: readonly Row[] = [
    ["makes its first pod", job({}, {}), [], { does: "create job-", conditions: "", counts: { terminating: 0 } }],
    [
      "leaves a running pod alone",
      job({}),
      [running],
      { does: "", conditions: "", counts: { active: 1, terminating: 0 } },
    ],
    [
      "makes as many pods as may run at once",
      job({ completions: 5, parallelism: 3 }),
      [running],
      { does: "create job-, create job-", conditions: "", counts: { active: 1, terminating: 0 } },
    ],
    [
      "makes no more than what is missing",
      job({ completions: 3, parallelism: 3 }, { ...started, succeeded: 2 }),
      [],
      { does: "create job-", conditions: "", counts: { succeeded: 2, terminating: 0 } },
    ],
    [
      "counts a success and is complete",
      job({}),
      [pod("p", { phase: "Succeeded" })],
      {
        does: "release p",
        conditions: "SuccessCriteriaMet=True, Complete=True",
        counts: { succeeded: 1, terminating: 0 },
      },
    ],
    [
      "counts no pod twice",
      job({ completions: 2 }, { ...started, succeeded: 1 }),
      [pod("p", { phase: "Succeeded", tracked: false })],
      { does: "create job-", conditions: "", counts: { succeeded: 1, terminating: 0 } },
    ],
    [
      "replaces a failed pod",
      job({}),
      [pod("p", { phase: "Failed" })],
      { does: "release p, create job-", conditions: "", counts: { failed: 1, terminating: 0 } },
    ],
    [
      "takes a pod that somebody deletes for failed",
      job({}),
      [pod("p", { phase: "Running", terminating: true })],
      { does: "release p, create job-", conditions: "", counts: { failed: 1, terminating: 1 } },
    ],
    [
      "waits for the end of deleted pods when it is to replace failed ones only",
      job({ podReplacementPolicy: "Failed" }),
      [pod("p", { phase: "Running", terminating: true })],
      { does: "", conditions: "", counts: { terminating: 1 } },
    ],
    [
      "fails beyond its backoffLimit",
      job({ backoffLimit: 1 }, { ...started, failed: 1 }),
      [pod("p", { phase: "Failed" })],
      { does: "release p", conditions: "FailureTarget=True, Failed=True", counts: { failed: 2, terminating: 0 } },
    ],
    [
      "ends its other pods before it has failed",
      job({ backoffLimit: 0, parallelism: 2, completions: 2 }),
      [pod("p", { phase: "Failed" }), pod("q", { phase: "Running" })],
      {
        does: "release p, release q, delete q",
        conditions: "FailureTarget=True",
        counts: { failed: 2, terminating: 0 },
      },
    ],
    [
      "counts restarts where pods restart their containers",
      job({ backoffLimit: 2, template: { spec: { restartPolicy: "OnFailure" } } }),
      [pod("p", { phase: "Running", restarts: 2 })],
      { does: "release p, delete p", conditions: "FailureTarget=True", counts: { failed: 1, terminating: 0 } },
    ],
    [
      "fails at its deadline",
      job({ activeDeadlineSeconds: 60 }),
      [running],
      { does: "release p, delete p", conditions: "FailureTarget=True", counts: { failed: 1, terminating: 0 } },
    ],
    [
      "ends a pod too many without counting it",
      job({ completions: 5 }),
      [running, pod("q", { phase: "Pending" })],
      { does: "release p, delete p", conditions: "", counts: { active: 2, terminating: 0 } },
    ],
    [
      "ends its pods when it is suspended",
      job({ suspend: true }),
      [running],
      { does: "release p, delete p", conditions: "Suspended=True", counts: { terminating: 0 } },
    ],
    [
      "is complete with one success where no number is given",
      job({ completions: undefined, parallelism: 2 }),
      [pod("p", { phase: "Succeeded" })],
      {
        does: "release p",
        conditions: "SuccessCriteriaMet=True, Complete=True",
        counts: { succeeded: 1, terminating: 0 },
      },
    ],
    [
      "makes pods for the indexes that are missing",
      job(
        { completions: 4, parallelism: 2, completionMode: "Indexed" },
        { ...started, succeeded: 1, completedIndexes: "0" },
      ),
      [pod("p", { phase: "Running", index: 1 })],
      { does: "create job-2-", conditions: "", counts: { active: 1, succeeded: 1, terminating: 0 } },
    ],
    [
      "makes nothing when it is being deleted",
      { ...job({}), metadata: { ...job({}).metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } },
      [],
      { does: "", conditions: "", counts: { terminating: 0 } },
    ],
  ];
  it.each(rows)("%s", (...[, given, pods, want]) => {
    expect(decide(given, pods)).toEqual(want);
  });

  const end = (lastTransitionTime: string) => ({
    ...started,
    conditions: [{ type: "Complete", status: "True", lastTransitionTime }],
  });
  it("goes when its time after the end is up, and wakes for that", () => {
    const given = (seconds: number) => job({ ttlSecondsAfterFinished: seconds }, end("2026-01-01T00:00:30Z"));
    expect(decide(given(30))).toEqual({ does: "delete job" });
    expect(decideJob({ job: given(31), pods: [], nowMs })).toEqual({ actions: [], wakeAtMs: nowMs + 1000 });
    expect(decide(job({}, end("2026-01-01T00:00:30Z")), [pod("p", { phase: "Succeeded" })])).toEqual({
      does: "release p",
    });
  });

  it("wakes for its deadline", () => {
    expect(decideJob({ job: job({ activeDeadlineSeconds: 90 }), pods: [running], nowMs }).wakeAtMs).toBe(
      nowMs + 30_000,
    );
  });
});
