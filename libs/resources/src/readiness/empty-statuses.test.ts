import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { resourceId } from "../cluster/resource-reference.ts";
import { EmptyStatuses, lacksStatus, type EmptyStatusRules } from "./empty-statuses.ts";

const rules: EmptyStatusRules = {
  waitMs: 15_000,
  kinds: [{ apiVersion: "example.org/v1", kind: "Slow", waitMs: 60_000 }],
};

function resource(fields: object = {}, kind = "Shop"): UnstructuredObject {
  const metadata = { name: "a", namespace: "n", uid: "u", generation: 1 };
  return { apiVersion: "example.org/v1", kind, metadata, ...fields };
}

const idOf = ({ apiVersion, kind }: UnstructuredObject): string =>
  resourceId({ apiVersion, kind, name: "a", namespace: "n" });

function statusesOf(...changed: readonly UnstructuredObject[]): EmptyStatuses {
  const statuses = new EmptyStatuses([], { isTakenOver: false });
  for (const object of changed) statuses.noteChanged(idOf(object));
  return statuses;
}

describe("an object lacks a status", () => {
  const type = { group: "", version: "v1", kind: "Shop", plural: "shops", namespaced: true, hasStatus: true };
  it.each<readonly [string, UnstructuredObject, boolean, boolean]>([
    ["if it has none", resource(), true, true],
    ["if it is null", resource({ status: null }), true, true],
    ["if it is empty", resource({ status: {} }), true, true],
    ["not if it has any field", resource({ status: { phase: "" } }), true, false],
    ["not if its kind has no subresource status", resource(), false, false],
    ["not if its kind is one of Kubernetes", resource({ apiVersion: "apps/v1" }), true, false],
    ["not if its kind is in the core group", resource({ apiVersion: "v1" }), true, false],
    [
      "if its CRD has a group of the Kubernetes project",
      resource({ apiVersion: "gateway.networking.k8s.io/v1" }),
      true,
      true,
    ],
  ])("%s", (...[, object, hasStatus, lacks]) => {
    expect(lacksStatus(object, { ...type, hasStatus })).toBe(lacks);
  });
});

describe("the wait for the first status", () => {
  it("begins with the first look, ends once, and counts for this generation", () => {
    const object = resource();
    const statuses = statusesOf(object);
    expect([1000, 2000, 15_999].map((nowMs) => statuses.remainingMs(object, rules, nowMs))).toEqual([
      15_000, 14_000, 1,
    ]);
    expect([statuses.takeTimedOut(), statuses.ready]).toEqual([[], []]);
    expect(statuses.remainingMs(object, rules, 16_000)).toBe(0);
    expect(statuses.remainingMs(object, rules, 16_001)).toBe(0);
    expect(statuses.takeTimedOut()).toEqual(["Shop n/a"]);
    expect(statuses.takeTimedOut()).toEqual([]);
    expect(statuses.ready).toEqual([{ uid: "u", generation: 1 }]);
    const { metadata } = object;
    expect(statuses.remainingMs({ ...object, metadata: { ...metadata, generation: 2 } }, rules, 17_000)).toBe(15_000);
  });

  it("takes as long as the rule of the kind says", () => {
    const object = resource({}, "Slow");
    expect(statusesOf(object).remainingMs(object, rules, 0)).toBe(60_000);
  });

  it("is only for objects that the job has created or changed", () => {
    const object = resource();
    const statuses = statusesOf();
    expect(statuses.remainingMs(object, rules, 0)).toBe(0);
    expect([statuses.takeTimedOut(), statuses.ready]).toEqual([[], []]);
    statuses.noteAllChanged();
    expect(statuses.remainingMs(object, rules, 0)).toBe(15_000);
  });

  it("is for all objects if another process has begun the job, but not for those that were waited for", () => {
    const known = [{ uid: "u", generation: 1 }];
    const object = resource();
    expect(new EmptyStatuses([], { isTakenOver: true }).remainingMs(object, rules, 0)).toBe(15_000);
    expect(new EmptyStatuses(known, { isTakenOver: true }).remainingMs(object, rules, 0)).toBe(0);
  });
});
