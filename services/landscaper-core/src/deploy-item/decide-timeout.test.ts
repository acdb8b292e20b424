import { describe, expect, it } from "@jest/globals";
import { annotations, apiVersion, type DeployItem, type DeployItemSpec, type DeployItemStatus } from "@landscaper/api";
import { decideTimeout } from "./decide-timeout.ts";
import { sightJob, type JobSighting } from "./job-sightings.ts";

const settings = { pickupMs: 30_000, progressingMs: 600_000, graceMs: 60_000 };
const start = Date.parse("2026-01-01T00:00:00Z");
const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString();
const open = { jobID: "2", jobIDFinished: "1" };
const day = 24 * 3600;

/** What was seen, and when, in s after the start of the process. */
type Seen = readonly [seconds: number, status: DeployItemStatus];

interface Given {
  /** In order; the last one is decided. */
  readonly seen: readonly Seen[];
  readonly spec?: Partial<DeployItemSpec>;
  /** Default: when the item was seen last. */
  readonly nowSeconds?: number;
  readonly isTargetMissing?: boolean;
  readonly settings?: Partial<typeof settings>;
  readonly isDeleting?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  /** From when on the item has them, in s. Default: from the beginning. */
  readonly annotatedFrom?: number;
  /** Whether the process is just starting. Default: it is. */
  readonly isStarting?: boolean;
  /** How far the clock of this process is ahead of the others, in s. */
  readonly aheadSeconds?: number;
}

function decide(given: Given): unknown {
  const { seen, spec, isTargetMissing = false, settings: own, isDeleting, aheadSeconds = 0 } = given;
  const metadata = {
    uid: "uid",
    annotations: {},
    ...(isDeleting === true ? { deletionTimestamp: at(0) } : {}),
  };
  const itemOf = (status: DeployItemStatus, seconds = Number.POSITIVE_INFINITY): DeployItem => ({
    apiVersion,
    kind: "DeployItem",
    metadata: seconds < (given.annotatedFrom ?? 0) ? metadata : { ...metadata, annotations: { ...given.annotations } },
    spec: { type: "test", ...spec },
    status,
  });
  let sighting: JobSighting | undefined;
  for (const [seconds, status] of seen) {
    const times = { elapsedMs: seconds * 1000, nowMs: start + (seconds + aheadSeconds) * 1000 };
    sighting = sightJob(sighting, itemOf(status, seconds), { ...times, isStarting: given.isStarting ?? true });
  }
  const [lastSeconds = 0, status = {}] = seen.at(-1) ?? [];
  if (sighting === undefined) throw new Error("expected a status");
  const elapsedMs = (given.nowSeconds ?? lastSeconds) * 1000;
  const observed = { deployItem: itemOf(status), isTargetMissing, sighting };
  const decision = decideTimeout(observed, { ...settings, ...own }, elapsedMs);
  if (decision.kind !== "fail") return decision;
  const { operation, reason, codes, message, hint } = decision.error;
  return { operation, reason, codes, message, ...(hint === undefined ? {} : { hint }) };
}

const silentPickup = {
  operation: "WaitingForPickup",
  reason: "PickupTimeout",
  codes: ["ERR_TIMEOUT"],
  message: "no deployer has reconciled this deployitem within 30 seconds",
};
const hint = 'install a deployer for type "test", or correct the type of the item';
const pickupTimeout = { ...silentPickup, hint };
const progressingTimeout = (seconds: number, phase = "Progressing") => ({
  operation: phase,
  reason: "ProgressingTimeout",
  codes: ["ERR_TIMEOUT"],
  message: `the deployer has not finished this deployitem within ${seconds} seconds`,
});

const wait = (seconds: number) => ({ kind: "wait", requeueAfterMs: seconds * 1000 });

type Row = readonly [name: string, given: Given, want: unknown];

describe("waiting for a deployer (core.md §2.8)", () => {
  const fresh = { ...open, jobIDGenerationTime: at(0) };
  const rows: readonly Row[] = [
    ["an item without a job is left alone (§4.65)", { seen: [[0, {}]] }, { kind: "rest" }],
    ["a finished item is left alone", { seen: [[0, { jobID: "1", jobIDFinished: "1" }]] }, { kind: "rest" }],
    ["a fresh job is looked at later", { seen: [[0, fresh]], nowSeconds: 10 }, wait(20)],
    ["just before the end it waits", { seen: [[0, fresh]], nowSeconds: 29 }, wait(1)],
    [
      "at the end it fails with the type that was probably meant",
      { seen: [[0, fresh]], nowSeconds: 30, spec: { type: "landscaper.gardener.cloud/manifest" } },
      {
        ...silentPickup,
        hint: 'correct the type "landscaper.gardener.cloud/manifest" of the item: did you mean "landscaper.gardener.cloud/kubernetes-manifest"?',
      },
    ],
    [
      "at the end it fails with the selector that may not accept its Target",
      { seen: [[0, fresh]], nowSeconds: 30, spec: { target: { name: "t", namespace: "n" } } },
      {
        ...silentPickup,
        hint: 'install a deployer for type "test" whose targetSelector accepts the Target, or correct the type of the item',
      },
    ],
    ["at the end it fails", { seen: [[0, fresh]], nowSeconds: 30 }, pickupTimeout],
    ["the wait begins when this process sees the job", { seen: [[300, fresh]], nowSeconds: 310 }, wait(20)],
    [
      "with the hint when the Target is missing",
      { seen: [[0, fresh]], nowSeconds: 31, isTargetMissing: true },
      {
        ...silentPickup,
        message: `${silentPickup.message}, probably because the referenced Target does not exist`,
      },
    ],
    [
      "with what is known of its Environment",
      {
        seen: [
          [
            0,
            {
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
          ],
        ],
        nowSeconds: 31,
      },
      {
        ...silentPickup,
        message: `${silentPickup.message}. Environment edge acts for the Target: the agent is silent`,
      },
    ],
    ["0 is for ever", { seen: [[0, fresh]], nowSeconds: 9999, settings: { pickupMs: 0 } }, { kind: "rest" }],
    ["without the time of the job it waits as long", { seen: [[0, open]], nowSeconds: 30 }, pickupTimeout],
    [
      "a pickup of the last job does not count",
      { seen: [[0, { ...fresh, phase: "Succeeded", lastReconcileTime: at(-5) }]], nowSeconds: 30 },
      pickupTimeout,
    ],
    [
      "nor does one that this process has seen",
      {
        seen: [
          [0, { jobID: "1", jobIDFinished: "1", phase: "Succeeded", lastReconcileTime: at(-5) }],
          [10, { ...fresh, phase: "Succeeded", lastReconcileTime: at(-5) }],
        ],
        nowSeconds: 40,
      },
      pickupTimeout,
    ],
    [
      "nor does one that came with the end of the last job, which this process has not seen",
      {
        seen: [
          [0, { jobID: "1", phase: "Progressing", lastReconcileTime: at(-5) }],
          [10, { ...fresh, phase: "Succeeded", lastReconcileTime: at(5) }],
        ],
        nowSeconds: 40,
      },
      pickupTimeout,
    ],
    [
      "a phase of a running job counts, whatever the deployer's clock says",
      { seen: [[0, { ...fresh, phase: "Init", lastReconcileTime: at(-5) }]], nowSeconds: 30 },
      wait(630),
    ],
    [
      "another lastReconcileTime than that of the trigger counts, whatever the deployer's clock says",
      {
        seen: [
          [0, { jobID: "1", jobIDFinished: "1", phase: "Succeeded", lastReconcileTime: at(-5) }],
          [10, { ...fresh, phase: "Succeeded", lastReconcileTime: at(-3600) }],
        ],
        nowSeconds: 40,
      },
      wait(630),
    ],
    [
      "a job that came while nobody looked is not given less time",
      { seen: [[0, { ...fresh, jobIDGenerationTime: at(-3600) }]], nowSeconds: 1 },
      wait(29),
    ],
    [
      "a job that was overdue by a day when this process began fails at once",
      { seen: [[0, { ...fresh, jobIDGenerationTime: at(-day - 31) }]] },
      pickupTimeout,
    ],
    [
      "a job that comes to a process that runs does not, such as one from a backup",
      { seen: [[0, { ...fresh, jobIDGenerationTime: at(-day - 3600) }]], isStarting: false },
      wait(30),
    ],
    [
      "a job that this process has seen come does not, whatever its stored time",
      {
        seen: [
          [0, {}],
          [1, { ...fresh, jobIDGenerationTime: at(-day - 3600) }],
        ],
      },
      wait(30),
    ],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(given)).toEqual(want));
  it.each(rows)("%s, the clock being six minutes ahead", (_name, given, want) =>
    expect(decide({ ...given, aheadSeconds: 360 })).toEqual(want),
  );
});

describe("a deployer at work (core.md §1.5 D9)", () => {
  const picked = { ...open, jobIDGenerationTime: at(0), lastReconcileTime: at(0), phase: "Progressing" };
  const rows: readonly Row[] = [
    ["has ten minutes and the grace", { seen: [[0, picked]] }, wait(660)],
    ["fails then", { seen: [[0, picked]], nowSeconds: 660 }, progressingTimeout(600)],
    [
      "fails in the phase in which it is",
      { seen: [[0, { ...picked, phase: "Deleting" }]], nowSeconds: 660 },
      progressingTimeout(600, "Deleting"),
    ],
    ["has its own timeout", { seen: [[0, picked]], spec: { timeout: "1m" }, nowSeconds: 120 }, progressingTimeout(60)],
    [
      "with timeout none it has for ever",
      { seen: [[0, picked]], spec: { timeout: "none" }, nowSeconds: 99_999 },
      { kind: "rest" },
    ],
    [
      "with an unreadable timeout it fails at once",
      { seen: [[0, picked]], spec: { timeout: "soon" } },
      {
        operation: "Progressing",
        reason: "InvalidTimeout",
        codes: ["ERR_CONFIGURATION_PROBLEM"],
        message: "spec.timeout: expected a duration such as 5m30s, or none, found another text",
      },
    ],
    [
      "with an unreadable timeout it has the default while it is deleted",
      { seen: [[0, picked]], spec: { timeout: "soon" }, isDeleting: true },
      wait(660),
    ],
    [
      "that gives a sign of life starts anew",
      {
        seen: [
          [0, picked],
          [600, { ...picked, lastReconcileTime: at(-3600) }],
        ],
        nowSeconds: 660,
      },
      wait(600),
    ],
    [
      "that changes the phase starts anew",
      {
        seen: [
          [0, { ...picked, phase: "Init" }],
          [600, picked],
        ],
        nowSeconds: 660,
      },
      wait(600),
    ],
    [
      "whose other writes are no signs has no more time",
      {
        seen: [
          [0, picked],
          [600, { ...picked, observedGeneration: 3 }],
        ],
        nowSeconds: 660,
      },
      progressingTimeout(600),
    ],
    [
      "that has never told a time has as long",
      { seen: [[0, { ...open, phase: "Progressing" }]], nowSeconds: 660 },
      progressingTimeout(600),
    ],
    [
      "is not given less time by a core that has just begun",
      { seen: [[0, { ...picked, lastReconcileTime: at(-3600) }]], nowSeconds: 1 },
      wait(659),
    ],
    [
      "that was overdue by a day when this process began fails at once",
      { seen: [[0, { ...picked, lastReconcileTime: at(-day - 661) }]] },
      progressingTimeout(600),
    ],
    [
      "that was overdue by a day and has given a sign since goes on",
      {
        seen: [
          [0, { ...picked, lastReconcileTime: at(-day - 661) }],
          [1, { ...picked, lastReconcileTime: at(-day - 600) }],
        ],
      },
      wait(660),
    ],
  ];
  it.each(rows)("%s", (_name, given, want) => expect(decide(given)).toEqual(want));
  it.each(rows)("%s, the clock being six minutes ahead", (_name, given, want) =>
    expect(decide({ ...given, aheadSeconds: 360 })).toEqual(want),
  );
});

describe("an item that is deleted without uninstalling it", () => {
  const leaving = {
    isDeleting: true,
    annotations: { [annotations.deleteWithoutUninstall]: "true" },
    spec: { type: "landscaper.gardener.cloud/helm" },
  };
  const deleting = { ...open, phase: "Deleting" };
  const failed = { jobID: "2", jobIDFinished: "2", phase: "DeleteFailed" };
  const deploying = { ...open, jobIDGenerationTime: at(0), lastReconcileTime: at(0), phase: "Progressing" };
  it.each<Row>([
    ["gives its deployer half a minute", { seen: [[0, open]], ...leaving }, wait(30)],
    ["has less time later", { seen: [[0, open]], nowSeconds: 20, ...leaving }, wait(10)],
    ["is released after half a minute", { seen: [[0, open]], nowSeconds: 30, ...leaving }, { kind: "release" }],
    [
      "is released then, too, while it is uninstalled",
      { seen: [[0, deleting]], nowSeconds: 30, ...leaving },
      { kind: "release" },
    ],
    [
      "is released then, too, when its deletion has failed",
      { seen: [[0, failed]], nowSeconds: 30, ...leaving },
      { kind: "release" },
    ],
    [
      "keeps the timeout of its job while it is deployed",
      { seen: [[0, deploying]], nowSeconds: 30, ...leaving },
      wait(630),
    ],
    ["is not released without a job", { seen: [[0, {}]], nowSeconds: 30, ...leaving }, { kind: "rest" }],
    [
      "is not released by its second job",
      { seen: [[0, { jobID: "1", jobIDFinished: "1", phase: "Succeeded" }]], nowSeconds: 30, ...leaving },
      { kind: "rest" },
    ],
    [
      "of another type has the usual timeout",
      { seen: [[0, open]], nowSeconds: 29, ...leaving, spec: { type: "test" } },
      wait(1),
    ],
    [
      "has the usual timeout until it is deleted",
      { seen: [[0, open]], nowSeconds: 29, ...leaving, isDeleting: false },
      wait(1),
    ],
  ])("%s", (_title, given, expected) => {
    expect(decide(given)).toEqual(expected);
  });

  it("has half a minute since the annotation was seen, however long its job has been open", () => {
    const { annotations: marks, ...without } = leaving;
    const job = {
      seen: [
        [0, deleting],
        [500, deleting],
      ] as const,
      ...without,
    };
    expect(decide({ ...job, annotations: marks, annotatedFrom: 500, nowSeconds: 510 })).toEqual(wait(20));
    expect(decide({ ...job, annotations: marks, annotatedFrom: 500, nowSeconds: 530 })).toEqual({ kind: "release" });
  });
});
