import { describe, expect, it } from "@jest/globals";
import { findHold } from "./held-rollout.ts";

const paused = "it is paused; set spec.paused to false to roll it out";
const onDelete = "its update strategy is OnDelete; delete its Pods to update them";
const strategy = (type: string): object => ({ updateStrategy: { type } });

describe("findHold", () => {
  it.each<readonly [string, string, string, unknown, string | undefined]>([
    ["a paused Deployment", "apps/v1", "Deployment", { paused: true }, paused],
    ["no other Deployment", "apps/v1", "Deployment", { paused: false }, undefined],
    ["no Deployment of another group", "example.com/v1", "Deployment", { paused: true }, undefined],
    ["a StatefulSet with OnDelete", "apps/v1", "StatefulSet", strategy("OnDelete"), onDelete],
    ["no StatefulSet that rolls", "apps/v1", "StatefulSet", strategy("RollingUpdate"), undefined],
    ["no DaemonSet: its pods are awaited with OnDelete, too", "apps/v1", "DaemonSet", strategy("OnDelete"), undefined],
    ["nothing without a spec", "apps/v1", "Deployment", undefined, undefined],
  ])("finds %s", (...[, apiVersion, kind, spec, expected]) => {
    expect(findHold({ apiVersion, kind, metadata: { name: "web" }, spec })).toBe(expected);
  });

  it("finds no hold of an object that is being deleted", () => {
    const metadata = { name: "web", deletionTimestamp: "2026-01-01T00:00:00Z" };
    expect(findHold({ apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { paused: true } })).toBeUndefined();
  });
});
