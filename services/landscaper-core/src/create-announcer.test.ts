import { describe, expect, it } from "@jest/globals";
import { apiVersion, type DeployItem, type Execution, type Installation } from "@landscaper/api";
import { createAnnouncer, listKubeEvents } from "./create-announcer.ts";
import type { JobHolderStatus } from "./job-status.ts";

const error = (message: string, reason = "ImportsSatisfied") => ({
  operation: "init",
  reason,
  message,
  lastTransitionTime: "",
  lastUpdateTime: "",
});
const warnings = (message: string) => ({
  type: "Warnings",
  status: "True",
  reason: "UnknownField",
  message,
  lastTransitionTime: "",
  lastUpdateTime: "",
});
const running = { jobID: "2", jobIDFinished: "1", phase: "Progressing" };
const before = { jobID: "1", jobIDFinished: "1", phase: "Succeeded" };

describe("Kubernetes events (design.md §3.10)", () => {
  const rows: readonly (readonly [
    name: string,
    current: JobHolderStatus,
    previous: JobHolderStatus,
    want: readonly unknown[],
  ])[] = [
    ["the start of a job", { ...before, jobID: "2" }, before, [["Normal", "JobStarted", "job 2 started"]]],
    ["another phase", running, { ...running, phase: "Init" }, []],
    [
      "success",
      { ...running, jobIDFinished: "2", phase: "Succeeded" },
      running,
      [["Normal", "JobSucceeded", "job 2 succeeded"]],
    ],
    [
      "failure: the Warning is the end",
      { ...running, jobIDFinished: "2", phase: "Failed", lastError: error("x") },
      running,
      [["Warning", "ImportMissing", "x"]],
    ],
    [
      "a new error of a running job",
      { ...running, lastError: error("x") },
      running,
      [["Warning", "ImportMissing", "x"]],
    ],
    ...(
      [
        ["AllPredecessorsSucceeded", "PredecessorsNotSucceeded"],
        ["CheckImportsHash", "ImportsChanged"],
        ["CheckObservedGeneration", "SpecChanged"],
        ["ImportsSatisfied", "ImportMissing"],
        ["JobIDFinished", "SubObjectFailed"],
        ["ReconcileExecution", "ReconcileExecutionFailed"],
        ["InterruptOperation", "Interrupted"],
        ["CreateOrUpdateExports", "CreateOrUpdateExportsFailed"],
        ["ReconcileFailed", "ReconcileFailed"],
        ["PickupTimeout", "PickupTimeout"],
      ] as const
    ).map(
      ([reason, shown]) =>
        [
          `a failure of the reason ${reason}`,
          { ...running, lastError: error("x", reason) },
          running,
          [["Warning", shown, "x"]],
        ] as const,
    ),
    ["the same error again", { ...running, lastError: error("x") }, { ...running, lastError: error("x") }, []],
    [
      "another message",
      { ...running, lastError: error("y") },
      { ...running, lastError: error("x") },
      [["Warning", "ImportMissing", "y"]],
    ],
    [
      "a reason that is no word",
      { ...running, lastError: error("x", "children failed") },
      running,
      [["Warning", "ChildrenFailed", "x"]],
    ],
    [
      "the end with an error that was shown before",
      { ...running, jobIDFinished: "2", phase: "Failed", lastError: error("x") },
      { ...running, lastError: error("x") },
      [["Warning", "ImportMissing", "x"]],
    ],
    [
      "warnings that are new",
      { ...running, conditions: [warnings("b")] },
      { ...running, conditions: [warnings("a")] },
      [["Warning", "UnknownField", "b"]],
    ],
    [
      "the same warnings",
      { ...running, conditions: [warnings("a")] },
      { ...before, conditions: [warnings("a")], jobID: "2" },
      [],
    ],
    ["conditions alone", { ...before, conditions: [] }, before, []],
  ];
  it.each(rows)("%s", (...[, current, previous, want]) => {
    expect(listKubeEvents(current, previous).map(({ type, reason, message }) => [type, reason, message])).toEqual(want);
  });
});

describe("announcements", () => {
  const recorded: string[] = [];
  const logged: string[] = [];
  const noteLine = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const announcer = createAnnouncer({
    log: { info: noteLine, warn: noteLine },
    recorder: { event: (about, { reason }) => void recorded.push(`${about.kind} ${reason}`) },
  });
  const metadata = { name: "root", namespace: "ns", uid: "u" };
  const installation = (status: JobHolderStatus): Installation => ({
    apiVersion,
    kind: "Installation",
    metadata,
    spec: { blueprint: {} },
    status,
  });
  const item = (status: JobHolderStatus): DeployItem => ({
    apiVersion,
    kind: "DeployItem",
    metadata,
    spec: { type: "t" },
    status,
  });

  it("of Installations go to Kubernetes, and their jobs to the log", () => {
    recorded.length = 0;
    announcer.installation(installation(running), installation(before));
    announcer.installation(
      installation({ ...running, jobIDFinished: "2", phase: "Failed", lastError: error("x") }),
      installation(running),
    );
    expect(recorded).toEqual(["Installation JobStarted", "Installation ImportMissing"]);
    expect(logged).toEqual([
      'job started {"installation":"ns/root","job":"2"}',
      'job failed {"installation":"ns/root","job":"2","reason":"ImportsSatisfied","error":"x"}',
    ]);
  });

  it("of DeployItems go to Kubernetes only when the core fails them", () => {
    recorded.length = 0;
    announcer.deployItem(item({ jobID: "2" }), item({}));
    announcer.deployItem(
      item({ jobID: "2", jobIDFinished: "2", phase: "Failed", lastError: error("x", "PickupTimeout") }),
      item({ jobID: "2" }),
    );
    expect(recorded).toEqual(["DeployItem PickupTimeout"]);
  });

  describe("of Executions go to Kubernetes at the end of a job", () => {
    const execution = (status: JobHolderStatus, uid: string): Execution => ({
      apiVersion,
      kind: "Execution",
      metadata: { ...metadata, uid },
      spec: { deployItemsCompressed: "" },
      status,
    });
    const start = { ...running, phase: "Init", observedGeneration: 1 };
    const done = { ...running, jobIDFinished: "2", phase: "Succeeded", observedGeneration: 1 };
    const given = { ...before, observedGeneration: 1, jobID: "2" };
    it.each<readonly [string, readonly JobHolderStatus[], readonly string[]]>([
      ["that changed nothing: none", [given, start, done], []],
      ["of a first job", [{ jobID: "2" }, start, done], ["Execution JobSucceeded"]],
      [
        "that gave its items another spec",
        [{ ...given, observedGeneration: 0 }, start, done],
        ["Execution JobSucceeded"],
      ],
      ["after one that failed", [{ ...given, phase: "Failed" }, start, done], ["Execution JobSucceeded"]],
      ["that failed", [given, start, { ...done, phase: "Failed", lastError: error("x") }], ["Execution ImportMissing"]],
      [
        "that failed at once",
        [given, { ...done, phase: "Failed", lastError: error("x") }],
        ["Execution ImportMissing"],
      ],
      ["that another process has begun", [start, done], ["Execution JobSucceeded"]],
    ])("%s", (name, statuses, want) => {
      recorded.length = 0;
      for (const [index, status] of statuses.entries()) {
        if (index > 0) announcer.execution(execution(status, name), execution(statuses[index - 1] ?? {}, name));
      }
      expect(recorded).toEqual(want);
    });

    it("of each that changed something, and of none that did not", () => {
      recorded.length = 0;
      const steps = [{ jobID: "2" }, start, done].map((status) => execution(status, "twice"));
      const again = [given, start, done].map((status) => execution(status, "twice"));
      for (const run of [steps, again]) {
        for (const [index, current] of run.entries()) {
          const previous = run[index - 1];
          if (previous !== undefined) announcer.execution(current, previous);
        }
      }
      expect(recorded).toEqual(["Execution JobSucceeded"]);
    });
  });
});
