import { describe, expect, it } from "@jest/globals";
import { annotations, type DeployItem } from "@landscaper/api";
import type { ReleaseRecord } from "@landscaper/helm-release";
import {
  decideRollback,
  rolledBackTo,
  rollbackRequestOf,
  rollbackWithoutRelease,
  type RollbackInput,
} from "./decide-rollback.ts";
import { rolledBackConditions } from "./rolled-back-condition.ts";
import { historyOf, recordOf } from "../../test/release-records.ts";

interface Row extends Partial<RollbackInput> {
  readonly history: readonly ReleaseRecord[];
}

function decide(row: Row): string {
  const decision = decideRollback({ request: "1", status: {}, ...row });
  if (decision.type === "unchanged") return `unchanged at ${decision.record.version}`;
  const { target, retryOf } = decision;
  return `rollback to ${target.version} (${target.manifest})${retryOf === undefined ? "" : ` again as ${retryOf}`}`;
}

const three = historyOf("superseded", "superseded", "deployed");
const back = [...historyOf("superseded", "superseded", "superseded"), recordOf(4, "deployed", "Rollback to 1")];
const ours = { release: { name: "app", namespace: "n", revision: 4 }, rolledBack: { to: 1 } };

describe("a rollback that is asked for", () => {
  it.each<readonly [string, Row, string]>([
    ["goes to a revision of the history", { history: three }, "rollback to 1 (of 1)"],
    ["goes to one that has failed", { history: historyOf("failed", "deployed") }, "rollback to 1 (of 1)"],
    ["is done when the release is at it", { history: three, request: "3" }, "unchanged at 3"],
    ["is done when it was rolled back to it, whoever did", { history: back }, "unchanged at 4"],
    ["is done although the revision is not stored any more", { history: back.slice(1) }, "unchanged at 4"],
    ["is not done by a rollback to another one", { history: back, request: "2" }, "rollback to 2 (of 2)"],
    [
      "that failed is tried again under its number",
      { history: [...three, recordOf(4, "failed")], status: ours },
      "rollback to 1 (of 1) again as 4",
    ],
    [
      "that was left is tried again under its number",
      { history: [...three, recordOf(4, "pending-rollback")], status: ours },
      "rollback to 1 (of 1) again as 4",
    ],
    [
      "is another one after one that failed",
      { history: [...three, recordOf(4, "failed")], status: ours, request: "2" },
      "rollback to 2 (of 2)",
    ],
    [
      "is a new one after an upgrade that failed",
      { history: [...three, recordOf(4, "failed")], status: { ...ours, rolledBack: undefined } },
      "rollback to 1 (of 1)",
    ],
  ])("%s", (_name, row, want) => {
    expect(decide(row)).toBe(want);
  });

  it.each<readonly [string, string, readonly ReleaseRecord[], string]>([
    ["a revision that is not there", "7", three, "there are 1 (superseded), 2 (superseded), 3 (deployed)"],
    ["no number", "last", three, "there are 1 (superseded), 2 (superseded), 3 (deployed)"],
    ["nothing", "", three, "there are 1 (superseded), 2 (superseded), 3 (deployed)"],
    ["zero", "0", three, "there are 1 (superseded), 2 (superseded), 3 (deployed)"],
    ["a release that is not there", "1", [], "there are none"],
    [
      "a revision that cannot be read",
      "1",
      [{ ...recordOf(1, "superseded"), unreadable: "no JSON" }],
      "it cannot be read: no JSON",
    ],
  ])("refuses %s, and says what there is", (...[, request, history, found]) => {
    const message = `annotation ${annotations.helmRollbackTo}: expected a revision of the release, found "${request}"; ${found}`;
    const refused = { message, reason: "InvalidRollback", retry: "never", codes: ["ERR_CONFIGURATION_PROBLEM"] };
    expect(() => decide({ request, history })).toThrow(expect.objectContaining(refused));
  });

  it("is refused for manifests", () => {
    expect(rollbackWithoutRelease("1").message).toContain("there are none: helmDeployment is false");
  });
});

function item(providerStatus: object | undefined, conditions: object[] = []): DeployItem {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", annotations: { [annotations.helmRollbackTo]: "3" } },
    spec: { type: "landscaper.gardener.cloud/helm" },
    status: { providerStatus, conditions },
  } as DeployItem;
}

it("an item tells what is asked for, and what was done", () => {
  expect([rollbackRequestOf(item(undefined)), rollbackRequestOf({ metadata: {} })]).toEqual(["3", undefined]);
  expect([
    rolledBackTo(item({ rolledBack: { to: 3 } })),
    rolledBackTo(item({})),
    rolledBackTo(item(undefined)),
  ]).toEqual(["3", undefined, undefined]);
});

describe("condition RolledBack", () => {
  const release = { name: "app", namespace: "n", revision: 4 };
  const stands = `while the annotation ${annotations.helmRollbackTo} stands`;
  const known = { type: "RolledBack", status: "True" };

  it.each<readonly [string, Parameters<typeof rolledBackConditions>, string[]]>([
    [
      "says where the release is",
      [item({}), { release, rolledBack: { to: 1 } }],
      [`True the release is at revision 1, as revision 4, ${stands}`],
    ],
    [
      "says it of the revision itself",
      [item({}), { release, rolledBack: { to: 4 } }],
      [`True the release is at revision 4, ${stands}`],
    ],
    ["ends with the rollback", [item({}, [known]), { release }], ["False the release is as it is configured"]],
    ["does not end twice", [item({}, [{ ...known, status: "False" }]), { release }], []],
    ["is not there without a rollback", [item({}), { release }], []],
  ])("%s", (_name, [of, status], want) => {
    const said = rolledBackConditions(of, status).map(({ status: value, message }) => `${value} ${message}`);
    expect(said).toEqual(want);
  });
});
