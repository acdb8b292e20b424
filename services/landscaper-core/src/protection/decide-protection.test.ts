import { describe, expect, it } from "@jest/globals";
import { apiVersion, protectionFinalizer, type KubeObject } from "@landscaper/api";
import { decideProtection, type ObservedProtection } from "./decide-protection.ts";

const owner = { apiVersion, kind: "DeployItem", name: "item", uid: "u" };

const objectOf = ({ isProtected = false, isDeleting = false, isOwned = false }): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    name: "kubeconfig",
    uid: "secret",
    finalizers: ["example.org/other", ...(isProtected ? [protectionFinalizer] : [])],
    ...(isOwned ? { ownerReferences: [owner] } : {}),
    ...(isDeleting ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
  },
});

type Given = Parameters<typeof objectOf>[0] & Partial<Pick<ObservedProtection, "isUsed" | "state">>;
const state = { uid: "secret", addedMs: undefined, isAnnounced: false };

describe("the protection of an object", () => {
  it.each<[string, Given, object]>([
    ["begins if the object is used", { isUsed: true }, { kind: "add" }],
    ["continues while the object is used", { isUsed: true, isProtected: true }, { kind: "rest" }],
    [
      "is reported if the object is deleted and used",
      { isUsed: true, isProtected: true, isDeleting: true },
      { kind: "announce" },
    ],
    [
      "is reported once",
      { isUsed: true, isProtected: true, isDeleting: true, state: { ...state, isAnnounced: true } },
      { kind: "rest" },
    ],
    [
      "is reported again for another object of the name",
      { isUsed: true, isProtected: true, isDeleting: true, state: { ...state, uid: "former", isAnnounced: true } },
      { kind: "announce" },
    ],
    ["ends if the object is no longer used", { isProtected: true }, { kind: "remove" }],
    ["ends if a deleted object is no longer used", { isProtected: true, isDeleting: true }, { kind: "remove" }],
    ["does not begin if the object is not used", {}, { kind: "rest" }],
    ["does not begin on a Secret that a DeployItem owns", { isUsed: true, isOwned: true }, { kind: "rest" }],
    ["ends on a Secret that a DeployItem owns", { isUsed: true, isOwned: true, isProtected: true }, { kind: "remove" }],
    [
      "does not begin on a deleted object, because the API server refuses it",
      { isUsed: true, isDeleting: true },
      { kind: "rest" },
    ],
    [
      "waits if another client has removed the finalizer within a minute",
      { isUsed: true, state: { ...state, addedMs: 70_000 } },
      { kind: "wait", ms: 30_000 },
    ],
    [
      "begins again if another client has removed the finalizer after a minute",
      { isUsed: true, state: { ...state, addedMs: 40_000 } },
      { kind: "add" },
    ],
    [
      "does not wait for another object of the name",
      { isUsed: true, state: { ...state, uid: "former", addedMs: 99_000 } },
      { kind: "add" },
    ],
  ])("%s", (_, { isUsed = false, state: known, ...fields }, decision) => {
    const observed = { object: objectOf(fields), isUsed, state: known, elapsedMs: 100_000 };
    expect(decideProtection(observed)).toEqual(decision);
  });
});
