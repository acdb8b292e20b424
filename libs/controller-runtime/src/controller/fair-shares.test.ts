import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { FairShares } from "./fair-shares.ts";
import type { ShareLimit, ShareLimits } from "./fair-shares.ts";

function setUp(limits: Partial<ShareLimits>) {
  const granted: string[] = [];
  const limited: ShareLimit[] = [];
  const shares = new FairShares({
    limits: { total: 100, perNamespace: 100, perServer: 100, ...limits },
    onGranted: (key) => void granted.push(key),
    onWaiting: (limit) => void limited.push(limit),
  });
  /** Enters a key called namespace/server/number. */
  const enter = (key: string): boolean => {
    const [namespace = "", server] = key.split("/");
    return shares.enter(key, { namespace, server: server === "-" ? undefined : server });
  };
  return { shares, granted, limited, enter };
}

describe("FairShares", () => {
  it.each<{ what: string; limits: Partial<ShareLimits>; keys: [string, string, string]; limit: ShareLimit }>([
    { what: "a namespace", limits: { perNamespace: 2 }, keys: ["a/x/1", "a/y/2", "a/z/3"], limit: "namespace" },
    { what: "a server", limits: { perServer: 2 }, keys: ["a/x/1", "b/x/2", "c/x/3"], limit: "server" },
    { what: "all", limits: { total: 2 }, keys: ["a/x/1", "b/y/2", "c/z/3"], limit: "total" },
  ])("keeps $what within its limit, in order of arrival", ({ limits, keys: [first, second, third], limit }) => {
    const { shares, granted, limited, enter } = setUp(limits);
    expect([first, second, third, `${third}4`].map(enter)).toEqual([true, true, false, false]);
    expect(limited).toEqual([limit, limit]);
    expect(enter(third)).toBe(false);
    shares.leave(first);
    expect(granted).toEqual([third]);
    expect(enter(third)).toBe(true);
    expect([shares.running, shares.waiting]).toEqual([2, 1]);
  });

  it("lets others pass whose namespace and server have room", () => {
    const { enter } = setUp({ perNamespace: 2, perServer: 1 });
    expect(["a/dead/1", "a/dead/2", "a/good/3", "a/good/4", "b/dead/5", "b/fine/6"].map(enter)).toEqual([
      true,
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  it("does not limit the servers of keys that name none", () => {
    const { enter } = setUp({ perServer: 1 });
    expect(["a/-/1", "a/-/2", "a/-/3"].map(enter)).toEqual([true, true, true]);
  });

  it("gives a place to the namespace with the fewest, and takes turns among equals", () => {
    const { shares, granted, enter } = setUp({ total: 3 });
    ["a/x/1", "a/x/2", "a/x/3", "a/x/4", "b/x/1", "b/x/2", "c/x/1"].forEach(enter);
    shares.leave("a/x/1");
    shares.leave("a/x/2");
    shares.leave("a/x/3");
    shares.leave("b/x/1");
    expect(granted).toEqual(["b/x/1", "c/x/1", "a/x/4", "b/x/2"]);
  });

  it("lets the servers of a namespace take turns", () => {
    const { shares, granted, enter } = setUp({ perNamespace: 1 });
    ["a/dead/1", "a/dead/2", "a/dead/3", "a/good/1", "a/good/2"].forEach(enter);
    for (const key of ["a/dead/1", "a/dead/2", "a/good/1", "a/dead/3"]) shares.leave(key);
    expect(granted).toEqual(["a/dead/2", "a/good/1", "a/dead/3", "a/good/2"]);
  });

  it("forgets a waiting key that leaves", () => {
    const { shares, granted, enter } = setUp({ total: 1 });
    ["a/x/1", "b/x/1", "c/x/1"].forEach(enter);
    shares.leave("b/x/1");
    shares.leave("a/x/1");
    expect(granted).toEqual(["c/x/1"]);
    shares.leave("c/x/1");
    expect([shares.running, shares.waiting]).toEqual([0, 0]);
  });

  it("takes a granted place back that is not used", () => {
    const { shares, granted, enter } = setUp({ total: 1 });
    ["a/x/1", "b/x/1", "c/x/1"].forEach(enter);
    shares.leave("a/x/1");
    shares.leave("b/x/1");
    expect(granted).toEqual(["b/x/1", "c/x/1"]);
  });

  it("moves a waiting key whose server is another one now", () => {
    const { shares, granted, enter } = setUp({ perServer: 1 });
    ["a/x/1", "b/x/2"].forEach(enter);
    expect(shares.enter("b/x/2", { namespace: "b", server: "y" })).toBe(true);
    expect(granted).toEqual([]);
  });

  it("counts what was forced", () => {
    const { shares, granted, enter } = setUp({ total: 1 });
    enter("a/x/1");
    enter("b/x/1");
    shares.force("b/x/1", { namespace: "b", server: "x" });
    expect([shares.running, shares.waiting]).toEqual([2, 0]);
    expect(enter("c/x/1")).toBe(false);
    shares.leave("a/x/1");
    expect(granted).toEqual([]);
    shares.leave("b/x/1");
    expect(granted).toEqual(["c/x/1"]);
  });

  it("serves a namespace with one key after at most one place of a namespace with hundreds", () => {
    const { shares, granted, enter } = setUp({ total: 10 });
    for (let index = 0; index < 500; index++) enter(`crowd/x/${index}`);
    expect(enter("lone/x/1")).toBe(false);
    shares.leave("crowd/x/0");
    expect(granted).toEqual(["lone/x/1"]);
  });
});

const limitsOf = fc.record({
  total: fc.integer({ min: 1, max: 8 }),
  perNamespace: fc.integer({ min: 1, max: 5 }),
  perServer: fc.integer({ min: 1, max: 5 }),
});
const keyOf = fc
  .tuple(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom("x", "y", "z", "-"), fc.integer({ min: 0, max: 5 }))
  .map((parts) => parts.join("/"));
const steps = fc.array(fc.tuple(fc.constantFrom("enter", "leave"), keyOf), { maxLength: 200 });

describe("FairShares, whatever comes and goes", () => {
  it("keeps every limit, and leaves no place empty that a waiting key may take", () => {
    fc.assert(
      fc.property(limitsOf, steps, (limits, all) => {
        const { shares, granted, enter } = setUp(limits);
        const running = new Set<string>();
        const waiting = new Set<string>();
        const count = (part: 0 | 1, name: string): number =>
          [...running].filter((key) => key.split("/")[part] === name).length;
        const hasRoom = (key: string): boolean => {
          const [namespace = "", server = "-"] = key.split("/");
          if (running.size >= limits.total || count(0, namespace) >= limits.perNamespace) return false;
          return server === "-" || count(1, server) < limits.perServer;
        };
        for (const [what, key] of all) {
          if (what === "leave") {
            running.delete(key);
            waiting.delete(key);
            shares.leave(key);
            for (const next of granted.splice(0)) {
              waiting.delete(next);
              expect(hasRoom(next)).toBe(true);
              running.add(next);
            }
          } else if (!running.has(key)) {
            const isFree = hasRoom(key);
            expect(enter(key)).toBe(isFree);
            if (isFree) running.add(key);
            else waiting.add(key);
          }
          expect([...waiting].filter(hasRoom)).toEqual([]);
          expect([shares.running, shares.waiting]).toEqual([running.size, waiting.size]);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("starves nobody: a key is served before the other namespaces have had two turns each", () => {
    fc.assert(
      fc.property(limitsOf, fc.array(keyOf, { minLength: 1, maxLength: 60 }), (limits, crowd) => {
        const { shares, granted, enter } = setUp({ ...limits, perServer: 100 });
        const running = [...new Set(crowd)].filter(enter);
        const lone = "lone/-/0";
        if (enter(lone)) return;
        // The crowd comes again and again: what has ended waits once more.
        for (let turns = 0; !running.includes(lone); turns++) {
          expect(turns).toBeLessThanOrEqual(2 * 4);
          const ended = running.shift() ?? "";
          shares.leave(ended);
          running.push(...granted.splice(0));
          enter(ended);
        }
      }),
    );
  });
});
