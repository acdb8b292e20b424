import { describe, expect, it } from "@jest/globals";
import type { Pod } from "@landscaper/api";
import { timeToPack, mainStateOf, patienceOf, type MainState } from "./main-state.ts";

const container = (name: string, state: object) => ({ name, state });

it.each<{ status: Pod["status"] | undefined; expected: MainState }>([
  { status: undefined, expected: { kind: "open" } },
  { status: { phase: "Pending" }, expected: { kind: "open" } },
  { status: { containerStatuses: [container("main", {})] }, expected: { kind: "open" } },
  { status: { containerStatuses: [container("main", { running: {} })] }, expected: { kind: "open" } },
  {
    status: { containerStatuses: [container("main", { waiting: { reason: "ContainerCreating" } })] },
    expected: { kind: "open" },
  },
  {
    status: { containerStatuses: [container("main", { waiting: { reason: "PodInitializing" } })] },
    expected: { kind: "open" },
  },
  {
    status: { containerStatuses: [container("main", { waiting: { reason: "ErrImageNeverPull" } })] },
    expected: { kind: "open" },
  },
  {
    status: { containerStatuses: [container("main", { terminated: { exitCode: 0 } })] },
    expected: { kind: "ended", exitCode: 0 },
  },
  {
    status: { phase: "Failed", containerStatuses: [container("main", { terminated: { exitCode: 137 } })] },
    expected: { kind: "ended", exitCode: 137 },
  },
  // Another container has ended: the program runs on.
  {
    status: {
      containerStatuses: [container("wait", { terminated: { exitCode: 0 } }), container("main", { running: {} })],
    },
    expected: { kind: "open" },
  },
  { status: { phase: "Failed" }, expected: { kind: "ended", exitCode: undefined } },
])("a Pod with the status $status says $expected", ({ status, expected }) => {
  const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata: {}, ...(status && { status }) };
  expect(mainStateOf(pod)).toEqual(expected);
});

describe("the time after its deletion to keep the state of a Pod", () => {
  const deletionTimestamp = "2026-01-01T00:05:00Z";

  it.each([
    { title: "that is not deleted", metadata: {}, expected: undefined },
    {
      title: "that has 300 s is a minute before its end",
      metadata: { deletionTimestamp, deletionGracePeriodSeconds: 300 },
      expected: 240_000,
    },
    {
      title: "that has 30 s is in the middle of them",
      metadata: { deletionTimestamp, deletionGracePeriodSeconds: 30 },
      expected: 15_000,
    },
    { title: "is 0 without a grace period", metadata: { deletionTimestamp }, expected: 0 },
  ])("$title", ({ metadata, expected }) => {
    expect(timeToPack({ apiVersion: "v1", kind: "Pod", metadata })).toBe(expected);
  });
});

describe("the time for the API server to tell how the program has ended", () => {
  it.each([
    [300, 240_000],
    [100, 50_000],
    [10, 10_000],
    [undefined, 10_000],
  ])("is that of a grace period of %s s without what is reserved", (terminationGracePeriodSeconds, expected) => {
    const spec = { terminationGracePeriodSeconds };
    expect(patienceOf({ apiVersion: "v1", kind: "Pod", metadata: {}, spec }, 300)).toBe(expected);
  });

  it("is short for a Pod that is deleted", () => {
    const metadata = { deletionTimestamp: "2026-01-01T00:05:00Z", deletionGracePeriodSeconds: 300 };
    const spec = { terminationGracePeriodSeconds: 300 };
    expect(patienceOf({ apiVersion: "v1", kind: "Pod", metadata, spec }, 300)).toBe(10_000);
  });

  it("depends on the grace period of the job file while the Pod is unknown", () => {
    expect([patienceOf(undefined, 300), patienceOf(undefined, 90)]).toEqual([240_000, 45_000]);
  });
});
