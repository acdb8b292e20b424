import type { ObjectMeta } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { isObjectGone } from "./object-lifetime.ts";

const base = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
const deletionTimestamp = "2026-01-01T00:00:00Z";

describe("isObjectGone", () => {
  it.each<[name: string, metadata: Partial<ObjectMeta>, spec: unknown, want: boolean]>([
    ["an object that nobody has deleted", {}, undefined, false],
    ["a deleted one that a finalizer keeps", { deletionTimestamp, finalizers: ["a"] }, undefined, false],
    ["a deleted one without finalizers", { deletionTimestamp }, undefined, true],
    ["a deleted one whose last finalizer was taken", { deletionTimestamp, finalizers: [] }, undefined, true],
    ["a deleted one without grace", { deletionTimestamp, deletionGracePeriodSeconds: 0 }, undefined, true],
    ["a pod that may still run", { deletionTimestamp, deletionGracePeriodSeconds: 30 }, undefined, false],
    ["a namespace that is being emptied", { deletionTimestamp }, { finalizers: ["kubernetes"] }, false],
    ["a namespace that is empty", { deletionTimestamp }, { finalizers: [] }, true],
  ])("judges %s", (_name, ...[metadata, spec, want]) => {
    expect(isObjectGone({ ...base, metadata: { ...base.metadata, ...metadata }, spec })).toBe(want);
  });
});
