import { describe, expect, it } from "@jest/globals";
import { apiVersion, type DeployItem, type DeployItemSpec, type DeployItemStatus } from "@landscaper/api";
import { decideTimeout } from "./decide-timeout.ts";

const settings = { pickupMs: 30_000, progressingMs: 600_000, graceMs: 60_000 };
const start = Date.parse("2026-01-01T00:00:00Z");
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
const open = { jobID: "2", jobIDFinished: "1" };

interface Given {
  readonly status: DeployItemStatus;
  readonly spec?: Partial<DeployItemSpec>;
  readonly nowSeconds?: number;
  readonly isTargetMissing?: boolean;
  readonly settings?: Partial<typeof settings>;
  readonly isDeleting?: boolean;
}

function decide({ status, spec, nowSeconds = 0, isTargetMissing = false, settings: own, isDeleting }: Given): unknown {
  const deployItem: DeployItem = {
    apiVersion,
    kind: "DeployItem",
    metadata: isDeleting === true ? { deletionTimestamp: at(0) } : {},
    spec: { type: "test", ...spec },
    status,
  };
  const decision = decideTimeout({ deployItem, isTargetMissing }, { ...settings, ...own }, start + nowSeconds * 1000);
  if (decision.kind !== "fail") return decision;
  const { operation, reason, codes, message } = decision.error;
  return { operation, reason, codes, message };
}

const pickupTimeout = {
  operation: "WaitingForPickup",
  reason: "PickupTimeout",
  codes: ["ERR_TIMEOUT"],
  message: "no deployer has reconciled this deployitem within 30 seconds",
};
const progressingTimeout = (seconds: number, phase = "Progressing") => ({
  operation: phase,
  reason: "ProgressingTimeout",
  codes: ["ERR_TIMEOUT"],
  message: `the deployer has not finished this deployitem within ${seconds} seconds`,
});

describe("waiting for a deployer (core.md §2.8)", () => {
  const fresh = { ...open, jobIDGenerationTime: at(0) };
  const rows: readonly (readonly [name: string, given: Given, want: unknown])[] = [
    ["an item without a job is left alone (§4.65)", { status: {} }, { kind: "rest" }],
    ["a finished item is left alone", { status: { jobID: "1", jobIDFinished: "1" } }, { kind: "rest" }],
    ["a fresh job is looked at later", { status: fresh, nowSeconds: 10 }, { kind: "wait", requeueAfterMs: 21_000 }],
    ["just before the end it waits", { status: fresh, nowSeconds: 29 }, { kind: "wait", requeueAfterMs: 2_000 }],
    ["at the end it fails", { status: fresh, nowSeconds: 30 }, pickupTimeout],
    [
      "with the hint when the Target is missing",
      { status: fresh, nowSeconds: 31, isTargetMissing: true },
      {
        ...pickupTimeout,
        message: `${pickupTimeout.message}, probably because the referenced Target does not exist`,
      },
    ],
    [
      "with what is known of its Environment",
      {
        status: {
          ...fresh,
          conditions: [
            {
              type: "EnvironmentReachable",
              status: "False",
              reason: "AgentSilent",
              message: "Environment edge acts for the Target: the agent is silent",
              lastTransitionTime: at(0),
              lastUpdateTime: at(0),
            },
          ],
        },
        nowSeconds: 31,
      },
      {
        ...pickupTimeout,
        message: `${pickupTimeout.message}. Environment edge acts for the Target: the agent is silent`,
      },
    ],
    ["0 is for ever", { status: fresh, nowSeconds: 9999, settings: { pickupMs: 0 } }, { kind: "rest" }],
    [
      "without the time of the job nothing was waited",
      { status: open, nowSeconds: 9999 },
      { kind: "wait", requeueAfterMs: 31_000 },
    ],
    [
      "a pickup of the last job does not count",
      { status: { ...fresh, phase: "Succeeded", lastReconcileTime: at(-5) }, nowSeconds: 30 },
      pickupTimeout,
    ],
    [
      "a phase of a running job counts, whatever the deployer's clock says",
      { status: { ...fresh, phase: "Init", lastReconcileTime: at(-5) }, nowSeconds: 30 },
      { kind: "wait", requeueAfterMs: 626_000 },
    ],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(given)).toEqual(want));
});

describe("a deployer at work (core.md §1.5 D9)", () => {
  const picked = { ...open, jobIDGenerationTime: at(0), lastReconcileTime: at(0), phase: "Progressing" };
  const rows: readonly (readonly [name: string, given: Given, want: unknown])[] = [
    ["has ten minutes and the grace", { status: picked }, { kind: "wait", requeueAfterMs: 661_000 }],
    ["fails then", { status: picked, nowSeconds: 660 }, progressingTimeout(600)],
    [
      "fails in the phase in which it is",
      { status: { ...picked, phase: "Deleting" }, nowSeconds: 660 },
      progressingTimeout(600, "Deleting"),
    ],
    ["has its own timeout", { status: picked, spec: { timeout: "1m" }, nowSeconds: 120 }, progressingTimeout(60)],
    [
      "with timeout none it has for ever",
      { status: picked, spec: { timeout: "none" }, nowSeconds: 99_999 },
      { kind: "rest" },
    ],
    [
      "with an unreadable timeout it fails at once",
      { status: picked, spec: { timeout: "soon" } },
      {
        operation: "Progressing",
        reason: "InvalidTimeout",
        codes: ["ERR_CONFIGURATION_PROBLEM"],
        message: 'spec.timeout: not a duration: expected a Go duration such as "1h30m" or "90s", or "none"',
      },
    ],
    [
      "with an unreadable timeout it has the default while it is deleted",
      { status: picked, spec: { timeout: "soon" }, isDeleting: true },
      { kind: "wait", requeueAfterMs: 661_000 },
    ],
    [
      "that gives a sign of life starts anew",
      { status: { ...picked, lastReconcileTime: at(600) }, nowSeconds: 660 },
      { kind: "wait", requeueAfterMs: 601_000 },
    ],
    [
      "that has never told a time is left alone",
      { status: { ...open, phase: "Progressing" }, nowSeconds: 9999 },
      { kind: "rest" },
    ],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(given)).toEqual(want));
});
