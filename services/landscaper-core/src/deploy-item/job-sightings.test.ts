import { describe, expect, it } from "@jest/globals";
import { apiVersion, type DeployItem, type DeployItemStatus } from "@landscaper/api";
import * as fc from "fast-check";
import { decideTimeout, type TimeoutDecision } from "./decide-timeout.ts";
import { sightJob, type JobSighting } from "./job-sightings.ts";

const settings = { pickupMs: 30_000, progressingMs: 600_000, graceMs: 60_000 };
const start = Date.parse("2026-01-01T00:00:00Z");

/** What the watch brings after some time (ms), with time stamps that are wrong by so much (ms). */
interface Step {
  readonly afterMs: number;
  readonly status: Pick<DeployItemStatus, "phase" | "jobID" | "jobIDFinished">;
  readonly isSign: boolean;
  readonly wrongMs: number;
}

interface Clocks {
  /** How far the clock of the watchdog is ahead, in ms: first, and from the step `jumpAt` on. */
  readonly aheadMs: readonly [before: number, after: number];
  readonly jumpAt: number;
  /** Whether time stamps are wrong as the steps say. */
  readonly areOthersWrong: boolean;
}

const right: Clocks = { aheadMs: [0, 0], jumpAt: 0, areOthersWrong: false };

/** What the watchdog decides after each step. */
function decideAll(steps: readonly Step[], { aheadMs, jumpAt, areOthersWrong }: Clocks): readonly TimeoutDecision[] {
  let sighting: JobSighting | undefined;
  let [elapsedMs, signs, lastSignMs] = [0, 0, 0];
  return steps.map(({ afterMs, status, isSign, wrongMs }, index) => {
    elapsedMs += afterMs;
    if (isSign) {
      signs++;
      lastSignMs = elapsedMs + (areOthersWrong ? wrongMs : 0);
    }
    const stamp = new Date(start + lastSignMs + signs).toISOString();
    const deployItem: DeployItem = {
      apiVersion,
      kind: "DeployItem",
      metadata: { uid: "uid" },
      spec: { type: "test" },
      status: { ...status, jobIDGenerationTime: stamp, ...(signs === 0 ? {} : { lastReconcileTime: stamp }) },
    };
    const nowMs = start + elapsedMs + aheadMs[index < jumpAt ? 0 : 1];
    sighting = sightJob(sighting, deployItem, { elapsedMs, nowMs, isStarting: true });
    return decideTimeout({ deployItem, sighting, isTargetMissing: false }, settings, elapsedMs);
  });
}

const jobIDs = fc.constantFrom("1", "2");
const step: fc.Arbitrary<Step> = fc.record({
  afterMs: fc.integer({ min: 0, max: 700_000 }),
  status: fc.record({
    phase: fc.constantFrom("", "Init", "Progressing", "Deleting", "Succeeded", "Failed"),
    jobID: jobIDs,
    jobIDFinished: jobIDs,
  }),
  isSign: fc.boolean(),
  // Each stamp differs from the others, whatever the clocks show.
  wrongMs: fc.integer({ min: -3600, max: 3600 }).map((seconds) => seconds * 1000),
});
const hour = fc.integer({ min: -3_600_000, max: 3_600_000 });

describe("the watchdog", () => {
  it("decides the same whatever the clocks show", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.tuple(hour, hour), fc.nat(8), (steps, aheadMs, jumpAt) => {
        const reference = decideAll(steps, right);
        expect(decideAll(steps, { aheadMs, jumpAt, areOthersWrong: true })).toEqual(reference);
      }),
      { seed: 37, numRuns: 500 },
    );
  });

  it("never gives a job less time than its timeout, whatever was stored before", () => {
    fc.assert(
      fc.property(step, hour, ({ status, wrongMs }, aheadMs) => {
        const first = { status, wrongMs, afterMs: 0, isSign: true };
        const [decision] = decideAll([first], { aheadMs: [aheadMs, aheadMs], jumpAt: 0, areOthersWrong: true });
        expect(decision?.kind).not.toBe("fail");
      }),
      { seed: 37, numRuns: 200 },
    );
  });
});
