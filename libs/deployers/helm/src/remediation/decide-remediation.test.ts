import { describe, expect, it } from "@jest/globals";
import type { ReleaseRecord } from "@landscaper/helm-release";
import {
  attemptsOf,
  decideRemediation,
  remediationFor,
  type RemediationDecision,
  type RemediationInput,
} from "./decide-remediation.ts";
import type { Attempts } from "../helm-status.ts";
import { parseRemediations, type Remediation } from "./remediation-config.ts";
import { historyOf } from "../../test/release-records.ts";

const work = { jobID: "job", inputs: "sha256:1" };

interface Row {
  readonly history: readonly ReleaseRecord[];
  readonly failed?: number;
  readonly own?: number | undefined;
  readonly remedy?: Attempts["remedy"];
  readonly install?: Partial<Remediation> | "none";
  readonly upgrade?: Partial<Remediation> | "none";
}

const defaults: Remediation = { retries: 2, strategy: "rollback", undoesLast: true, timeoutMs: undefined };

function decide({ history, failed = 0, own = history.at(-1)?.version, remedy, install, upgrade }: Row): string {
  const of = (given: Row["install"]) => (given === "none" ? undefined : { ...defaults, ...given });
  const input: RemediationInput = {
    history,
    ownRevision: own,
    attempts: { ...work, failed, remedy },
    remediations: { install: of(install), upgrade: of(upgrade) },
  };
  return words(decideRemediation(input));
}

function words(decision: RemediationDecision): string {
  switch (decision.type) {
    case "attempt":
      return "attempt";
    case "uninstall":
      return `uninstall, then ${decision.next}`;
    case "rollback":
      return `rollback to ${decision.target.version}${decision.retryOf === undefined ? "" : ` again as ${decision.retryOf}`}`;
    case "end":
      return `end: ${decision.done}`;
  }
}

const failedInstall = historyOf("failed");
const failedUpgrade = historyOf("deployed", "failed");

describe("an install that fails", () => {
  it.each<readonly [string, Row, string]>([
    ["has not been tried", { history: [] }, "attempt"],
    ["was left pending", { history: historyOf("pending-install") }, "attempt"],
    ["has failed, and may be tried again", { history: failedInstall, failed: 2 }, "uninstall, then attempt"],
    ["has failed in an earlier job", { history: failedInstall, failed: 0 }, "uninstall, then attempt"],
    ["is somebody else's", { history: failedInstall, own: 0 }, "attempt"],
    ["was uninstalled after its failure", { history: [], failed: 2 }, "attempt"],
    ["has failed too often", { history: failedInstall, failed: 3 }, "uninstall, then end"],
    ["is left by its last failure", { history: failedInstall, failed: 3, install: { undoesLast: false } }, "end: left"],
    ["has no retries", { history: failedInstall, failed: 1, install: { retries: 0 } }, "uninstall, then end"],
    [
      "has endless retries",
      { history: failedInstall, failed: 999, install: { retries: Number.POSITIVE_INFINITY } },
      "uninstall, then attempt",
    ],
    ["has no remediation", { history: failedInstall, failed: 9, install: "none" }, "attempt"],
    [
      "came after an uninstalled release",
      { history: historyOf("superseded", "uninstalled", "failed"), failed: 1 },
      "uninstall, then attempt",
    ],
  ])("%s", (_name, row, want) => {
    expect(decide(row)).toBe(want);
  });
});

describe("an upgrade that fails", () => {
  const uninstall = { strategy: "uninstall" } as const;
  it.each<readonly [string, Row, string]>([
    ["has not been tried", { history: historyOf("deployed") }, "attempt"],
    ["was left pending", { history: historyOf("deployed", "pending-upgrade"), failed: 1 }, "attempt"],
    ["has failed, and may be tried again", { history: failedUpgrade, failed: 2 }, "attempt"],
    ["has failed too often", { history: failedUpgrade, failed: 3 }, "rollback to 1"],
    [
      "is to be uninstalled in the end",
      { history: failedUpgrade, failed: 3, upgrade: uninstall },
      "uninstall, then end",
    ],
    ["is not uninstalled before", { history: failedUpgrade, failed: 2, upgrade: uninstall }, "attempt"],
    ["is left by its last failure", { history: failedUpgrade, failed: 3, upgrade: { undoesLast: false } }, "end: left"],
    ["has no remediation", { history: failedUpgrade, failed: 9, upgrade: "none" }, "attempt"],
    [
      "goes back beyond others that failed",
      { history: historyOf("superseded", "deployed", "failed", "failed"), failed: 3 },
      "rollback to 2",
    ],
    [
      "goes back to what a crash has left superseded",
      { history: historyOf("superseded", "failed"), failed: 3 },
      "rollback to 1",
    ],
  ])("%s", (_name, row, want) => {
    expect(decide(row)).toBe(want);
  });
});

describe("what has been begun about failures is gone on with", () => {
  const rollback = { type: "rollback", to: 1, revision: 3 } as const;
  const uninstall = { type: "uninstall" } as const;
  it.each<readonly [string, Row, string]>([
    ["a rollback that is not recorded", { history: failedUpgrade, remedy: rollback }, "rollback to 1"],
    [
      "a pending rollback",
      { history: [...failedUpgrade, ...historyOf("failed", "failed", "pending-rollback").slice(2)], remedy: rollback },
      "rollback to 1 again as 3",
    ],
    [
      "a failed rollback",
      { history: historyOf("deployed", "failed", "failed"), remedy: rollback },
      "rollback to 1 again as 3",
    ],
    [
      "a rollback that is done",
      { history: historyOf("superseded", "failed", "deployed"), remedy: rollback },
      "end: rolled back",
    ],
    [
      "somebody has gone on",
      { history: historyOf("superseded", "failed", "superseded", "deployed"), remedy: rollback },
      "end: left",
    ],
    ["the revision is gone", { history: failedUpgrade.slice(1), remedy: rollback }, "end: nothing to roll back to"],
    ["an uninstall that has not begun", { history: failedUpgrade, remedy: uninstall }, "uninstall, then end"],
    ["an uninstall half-way", { history: historyOf("uninstalling"), remedy: uninstall }, "uninstall, then end"],
    ["an uninstall that is done", { history: [], remedy: uninstall }, "end: uninstalled"],
    [
      "an uninstall that has kept the history",
      { history: historyOf("uninstalled"), remedy: uninstall },
      "end: uninstalled",
    ],
  ])("%s", (_name, row, want) => {
    expect(decide({ ...row, install: "none", upgrade: "none" })).toBe(want);
  });
});

describe("attempts", () => {
  const known: Attempts = { ...work, failed: 1, lastFailure: "2026-01-01T00:00:01Z" };
  const seen = historyOf("failed");
  it.each<readonly [string, Attempts | undefined, readonly ReleaseRecord[], Partial<Attempts>]>([
    ["begin with none", undefined, [], { failed: 0 }],
    [
      "begin with none after an earlier job",
      { ...known, jobID: "other", failed: 3 },
      seen,
      { failed: 0, lastFailure: known.lastFailure },
    ],
    ["begin with none at other inputs", { ...known, inputs: "sha256:2" }, seen, { failed: 0 }],
    ["are as the status has them", known, seen, { failed: 1 }],
    [
      "count a failure that the status does not know",
      known,
      historyOf("deployed", ["failed", "why"]),
      { failed: 2, cause: { message: "why", reason: "ReleaseFailed" } },
    ],
    ["do not count what was left pending", known, historyOf("deployed", "pending-upgrade"), { failed: 1 }],
    [
      "do not count what is being undone",
      { ...known, remedy: { type: "uninstall" } },
      historyOf("deployed", "failed"),
      { failed: 1 },
    ],
  ])("%s", (...[, status, history, want]) => {
    expect(attemptsOf(status, work, { history, ownRevision: history.at(-1)?.version })).toMatchObject({
      ...work,
      ...want,
    });
  });

  it("do not count the failure of somebody else", () => {
    const history = historyOf("deployed", "failed");
    expect(attemptsOf(known, work, { history, ownRevision: 1 })).toBe(known);
  });
});

describe("the configuration of remediation", () => {
  const where = "config";
  it.each<readonly [string, Parameters<typeof parseRemediations>[0], object]>([
    ["nothing", {}, { install: undefined, upgrade: undefined }],
    [
      "the defaults of Flux",
      { install: { remediation: {} }, upgrade: { remediation: {} } },
      {
        install: { retries: 0, strategy: "uninstall", undoesLast: false, timeoutMs: undefined },
        upgrade: { retries: 0, strategy: "rollback", undoesLast: false, timeoutMs: undefined },
      },
    ],
    [
      "with retries the last failure of an upgrade is undone",
      {
        install: { remediation: { retries: 2 } },
        upgrade: { timeout: "3m", remediation: { retries: 1, strategy: "uninstall" } },
      },
      {
        install: { retries: 2, strategy: "uninstall", undoesLast: false, timeoutMs: undefined },
        upgrade: { retries: 1, strategy: "uninstall", undoesLast: true, timeoutMs: 180_000 },
      },
    ],
    [
      "-1 is no limit",
      { upgrade: { remediation: { retries: -1, remediateLastFailure: false } } },
      {
        install: undefined,
        upgrade: { retries: Number.POSITIVE_INFINITY, strategy: "rollback", undoesLast: false, timeoutMs: undefined },
      },
    ],
    [
      "atomic goes first",
      { install: { atomic: true, remediation: { retries: 3 } }, upgrade: { atomic: true, remediation: {} } },
      { install: undefined, upgrade: undefined },
    ],
  ])("%s", (_name, options, want) => {
    expect(parseRemediations(options, where)).toEqual(want);
  });

  it("refuses a timeout that is none", () => {
    const options = { upgrade: { timeout: "soon", remediation: {} } };
    expect(() => parseRemediations(options, where)).toThrow(/^config\.upgrade\.timeout: /);
  });

  it("is that of the install until a revision was deployed", () => {
    const remediations = parseRemediations({ install: { remediation: { retries: 7 } } }, where);
    expect(remediationFor(historyOf("failed", "failed"), remediations)?.retries).toBe(7);
    expect(remediationFor(failedUpgrade, remediations)).toBeUndefined();
  });
});
