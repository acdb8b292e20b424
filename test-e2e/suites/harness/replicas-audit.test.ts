import { describe, expect, it } from "@jest/globals";
import type { ItemRequest } from "../../ha/audit-replicas.ts";
import { findSharedWork } from "../../ha/audit-replicas.ts";

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
