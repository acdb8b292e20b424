import { describe, expect, it } from "@jest/globals";
import { annotations, operations } from "@landscaper/api";
import type { Attempt } from "./attempt.ts";
import { decideTargetSync, type ObservedTargetSync } from "./decide-target-sync.ts";
import { storedTargetSync } from "../../test/target-syncs.ts";

const elapsedMs = 1_000_000;
const done: Attempt = { fingerprint: "same", failures: 0, nextTryMs: elapsedMs + 300_000 };
const deletionTimestamp = "2026-01-01T00:00:00Z";
const reconcile = { [annotations.operation]: operations.reconcile };
const other = storedTargetSync({ name: "other" });
const leaving = storedTargetSync({ name: "other" }, { deletionTimestamp });

function observed(fields: Partial<ObservedTargetSync>): ObservedTargetSync {
  return {
    targetSync: storedTargetSync(),
    siblings: [],
    attempt: undefined,
    fingerprint: "same",
    elapsedMs,
    ...fields,
  };
}

describe("what a TargetSync does next (core.md §3.9)", () => {
  it.each<[name: string, fields: Partial<ObservedTargetSync>, expected: unknown]>([
    ["takes the finalizer first", { targetSync: storedTargetSync({}, { finalizers: [] }) }, { kind: "add-finalizer" }],
    ["syncs when it was never tried", {}, { kind: "sync", filter: { mode: "none" } }],
    ["waits for the interval", { attempt: done }, { kind: "wait", ms: 300_000 }],
    ["syncs when the interval is over", { attempt: { ...done, nextTryMs: elapsedMs } }, { kind: "sync" }],
    ["syncs when something has changed", { attempt: done, fingerprint: "other" }, { kind: "sync" }],
    [
      "syncs when it is asked to",
      { attempt: done, targetSync: storedTargetSync({ annotations: reconcile }) },
      { kind: "sync" },
    ],
    [
      "is not asked by another operation",
      { attempt: done, targetSync: storedTargetSync({ annotations: { [annotations.operation]: "interrupt" } }) },
      { kind: "wait" },
    ],
    [
      "refuses when there is another one",
      { siblings: [other] },
      {
        kind: "refuse",
        error: { message: "expected one TargetSync in the namespace, found 2 (other, sync): nothing is synced" },
      },
    ],
    ["refuses while another one cleans up", { siblings: [leaving] }, { kind: "refuse" }],
    ["does not refuse again and again (core 53)", { siblings: [other], attempt: done }, { kind: "wait" }],
    [
      "refuses two expressions",
      { targetSync: storedTargetSync({ secretNameExpression: "*", shootNameExpression: "*" }) },
      { kind: "refuse", error: { reason: "InvalidTargetSync" } },
    ],
    [
      "removes what it made when it is deleted",
      { targetSync: storedTargetSync({}, { deletionTimestamp }), attempt: done },
      { kind: "remove" },
    ],
    [
      "removes it as well when the other one is deleted, too",
      { targetSync: storedTargetSync({}, { deletionTimestamp }), siblings: [leaving] },
      { kind: "remove" },
    ],
    [
      "leaves it to the one that stays",
      { targetSync: storedTargetSync({}, { deletionTimestamp }), siblings: [other] },
      { kind: "release" },
    ],
    [
      "rests without its finalizer",
      { targetSync: storedTargetSync({}, { deletionTimestamp, finalizers: [] }) },
      { kind: "rest" },
    ],
  ])("%s", (_name, fields, expected) => {
    expect(decideTargetSync(observed(fields))).toMatchObject(expected as Record<string, unknown>);
  });
});
