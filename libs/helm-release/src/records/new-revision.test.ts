import { describe, expect, it } from "@jest/globals";
import { inheritedMethod } from "./apply-method.ts";
import { newRevision, rollbackRevision } from "./new-revision.ts";
import type { ReleaseRecord, ReleaseStatus } from "./release-record.ts";

const content = { chart: { metadata: { name: "c" } }, config: { a: 1 }, manifest: "m", hooks: [], notes: "" };
const options = { name: "app", namespace: "n", applyMethod: "csa", now: 0 } as const;

/** A revision with fields that only a newer Helm knows. */
function recordOf(version: number, status: ReleaseStatus, further: object = {}): ReleaseRecord {
  const time = "2026-01-01T00:00:00Z";
  const info = { first_deployed: time, last_deployed: time, deleted: "", description: "d", status, signed: "by me" };
  return { name: "app", namespace: "n", version, info, chart: {}, config: {}, manifest: "", hooks: [], ...further };
}

describe("a new revision", () => {
  it("has the method, and what a newer Helm has added to the previous record", () => {
    const record = recordOf(4, "deployed", { apply_method: "ssa", sequence: [1], labels: { team: "x" } });
    expect(newRevision(content, { ...options, history: [recordOf(3, "superseded"), record] })).toEqual({
      name: "app",
      namespace: "n",
      version: 5,
      apply_method: "csa",
      sequence: [1],
      info: {
        first_deployed: "2026-01-01T00:00:00Z",
        last_deployed: "1970-01-01T00:00:00.000Z",
        deleted: "",
        description: "Preparing upgrade",
        status: "pending-upgrade",
        signed: "by me",
      },
      chart: content.chart,
      config: content.config,
      manifest: "m",
      hooks: [],
      labels: { team: "x" },
    });
  });

  it("of an upgrade after a rollback is no rollback", () => {
    const { info, ...record } = recordOf(2, "deployed");
    const history = [{ ...record, info: { ...info, rollback_revision: 1 } }];
    expect(newRevision(content, { ...options, history }).info).not.toHaveProperty("rollback_revision");
  });

  it("of an install keeps nothing of a release that was uninstalled", () => {
    const former = recordOf(1, "uninstalled", { sequence: [1], labels: { team: "x" } });
    const made = newRevision(content, { ...options, history: [former], labels: { env: "prod" } });
    expect(made).not.toHaveProperty("sequence");
    expect([made.info, made.labels]).toEqual([expect.not.objectContaining({ signed: "by me" }), { env: "prod" }]);
  });
});

it("a rollback has the method in force and the labels of its target, and names its target as Helm 4 does", () => {
  const target = recordOf(1, "superseded", { apply_method: "ssa", sequence: [1], labels: { team: "x" } });
  const newest = recordOf(2, "deployed", { sequence: [2], other: true, labels: { team: "y" } });
  const made = rollbackRevision(target, { ...options, history: [target, newest] });
  expect(made).toMatchObject({
    version: 3,
    apply_method: "csa",
    sequence: [1],
    other: true,
    labels: { team: "x" },
    info: { description: "Rollback to 1", rollback_revision: 1, signed: "by me" },
  });
});

describe("the method that the next revision keeps", () => {
  it.each<[string, readonly ReleaseRecord[], string | undefined]>([
    ["of an install", [], undefined],
    ["after a record without a method", [recordOf(1, "deployed")], "csa"],
    ["after a deployed revision", [recordOf(1, "deployed", { apply_method: "ssa" })], "ssa"],
    [
      "after a failed revision, as with Helm",
      [recordOf(1, "deployed", { apply_method: "ssa" }), recordOf(2, "failed", { apply_method: "csa" })],
      "csa",
    ],
    [
      "after a record that cannot be read is that of the record before",
      [recordOf(1, "deployed", { apply_method: "ssa" }), recordOf(2, "failed", { unreadable: "damaged" })],
      "ssa",
    ],
    ["after an uninstallation", [recordOf(1, "uninstalled", { apply_method: "ssa" })], undefined],
    ["while an uninstallation ends", [recordOf(1, "uninstalling", { apply_method: "ssa" })], undefined],
  ])("%s", (...[, history, expected]) => {
    expect(inheritedMethod(history)).toBe(expected);
  });
});
