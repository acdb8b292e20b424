import { describe, expect, it } from "@jest/globals";
import { isAcknowledged, keysOf, type Claim } from "./claim.ts";
import type { Position } from "./position-tracker.ts";

function claim(resourceVersion: string, more: Partial<Claim> = {}): Claim {
  const data = { kind: "Installation", namespace: "n", name: "a", uid: "u", resourceVersion, phase: "Init" };
  return { by: "p", time: "", data, ...more };
}

describe("a claim is known to be published", () => {
  it.each<readonly [string, Claim, Position, boolean]>([
    ["at its position", claim("5"), { resourceVersion: "5", lists: 0 }, true],
    ["before the position, whatever their number of digits", claim("9"), { resourceVersion: "10", lists: 0 }, true],
    ["not after the position", claim("11"), { resourceVersion: "10", lists: 0 }, false],
    ["not without a position", claim("5"), { lists: 0 }, false],
    ["not if the versions have no order", claim("5"), { resourceVersion: "0", lists: 1 }, false],
    ["if its list is published", claim("50", { list: 2 }), { resourceVersion: "10", lists: 2 }, true],
    ["not if its list is not published", claim("5", { list: 2 }), { resourceVersion: "10", lists: 1 }, false],
    ["if it says so", claim("50", { isPublished: true }), { resourceVersion: "10", lists: 1 }, true],
  ])("%s", (...[, given, position, want]) => {
    expect(isAcknowledged(given, position)).toBe(want);
  });
});

it("keeps the keys of landscaper clusters apart whose ids differ in characters that a key cannot have", () => {
  expect(["a-b", "a.b", "a_b", "a=2eb"].map((hubId) => keysOf(hubId).owner)).toEqual([
    "a-b.owner",
    "a=2eb.owner",
    "a=5fb.owner",
    "a=3d2eb.owner",
  ]);
});
