import { describe, expect, it } from "@jest/globals";
import type { DeployItem, DeployItemStatus } from "@landscaper/api";
import { assert, constantFrom, property, subarray, uuid } from "fast-check";
import { decideClaim, replicaIdentity, type Claim } from "./decide-claim.ts";
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

describe("an item", () => {
  it.each<readonly [string, DeployItemStatus, readonly string[] | undefined, Record<string, Claim>]>([
    ["that is new is its owner's", open, pods, { [owner]: "ours", [second]: "theirs", [third]: "theirs" }],
    ["that another one had is its owner's", by(second, open), pods, { [owner]: "ours", [second]: "theirs" }],
    ["without job is its owner's", by(second, closed), pods, { [owner]: "ours", [second]: "theirs" }],
    ["in work stays with its holder", inWork(second), pods, { [owner]: "theirs", [second]: "ours", [third]: "theirs" }],
    ["in work stays with its holder though the others do not see it", inWork(other), [heir], { [other]: "ours" }],
    [
      "in work of one that is gone is the next owner's, who has to take it over",
      inWork(owner),
      [second, third],
      { [heir]: "orphaned", [other]: "theirs" },
    ],
    ["in work of nobody known is the owner's, who has to take it over", inWork("old"), pods, { [owner]: "orphaned" }],
    [
      "in work of a process that did not share",
      { ...inWork(owner), deployer: { identity } },
      pods,
      { [owner]: "orphaned", [second]: "theirs" },
    ],
    [
      "in work of another instance",
      { ...inWork(owner), deployer: { identity: `other/${second}` } },
      pods,
      { [owner]: "orphaned", [second]: "theirs" },
    ],
    ["between jobs stays with who is at work", running(second, closed), pods, { [owner]: "theirs", [second]: "ours" }],
    [
      "whose job comes while one is at work between jobs is that one's",
      running(second, open),
      pods,
      { [owner]: "theirs", [second]: "ours" },
    ],
    ["whose plan is in work stays with its maker", planning(second), pods, { [owner]: "theirs", [second]: "ours" }],
    ["whose plan one that is gone was making", planning("old"), pods, { [owner]: "orphaned", [second]: "theirs" }],
    ["between jobs of one that is gone", running("old", closed), pods, { [owner]: "orphaned", [second]: "theirs" }],
    ["is nobody's before the members are known", open, undefined, { [owner]: "theirs", [second]: "theirs" }],
    ["in work is still its holder's before the members are known", inWork(owner), undefined, { [owner]: "ours" }],
    ["is nobody's without members", open, [], { [owner]: "theirs" }],
  ])("%s", (...[, status, members, expected]) => {
    const found = Object.keys(expected).map((pod) => [pod, decideClaim(item(status), { identity, pod, members })]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});

describe("replicas that see the same", () => {
  const statuses = constantFrom(open, closed, ...pods.flatMap((pod) => [inWork(pod), running(pod, closed)]));
  const views = subarray(pods, { minLength: 1 });

  it("work on each item by exactly one", () => {
    assert(
      property(uuid(), statuses, views, (itemUid, status, members) => {
        const claims = members.map((pod) => decideClaim(item(status, itemUid), { identity, pod, members }));
        return claims.filter((claim) => claim !== "theirs").length === 1;
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
          .every((pod) => decideClaim(item(status, itemUid), { identity, pod, members }) === "theirs");
      }),
      { numRuns: 500, seed: 20261121 },
    );
  });
});
