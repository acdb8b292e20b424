import { describe, expect, it } from "@jest/globals";
import type { DeployItem } from "@landscaper/api";
import type { ItemRequest } from "../../ha/audit-replicas.ts";
import { findHeldItems, findSharedWork } from "../../ha/audit-replicas.ts";

const death = { pod: "a", atMs: 100, held: new Set(["held"]) };
const write = (pod: string, item: string, atMs: number): ItemRequest => ({ pod, item, isWrite: true, atMs });

describe("the audit of shared work", () => {
  it.each<readonly [string, readonly ItemRequest[], readonly string[]]>([
    ["one replica each", [write("a", "one", 10), write("a", "one", 20), write("b", "two", 10)], []],
    ["a dead one is followed", [write("a", "held", 10), write("b", "held", 110)], []],
    ["two live ones", [write("b", "one", 10), write("c", "one", 20)], ["one was worked on by b and c"]],
    [
      "two follow a dead one",
      [write("a", "held", 10), write("b", "held", 110), write("c", "held", 120)],
      ["held was worked on by a and b and c"],
    ],
    [
      "one comes before the other one is dead",
      [write("a", "held", 10), write("b", "held", 90)],
      ["b worked on held while a lived"],
    ],
    [
      "what was done runs again",
      [write("a", "done", 10), write("b", "done", 110)],
      ["done ran again although a did not hold it"],
    ],
  ])("%s", (_name, requests, expected) => {
    expect(findSharedWork(requests, death)).toEqual(expected);
  });
});

describe("what a replica left open", () => {
  const version = (name: string, pod: string, jobIDFinished = ""): DeployItem => ({
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name, namespace: "n" },
    spec: { type: "t" },
    status: { jobID: "1", jobIDFinished, deployer: { identity: `deployer/${pod}`, name: "", version: "" } },
  });

  it.each<readonly [string, readonly DeployItem[], readonly string[]]>([
    [
      "in work until another one takes it",
      [version("one", "a"), version("one", "b"), version("one", "b", "1")],
      ["one"],
    ],
    ["finished by it", [version("one", "a"), version("one", "a", "1")], []],
    [
      "finished by it and run again by another one",
      [version("one", "a"), version("one", "a", "1"), version("one", "b")],
      [],
    ],
    ["never its own", [version("one", "b")], []],
  ])("%s", (_name, versions, expected) => {
    expect([...findHeldItems(versions, "a")]).toEqual(expected);
  });
});
