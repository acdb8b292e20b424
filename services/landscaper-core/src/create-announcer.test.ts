import { describe, expect, it } from "@jest/globals";
import { apiVersion, type DeployItem, type Installation } from "@landscaper/api";
import type { EventPublisher } from "@landscaper/events";
import { createAnnouncer, isTransition, listKubeEvents } from "./create-announcer.ts";
import type { JobHolderStatus } from "./job-status.ts";

const error = (message: string, reason = "ImportsSatisfied") => ({
  operation: "init",
  reason,
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
    want: unknown[],
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
      [["Warning", "ImportsSatisfied", "x"]],
    ],
    [
      "a new error of a running job",
      { ...running, lastError: error("x") },
      running,
      [["Warning", "ImportsSatisfied", "x"]],
    ],
    ["the same error again", { ...running, lastError: error("x") }, { ...running, lastError: error("x") }, []],
    [
      "another message",
      { ...running, lastError: error("y") },
      { ...running, lastError: error("x") },
      [["Warning", "ImportsSatisfied", "y"]],
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
      [["Warning", "ImportsSatisfied", "x"]],
    ],
    ["conditions alone", { ...before, conditions: [] }, before, []],
  ];
  it.each(rows)("%s", (...[, current, previous, want]) => {
    expect(listKubeEvents(current, previous).map(({ type, reason, message }) => [type, reason, message])).toEqual(want);
  });
});

describe("transitions", () => {
  it.each([
    [running, running, false],
    [running, { ...running, phase: "Init" }, true],
    [{ ...before, jobID: "2" }, before, true],
    [{ ...running, jobIDFinished: "2" }, running, true],
    [{ ...running, conditions: [] }, running, false],
  ])("%j after %j: %s", (current, previous, want) => expect(isTransition(current, previous)).toBe(want));
});

describe("announcements", () => {
  const published: Parameters<EventPublisher["publish"]>[0][] = [];
  const recorded: string[] = [];
  const announcer = createAnnouncer({
    recorder: { event: (about, { reason }) => void recorded.push(`${about.kind} ${reason}`) },
    publisher: {
      publish: (event) => void published.push(event),
      stop: () => Promise.resolve(),
      stats: { published: 0, dropped: 0, buffered: 0, failures: 0, isConnected: false },
    },
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

  it("of Installations go to Kubernetes and NATS", () => {
    published.length = recorded.length = 0;
    announcer.installation(installation(running), installation(before));
    announcer.installation(
      installation({ ...running, jobIDFinished: "2", phase: "Failed", lastError: error("x") }),
      installation(running),
    );
    expect(recorded).toEqual(["Installation JobStarted", "Installation ImportsSatisfied"]);
    const data = { kind: "Installation", namespace: "ns", name: "root", uid: "u", jobID: "2" };
    expect(published).toEqual([
      { data: { ...data, phase: "Triggered", error: undefined } },
      { data: { ...data, phase: "Progressing", error: undefined } },
      { data: { ...data, phase: "Failed", error: { reason: "ImportsSatisfied", message: "x" } } },
    ]);
  });

  it("of DeployItems go to Kubernetes only when the core fails them", () => {
    published.length = recorded.length = 0;
    announcer.deployItem(item({ jobID: "2" }), item({}));
    announcer.deployItem(
      item({ jobID: "2", jobIDFinished: "2", phase: "Failed", lastError: error("x", "PickupTimeout") }),
      item({ jobID: "2" }),
    );
    expect(recorded).toEqual(["DeployItem PickupTimeout"]);
    expect(published.map(({ data }) => data.phase)).toEqual(["Triggered", "Failed"]);
  });
});
