import { beforeEach, describe, expect, it } from "@jest/globals";
import type { DeployItem, DeployItemStatus } from "@landscaper/api";
import { createClaims, type Claims } from "./claims.ts";

const inWork: DeployItemStatus = {
  jobID: "2",
  jobIDFinished: "1",
  phase: "Progressing",
  transitionTimes: { initTime: "2026-01-01T12:00:00Z" },
  deployer: { identity: "original", name: "n", version: "v" },
};

function item(status: DeployItemStatus): DeployItem {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "n", uid: "u" },
    spec: { type: "t" },
    status,
  };
}

describe("an item of a holder without Lease", () => {
  let claims: Claims;
  let elapsedMs: number;
  beforeEach(() => {
    elapsedMs = 1000;
    claims = createClaims({
      identity: "blue",
      pod: "a",
      membership: { members: ["a"], stateOf: () => "unknown" },
      clock: { elapsed: () => elapsedMs },
      leaseDurationMs: 15_000,
    });
  });

  const wait = (leftMs: number) => ({ type: "wait", holder: "original", leftMs });

  it("is taken over after one Lease duration without a change of its status, by this process's own time", () => {
    expect(claims.of(item(inWork))).toEqual(wait(15_000));
    elapsedMs += 10_000;
    // Whoever writes something else, a label for example, is not the holder.
    expect(claims.of(item({ ...inWork }))).toEqual(wait(5000));
    elapsedMs += 5000;
    expect(claims.of(item(inWork))).toEqual({ type: "orphaned", holder: "original" });
  });

  it("stays its holder's as long as that writes the status", () => {
    expect(claims.of(item(inWork))).toEqual(wait(15_000));
    elapsedMs += 14_000;
    expect(claims.of(item({ ...inWork, providerStatus: { step: 2 } }))).toEqual(wait(15_000));
    elapsedMs += 14_000;
    expect(claims.of(item({ ...inWork, providerStatus: { step: 2 } }))).toEqual(wait(1000));
  });

  it("is seen for the first time again after it was out of work", () => {
    claims.of(item(inWork));
    elapsedMs += 14_000;
    expect(claims.of(item({ ...inWork, jobIDFinished: "2", phase: "Succeeded" }))).toEqual({ type: "ours" });
    expect(claims.of(item(inWork))).toEqual(wait(15_000));
    elapsedMs += 14_000;
    claims.forget(item(inWork));
    expect(claims.of(item(inWork))).toEqual(wait(15_000));
  });
});
