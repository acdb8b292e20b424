import { beforeEach, describe, expect, it } from "@jest/globals";
import type { KubeObject } from "@landscaper/api";
import type { AwaitedObjects } from "@landscaper/resources";
import type { Subscriber } from "./kind-watches.ts";
import { playCluster } from "../../test/play-watches.ts";
import { WakeUps, type Coverage } from "./wake-ups.ts";

const { cluster } = playCluster();
/** Kinds whose watches stand. */
let standing: Set<string>;
let wakers: Map<string, Subscriber["wake"]>;
let woken: string[];
let wakeUps: WakeUps;

beforeEach(() => {
  standing = new Set();
  wakers = new Map();
  woken = [];
  const watches = {
    subscribe: ({ kind }: AwaitedObjects, wake: Subscriber["wake"]) => {
      wakers.set(kind, wake);
      return {
        get isStanding() {
          return standing.has(kind);
        },
        end: () => wakers.delete(kind),
      };
    },
    keyOf: ({ kind }: AwaitedObjects) => kind,
  };
  wakeUps = new WakeUps({
    watches,
    wake: (news, afterMs) => woken.push(afterMs === 0 ? news : `${news} in ${afterMs} ms`),
    signal: new AbortController().signal,
  });
});

const needed = (kind: string): AwaitedObjects => ({ cluster, apiVersion: "v1", kind });
const optional = (kind: string): AwaitedObjects => ({ ...needed(kind), isOptional: true });

function wait(...objects: readonly AwaitedObjects[]): Coverage {
  const coverage = wakeUps.waitFor(objects);
  wakeUps.beginPass();
  return coverage;
}

describe("a wait with objects that only explain it", () => {
  it.each<readonly [string, readonly string[], readonly AwaitedObjects[], Coverage]>([
    ["is covered where these are not watched", ["Deployment"], [needed("Deployment"), optional("Pod")], "covered"],
    ["is covered where all are watched", ["Deployment", "Pod"], [needed("Deployment"), optional("Pod")], "covered"],
    ["is not where these alone are watched", ["Pod"], [needed("Deployment"), optional("Pod")], "uncovered"],
    ["is not when it waits for nothing else", ["Pod"], [optional("Pod")], "uncovered"],
    [
      "needs what somebody else needs",
      ["Deployment"],
      [needed("Deployment"), optional("Pod"), needed("Pod")],
      "uncovered",
    ],
  ])("%s", (...[, kinds, objects, coverage]) => {
    standing = new Set(kinds);
    wait(...objects);
    expect(wait(...objects)).toBe(coverage);
  });

  it("is looked at again when their watch stands since the last look", () => {
    standing = new Set(["Deployment"]);
    wait(needed("Deployment"));
    standing.add("Pod");
    expect(wait(needed("Deployment"), optional("Pod"))).toBe("fresh");
  });
});

it("tells everybody who has named the objects, as of the last wait, of their news", () => {
  const told: string[] = [];
  const listening = (who: string): AwaitedObjects => ({ ...optional("Pod"), onNews: () => told.push(who) });
  wait(listening("former"));
  wait(listening("a"), needed("Pod"), listening("b"));
  wakers.get("Pod")?.("change");
  expect([told, woken]).toEqual([["a", "b"], ["change"]]);
});

describe("a wait that says how soon a change ends it", () => {
  const object = (name: string): KubeObject => ({ apiVersion: "v1", kind: "Pod", metadata: { name } });
  const delayed = (delays: Readonly<Record<string, number>>): AwaitedObjects => ({
    ...needed("Pod"),
    newsAfterMs: ({ metadata: { name = "" } }) => delays[name],
  });

  it("is woken then, as of the last wait, and not for others", () => {
    wait(delayed({ a: 0, b: 0, c: 0 }));
    wait(delayed({ a: 0, b: 500 }));
    for (const name of ["a", "b", "c"]) wakers.get("Pod")?.("change", object(name));
    expect(woken).toEqual(["change", "change in 500 ms"]);
  });

  it("is woken at once by a deletion, by what may have been missed, and where another one waits for every change", () => {
    wait(delayed({}));
    wakers.get("Pod")?.("change");
    wakers.get("Pod")?.("watch");
    wait(delayed({ a: 500 }), needed("Pod"));
    wakers.get("Pod")?.("change", object("a"));
    expect(woken).toEqual(["change", "watch", "change"]);
  });
});
