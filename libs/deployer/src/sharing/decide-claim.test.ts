import { describe, expect, it } from "@jest/globals";
import type { DeployItem, DeployItemStatus } from "@landscaper/api";
import { assert, constantFrom, property, subarray, uuid } from "fast-check";
import { decideClaim, isTaken, replicaIdentity, type Claim, type ClaimView, type HolderState } from "./decide-claim.ts";
import { ownerOfItem } from "./item-owner.ts";

const identity = "manifest";
const pods = ["a", "b", "c"];
const uid = "uid-of-a";
// What the rows below rely on.
const owner = ownerOfItem(uid, pods) ?? "";
const [second = "", third = ""] = pods.filter((pod) => pod !== owner);
const heir = ownerOfItem(uid, [second, third]) ?? "";
const other = heir === second ? third : second;

function item(status: DeployItemStatus, itemUid = uid): DeployItem {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "n", uid: itemUid },
    spec: { type: "t" },
    status,
  };
}

/** What the Leases of `members` say; `gone` have left theirs behind. */
function view(pod: string, members: readonly string[] | undefined, more: Partial<ClaimView> = {}): ClaimView {
  const stateOf = (holder: string): HolderState => {
    if (members?.some((member) => replicaIdentity(identity, member) === holder) === true) return "live";
    if (holder.startsWith("green/")) return "live";
    return holder.endsWith("/unknown") || holder === "original" ? "unknown" : "ended";
  };
  return { identity, pod, members, stateOf, silentMs: () => 0, leaseDurationMs: 15_000, ...more };
}

const open: DeployItemStatus = { jobID: "2", jobIDFinished: "1" };
const closed: DeployItemStatus = { jobID: "2", jobIDFinished: "2", phase: "Succeeded" };

function by(pod: string, status: DeployItemStatus): DeployItemStatus {
  return { ...status, deployer: { identity: replicaIdentity(identity, pod), name: "n", version: "v" } };
}

const at = "2026-01-01T12:00:00Z";
const words = { reason: "Running", message: "", lastTransitionTime: at, lastUpdateTime: at };
const inWork = (pod: string): DeployItemStatus =>
  by(pod, { ...open, phase: "Progressing", transitionTimes: { initTime: "2026-01-01T12:00:00Z" } });
const running = (pod: string, status: DeployItemStatus): DeployItemStatus =>
  by(pod, { ...status, conditions: [{ type: "ContinuousReconcile", status: "Unknown", ...words }] });

const planning = (pod: string): DeployItemStatus =>
  by(pod, { ...closed, conditions: [{ type: "Planned", status: "Unknown", ...words }] });

const ours: Claim = { type: "ours" };
const theirs: Claim = { type: "theirs" };
const from = (pod: string): Claim => ({ type: "orphaned", holder: replicaIdentity(identity, pod) });
const wait = (holder: string, leftMs: number): Claim => ({ type: "wait", holder, leftMs });
const held = (holder: string, status: DeployItemStatus = inWork("x")): DeployItemStatus => ({
  ...status,
  deployer: { identity: holder, name: "n", version: "v" },
});

describe("an item", () => {
  it.each<readonly [string, DeployItemStatus, readonly string[] | undefined, Record<string, Claim>]>([
    ["that is new is its owner's", open, pods, { [owner]: ours, [second]: theirs, [third]: theirs }],
    ["that another one had is its owner's", by(second, open), pods, { [owner]: ours, [second]: theirs }],
    ["that another instance had is its owner's", held("green/x", open), pods, { [owner]: ours, [second]: theirs }],
    ["without job is its owner's", by(second, closed), pods, { [owner]: ours, [second]: theirs }],
    ["in work stays with its holder", inWork(second), pods, { [owner]: theirs, [second]: ours, [third]: theirs }],
    ["in work stays with its holder though the others do not see it", inWork(other), [heir], { [other]: ours }],
    [
      "in work of one that is gone is the next owner's, who has to take it over",
      inWork(owner),
      [second, third],
      { [heir]: from(owner), [other]: theirs },
    ],
    [
      "in work of this instance without the name of a pod is the owner's at once",
      held(identity),
      pods,
      { [owner]: { type: "orphaned", holder: identity }, [second]: theirs },
    ],
    [
      "in work of another instance that lives is nobody's here, and they step back",
      held("green/x"),
      pods,
      { [owner]: { type: "theirs", holder: "green/x" }, [second]: { type: "theirs", holder: "green/x" } },
    ],
    [
      "in work of another instance that is gone",
      held("red/x"),
      pods,
      { [owner]: { type: "orphaned", holder: "red/x" }, [second]: theirs },
    ],
    ["between jobs stays with who is at work", running(second, closed), pods, { [owner]: theirs, [second]: ours }],
    [
      "whose job comes while one is at work between jobs is that one's",
      running(second, open),
      pods,
      { [owner]: theirs, [second]: ours },
    ],
    ["whose plan is in work stays with its maker", planning(second), pods, { [owner]: theirs, [second]: ours }],
    ["whose plan one that is gone was making", planning("old"), pods, { [owner]: from("old"), [second]: theirs }],
    ["between jobs of one that is gone", running("old", closed), pods, { [owner]: from("old"), [second]: theirs }],
    ["is nobody's before the members are known", open, undefined, { [owner]: theirs, [second]: theirs }],
    ["in work is still its holder's before the members are known", inWork(owner), undefined, { [owner]: ours }],
    ["is nobody's without members", open, [], { [owner]: theirs }],
  ])("%s", (...[, status, members, expected]) => {
    const found = Object.keys(expected).map((pod) => [pod, decideClaim(item(status), view(pod, members))]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});

describe("an item whose request for a plan is answered and still there", () => {
  const answered = (holder: string, planned: "True" | "False" | "Unknown"): DeployItemStatus => ({
    ...closed,
    deployer: { identity: holder, name: "n", version: "v" },
    conditions: [{ type: "Planned", status: planned, ...words }],
  });
  const asking = (status: DeployItemStatus): DeployItem => {
    const asked = item(status);
    return {
      ...asked,
      metadata: { ...asked.metadata, annotations: { "landscaper.gardener.cloud/operation": "plan" } },
    };
  };
  it.each<readonly [string, DeployItem, number, Claim]>([
    ["stays with the instance that answered", asking(answered("green/x", "True")), 0, wait("green/x", 15_000)],
    ["stays with it after a refusal", asking(answered("green/x", "False")), 14_999, wait("green/x", 1)],
    ["is the owner's when that instance leaves it", asking(answered("green/x", "True")), 15_000, ours],
    ["is the owner's when that instance has ended", asking(answered("red/x", "True")), 0, ours],
    ["is the owner's when a replica answered", asking(answered("manifest/old", "True")), 0, ours],
    ["is the owner's once the request is gone", item(answered("green/x", "True")), 0, ours],
    [
      "is the owner's when a job is open",
      asking({ ...answered("green/x", "True"), jobID: "3", jobIDFinished: "2" }),
      0,
      ours,
    ],
  ])("%s", (...[, asked, silentMs, expected]) => {
    expect(decideClaim(asked, view(owner, pods, { silentMs: () => silentMs }))).toEqual(expected);
    expect(decideClaim(asked, view(second, pods, { silentMs: () => silentMs }))).toEqual(theirs);
  });
});

describe("an item in work of a holder without Lease", () => {
  it.each<readonly [string, string, number, Claim]>([
    ["has just been written", "original", 0, { type: "wait", holder: "original", leftMs: 15_000 }],
    ["was written a while ago", "original", 14_999, { type: "wait", holder: "original", leftMs: 1 }],
    ["was not written for one Lease duration", "original", 15_000, { type: "orphaned", holder: "original" }],
    ["is a former pod", "manifest/unknown", 1000, { type: "wait", holder: "manifest/unknown", leftMs: 14_000 }],
    ["is a former pod that wrote long ago", "manifest/unknown", 60_000, from("unknown")],
  ])("%s", (...[, holder, silentMs, expected]) => {
    const silent = { silentMs: () => silentMs };
    expect(decideClaim(item(held(holder)), view(owner, pods, silent))).toEqual(expected);
    expect(decideClaim(item(held(holder)), view(second, pods, silent))).toEqual(theirs);
  });

  it("counts as one when nobody has written down who", () => {
    const { deployer: _nobody, ...status } = inWork("x");
    const expected = { type: "wait", holder: "", leftMs: 15_000 };
    expect(decideClaim(item(status), view(owner, pods, { stateOf: () => "unknown" }))).toEqual(expected);
  });
});

describe("an item is taken from a process", () => {
  it.each([
    ["when another one has it in work", held("green/x"), true],
    ["when another one is at work between jobs", running("b", closed), true],
    ["not while it has it", inWork("a"), false],
    ["not when nothing is in work", held("green/x", closed), false],
  ])("%s", (_name, status, expected) => {
    expect(isTaken(item(status), replicaIdentity(identity, "a"))).toBe(expected);
  });
});

describe("replicas that see the same", () => {
  const statuses = constantFrom(open, closed, ...pods.flatMap((pod) => [inWork(pod), running(pod, closed)]));
  const views = subarray(pods, { minLength: 1 });

  it("work on each item by exactly one", () => {
    assert(
      property(uuid(), statuses, views, (itemUid, status, members) => {
        const claims = members.map((pod) => decideClaim(item(status, itemUid), view(pod, members)));
        return claims.filter((claim) => claim.type !== "theirs").length === 1;
      }),
      { numRuns: 500, seed: 20261121 },
    );
  });
});

describe("replicas that see different members", () => {
  const works = constantFrom(...pods.flatMap((pod) => [inWork(pod), running(pod, closed), running(pod, open)]));

  it("leave what is in work to its holder, as long as they see it", () => {
    assert(
      property(uuid(), works, subarray(pods), (itemUid, status, seen) => {
        const holder = status.deployer?.identity?.split("/")[1] ?? "";
        const members = [...new Set([...seen, holder])];
        return pods
          .filter((pod) => pod !== holder)
          .every((pod) => decideClaim(item(status, itemUid), view(pod, members)).type === "theirs");
      }),
      { numRuns: 500, seed: 20261121 },
    );
  });
});
