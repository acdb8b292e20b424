import { describe, expect, it } from "@jest/globals";
import { assert, nat, pre, property, stringMatching, uniqueArray, uuid } from "fast-check";
import { ownerOfItem } from "./item-owner.ts";

const members = uniqueArray(stringMatching(/^[a-z][a-z0-9-]{0,20}$/), { minLength: 1, maxLength: 8 });
const runs = { numRuns: 300, seed: 20261121 };

describe("the owner of an item", () => {
  it("is nobody without members, and the only one there is", () => {
    expect(ownerOfItem("uid", [])).toBe(undefined);
    expect(ownerOfItem("uid", ["pod-a"])).toBe("pod-a");
  });

  it("is one of the members, whatever their order", () => {
    assert(
      property(uuid(), members, (uid, pods) => {
        const owner = ownerOfItem(uid, pods) ?? "";
        return pods.includes(owner) && ownerOfItem(uid, pods.toReversed()) === owner;
      }),
      runs,
    );
  });

  it("stays when another one goes", () => {
    assert(
      property(uuid(), members, nat(), (uid, pods, pick) => {
        const gone = pods[pick % pods.length];
        const owner = ownerOfItem(uid, pods);
        pre(owner !== gone);
        return (
          ownerOfItem(
            uid,
            pods.filter((pod) => pod !== gone),
          ) === owner
        );
      }),
      runs,
    );
  });

  it("stays, or is the one that comes", () => {
    assert(
      property(uuid(), members, (uid, pods) => {
        const owner = ownerOfItem(uid, [...pods, "NEW"]);
        return owner === "NEW" || owner === ownerOfItem(uid, pods);
      }),
      runs,
    );
  });

  it("is spread evenly", () => {
    const pods = ["deployer-6f7d9-abcde", "deployer-6f7d9-fghij", "deployer-6f7d9-klmno"];
    const counts = new Map<string, number>();
    for (let index = 0; index < 3000; index++) {
      const owner = ownerOfItem(`00000000-0000-4000-8000-${String(index).padStart(12, "0")}`, pods) ?? "";
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
    for (const pod of pods) expect(Math.abs((counts.get(pod) ?? 0) - 1000)).toBeLessThan(120);
  });
});
