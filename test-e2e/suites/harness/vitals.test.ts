import { describe, expect, it } from "@jest/globals";
import type { Vitals } from "../../hostile/vitals.ts";
import { findDisturbances, findLostLeases } from "../../hostile/vitals.ts";

const lease = { name: "landscaper-core-main", holder: "core-0", transitions: 1 };
const healthy: Vitals = {
  service: "core-0",
  pid: 10,
  crashes: [],
  leases: [lease],
  isResponsive: true,
  lostLeases: [],
  cpuSeconds: 1,
  peakRssMiB: 100,
  longestTurnMs: undefined,
};

describe("findDisturbances", () => {
  it.each<readonly [string, Partial<Vitals>, readonly string[]]>([
    ["a service that has only worked", { cpuSeconds: 9, peakRssMiB: 300, longestTurnMs: 80 }, []],
    ["a further Lease", { leases: [lease, { ...lease, name: "landscaper-core-central" }] }, []],
    [
      "an end and a restart",
      { pid: 11, crashes: ["exit code 1"] },
      ["core-0 ended by itself: exit code 1", "core-0 was restarted"],
    ],
    [
      "a Lease that another one had in the meantime",
      { leases: [{ ...lease, transitions: 3 }] },
      ["the Lease landscaper-core-main of core-0 changed hands 2 times"],
    ],
    ["a Lease that another one has", { leases: [] }, ["core-0 no longer holds the Lease landscaper-core-main"]],
    ["silence", { isResponsive: false }, ["core-0 does not answer"]],
    [
      "what the log says",
      { lostLeases: ["the lease x is lost: not renewed for 10 s", "the lease x is lost: not renewed for 10 s"] },
      ["core-0: the lease x is lost: not renewed for 10 s"],
    ],
  ])("finds in %s what there is", (...[, after, want]) => {
    expect(findDisturbances(healthy, { ...healthy, ...after })).toEqual(want);
  });

  it("leaves out what was so before", () => {
    const restarted = { ...healthy, crashes: ["exit code 1"], lostLeases: ["the lease x is lost: b holds it"] };
    expect(findDisturbances(restarted, restarted)).toEqual([]);
  });
});

describe("findLostLeases", () => {
  it("finds what says so", () => {
    const log = `{"msg":"leading"}
{"error":{"message":"the lease main is lost: not renewed for 10 s"},"msg":"the reconciliation failed and is tried again"}
error: the lease main is lost: b holds it
`;
    expect(findLostLeases(log)).toEqual([
      "the lease main is lost: not renewed for 10 s",
      "the lease main is lost: b holds it",
    ]);
  });
});
