import type { Lease } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { claimSpec, decideLease, expiryOf, observeLease, releaseSpec, toMicroTime } from "./lease-decision.ts";
import type { LeaseDecision, ObservedLease } from "./lease-decision.ts";

const nowMs = Date.UTC(2026, 0, 1, 12);

function lease(spec: Lease["spec"], resourceVersion = "1"): Lease {
  const metadata = { namespace: "n", name: "l", resourceVersion };
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, ...(spec === undefined ? {} : { spec }) };
}

function seen(agoMs: number, spec: Lease["spec"]): ObservedLease {
  return { lease: lease(spec), observedMs: nowMs - agoMs };
}

describe("decideLease", () => {
  const held = { holderIdentity: "other", leaseDurationSeconds: 15 };

  it.each<[name: string, observed: ObservedLease | undefined, want: LeaseDecision]>([
    ["makes a lease that is not there", undefined, { type: "create" }],
    ["keeps its own", seen(60_000, { ...held, holderIdentity: "me" }), { type: "take", isNewHolder: false }],
    ["takes one that was given up", seen(0, { ...held, holderIdentity: "" }), { type: "take", isNewHolder: true }],
    ["takes one that nobody ever held", seen(0, undefined), { type: "take", isNewHolder: true }],
    ["takes one that has expired", seen(15_000, held), { type: "take", isNewHolder: true }],
    [
      "waits for ten minutes at most, whatever duration the holder has written",
      seen(599_000, { ...held, leaseDurationSeconds: 2_000_000_000 }),
      { type: "wait", untilMs: nowMs + 1_000, holder: "other" },
    ],
    [
      "takes a Lease that its holder has not renewed for ten minutes",
      seen(600_000, { ...held, leaseDurationSeconds: 2_000_000_000 }),
      { type: "take", isNewHolder: true },
    ],
    ["waits for another's to expire", seen(14_999, held), { type: "wait", untilMs: nowMs + 1, holder: "other" }],
    [
      "does not believe the clock of the holder",
      seen(1_000, { ...held, renewTime: "1999-01-01T00:00:00.000000Z" }),
      { type: "wait", untilMs: nowMs + 14_000, holder: "other" },
    ],
  ])("%s", (_name, observed, want) => {
    expect(decideLease(observed, "me", nowMs)).toEqual(want);
  });
});

describe("observeLease", () => {
  it("keeps the time of the first look while nothing changes", () => {
    const first = observeLease(undefined, lease({}), nowMs);
    expect(observeLease(first, lease({}), nowMs + 5_000)).toBe(first);
  });

  it("counts anew after every change", () => {
    const first = observeLease(undefined, lease({}), nowMs);
    expect(observeLease(first, lease({}, "2"), nowMs + 5_000).observedMs).toBe(nowMs + 5_000);
  });
});

describe("expiryOf", () => {
  it.each([
    ["is the duration after the last change that this process has seen", 7, 8_000],
    ["is ten minutes after the last change for any longer duration", 86_400, 601_000],
  ])("%s", (_name, leaseDurationSeconds, want) => {
    expect(expiryOf({ lease: lease({ leaseDurationSeconds }), observedMs: 1_000 })).toBe(want);
  });
});

describe("claimSpec", () => {
  const claim = { identity: "me", durationMs: 15_000, nowMs };
  const now = "2026-01-01T12:00:00.000000Z";

  it("claims a new lease", () => {
    expect(claimSpec(undefined, { ...claim, isNewHolder: true })).toEqual({
      holderIdentity: "me",
      leaseDurationSeconds: 15,
      acquireTime: now,
      renewTime: now,
      leaseTransitions: 0,
    });
  });

  it("counts the change of hands", () => {
    const old = { holderIdentity: "other", acquireTime: "2025-01-01T00:00:00.000000Z", leaseTransitions: 3 };
    expect(claimSpec(old, { ...claim, isNewHolder: true })).toMatchObject({ acquireTime: now, leaseTransitions: 4 });
  });

  it("renews without a change of hands", () => {
    const old = { holderIdentity: "me", acquireTime: "2025-01-01T00:00:00.000000Z", leaseTransitions: 3 };
    expect(claimSpec(old, { ...claim, isNewHolder: false })).toEqual({
      ...old,
      leaseDurationSeconds: 15,
      renewTime: now,
    });
  });

  it("writes whole seconds, at least one, as the API demands", () => {
    const seconds = [1, 999, 1_000, 1_001].map(
      (durationMs) => claimSpec(undefined, { ...claim, durationMs, isNewHolder: true }).leaseDurationSeconds,
    );
    expect(seconds).toEqual([1, 1, 1, 2]);
  });
});

describe("releaseSpec", () => {
  it("leaves the lease to whoever comes", () => {
    const spec = releaseSpec({ holderIdentity: "me", leaseDurationSeconds: 15, leaseTransitions: 2 }, nowMs);
    expect(spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1, leaseTransitions: 2 });
    expect(decideLease({ lease: lease(spec), observedMs: nowMs }, "other", nowMs)).toEqual({
      type: "take",
      isNewHolder: true,
    });
  });
});

describe("toMicroTime", () => {
  it("has six digits", () => {
    expect(toMicroTime(nowMs + 7)).toBe("2026-01-01T12:00:00.007000Z");
  });
});
