import { describe, expect, it } from "@jest/globals";
import { decideRelease, isPending, lastGood, revisionsAtWork } from "./decide-release.ts";
import { releaseStatuses, type ReleaseRecord, type ReleaseStatus } from "./release-record.ts";

/** "deployed", or "deployed?" for one that cannot be read; the revisions count from 1. */
function historyOf(...states: readonly string[]): ReleaseRecord[] {
  return states.map((state, index) => {
    const isUnreadable = state.endsWith("?");
    const status = (isUnreadable ? state.slice(0, -1) : state) as ReleaseStatus;
    return {
      name: "app",
      namespace: "space",
      version: index + 1,
      info: { first_deployed: "", last_deployed: "", deleted: "", description: "", status },
      chart: {},
      config: {},
      manifest: "",
      hooks: [],
      ...(isUnreadable ? { unreadable: "it is cut off" } : {}),
    };
  });
}

/** "upgrade 2": the revision that the decision is about. */
function decided(history: readonly ReleaseRecord[]): string {
  const decision = decideRelease(history);
  if (decision.type === "install") return "install";
  return `${decision.type} ${(decision.type === "upgrade" ? decision.former : decision.record).version}`;
}

describe("decideRelease", () => {
  it.each([
    { states: [], decision: "install" },
    { states: ["deployed"], decision: "upgrade 1" },
    { states: ["superseded", "deployed", "failed"], decision: "upgrade 2" },
    { states: ["superseded"], decision: "upgrade 1" },
    { states: ["failed"], decision: "upgrade 1" },
    { states: ["failed", "failed"], decision: "upgrade 2" },
    { states: ["deployed", "deployed"], decision: "upgrade 2" },
    { states: ["deployed", "pending-upgrade"], decision: "repair 2" },
    { states: ["pending-install?"], decision: "repair 1" },
    { states: ["superseded", "uninstalling"], decision: "finish-uninstall 2" },
    { states: ["superseded", "uninstalled"], decision: "install" },
    { states: ["superseded", "uninstalled", "failed"], decision: "upgrade 3" },
    { states: ["superseded", "deployed?"], decision: "upgrade 1" },
    { states: ["deployed?"], decision: "install" },
  ])("after $states: $decision", ({ states, decision }) => {
    expect(decided(historyOf(...states))).toBe(decision);
  });
});

describe("revisionsAtWork", () => {
  it.each([
    { states: ["superseded", "deployed", "failed", "failed"], former: 2, isDeployed: true, others: [4, 3] },
    // What failed before the deployed one may have left something as well: Helm does not clear it away.
    { states: ["superseded", "failed", "deployed"], former: 3, isDeployed: true, others: [2] },
    { states: ["deployed", "deployed"], former: 2, isDeployed: true, others: [1] },
    { states: ["failed"], former: 1, isDeployed: false, others: [] },
    { states: ["pending-install"], former: 1, isDeployed: false, others: [] },
    { states: ["superseded"], former: 1, isDeployed: true, others: [] },
    { states: ["superseded", "uninstalling"], former: 2, isDeployed: true, others: [] },
    { states: ["deployed", "failed", "uninstalled"], former: undefined, isDeployed: false, others: [] },
  ])("of $states", ({ states, former, isDeployed, others }) => {
    const found = revisionsAtWork(historyOf(...states));
    expect([found.former?.version, found.isDeployed, found.others.map(({ version }) => version)]).toEqual([
      former,
      isDeployed,
      others,
    ]);
  });

  it.each([
    { states: ["deployed", "deployed?"], isUnclear: true },
    { states: ["deployed?"], isUnclear: true },
    { states: ["superseded?", "deployed"], isUnclear: false },
    { states: ["deployed?", "uninstalled", "deployed"], isUnclear: false },
  ])("of $states: unclear is $isUnclear", ({ states, isUnclear }) => {
    expect(revisionsAtWork(historyOf(...states)).isUnclear).toBe(isUnclear);
  });
});

it.each([
  { states: ["superseded", "deployed", "failed"], good: 2 },
  { states: ["superseded", "failed"], good: 1 },
  { states: ["superseded", "uninstalled", "failed"], good: undefined },
  { states: ["superseded", "superseded?", "failed"], good: 1 },
  { states: ["failed"], good: undefined },
])("an upgrade of $states that fails goes back to $good", ({ states, good }) => {
  expect(lastGood(historyOf(...states))?.version).toBe(good);
});

describe("every history of up to three revisions", () => {
  const states = releaseStatuses.flatMap((status) => [status, `${status}?`]);
  const histories = [...states.map((a) => [a]), ...states.flatMap((a) => states.map((b) => [a, b]))].flatMap((two) => [
    two,
    ...states.map((c) => [...two, c]),
  ]);

  /** As an operation leaves it when it has recorded what was interrupted. */
  const settle = (record: ReleaseRecord): ReleaseRecord =>
    isPending(record) || record.info.status === "uninstalling"
      ? { ...record, info: { ...record.info, status: "failed" } }
      : record;

  it("comes to an install or an upgrade of something that can be read and was not uninstalled", () => {
    for (const each of histories) {
      const decision = decideRelease(historyOf(...each).map(settle));
      const former = decision.type === "upgrade" ? decision.former : undefined;
      const isSound =
        decision.type === "install" || (former?.unreadable === undefined && former?.info.status !== "uninstalled");
      expect({ each, decision: decision.type, isSound }).toEqual({
        each,
        decision: expect.stringMatching(/^(install|upgrade)$/),
        isSound: true,
      });
    }
  });
});
