import { beforeEach, describe, expect, it } from "@jest/globals";
import { createFakeClock, type FakeClock } from "@landscaper/testkit";
import type { AwaitedObjects } from "@landscaper/resources";
import type { News } from "./kind-watches.ts";
import { playCluster, refusal, type PlayedCluster } from "../../test/play-watches.ts";
import { createTargetWatches, type Subscription, type TargetWatches } from "./target-watches.ts";

let clock: FakeClock;
let target: PlayedCluster;
let watches: TargetWatches;
let held: number;
let news: string[];

beforeEach(() => {
  clock = createFakeClock();
  target = playCluster();
  held = 0;
  news = [];
  watches = createTargetWatches({
    clock,
    random: () => 0,
    hold: () => {
      held++;
      return () => {
        held--;
      };
    },
    lingerMs: 1000,
  });
});

type Wanted = Partial<Omit<AwaitedObjects, "cluster">>;

function subscribe(who: string, wanted: Wanted = {}): Subscription {
  const objects = { cluster: target.cluster, apiVersion: "v1", kind: "Pod", ...wanted };
  return watches.subscribe(objects, (what: News) => news.push(`${who} ${what}`));
}

const settle = () => clock.advance(0);
const watched = (): string[] => target.open.map(({ of }) => of);
const watchOf = (of: string) => {
  const found = target.open.find((watch) => watch.of === of);
  if (found === undefined) throw new Error(`no watch of ${of} among ${watched().join(", ")}`);
  return found;
};

async function tell(of: string, metadata: Parameters<ReturnType<typeof watchOf>["tell"]>[0]): Promise<string[]> {
  news = [];
  watchOf(of).tell(metadata);
  await settle();
  return news;
}

describe("who waits", () => {
  it("is told when the watch stands, and then of what was named", async () => {
    const a = subscribe("a", { namespace: "n", name: "x" });
    expect(a.isStanding).toBe(false);
    await settle();
    expect([a.isStanding, news, watched(), watchOf("Pod in n").isMetadataOnly]).toEqual([
      true,
      ["a watch"],
      ["Pod in n"],
      true,
    ]);
    expect(await tell("Pod in n", { namespace: "n", name: "x" })).toEqual(["a change"]);
    expect(await tell("Pod in n", { namespace: "n", name: "y" })).toEqual([]);
  });

  it("shares the watch with others, and is told apart by name, namespace and labels", async () => {
    subscribe("named", { namespace: "n", name: "x" });
    subscribe("same name elsewhere", { namespace: "m", name: "x" });
    subscribe("labelled", { namespace: "n", labelSelector: "app=web,!off" });
    subscribe("labelled everywhere", { labelSelector: "app=web" });
    subscribe("all", {});
    await settle();
    await clock.advance(1000);
    expect([watched(), watches.size]).toEqual([["Pod everywhere"], 1]);
    expect(await tell("Pod everywhere", { namespace: "n", name: "x", labels: { app: "web" } })).toEqual([
      "named change",
      "labelled change",
      "labelled everywhere change",
      "all change",
    ]);
    expect(await tell("Pod everywhere", { namespace: "m", name: "x", labels: { app: "web", off: "" } })).toEqual([
      "same name elsewhere change",
      "labelled everywhere change",
      "all change",
    ]);
  });

  it("and weighs changes has whole objects watched, and is told what a change has led to", async () => {
    const led: (string | undefined)[] = [];
    const objects = { cluster: target.cluster, apiVersion: "v1", kind: "Pod", namespace: "n", name: "x" };
    watches.subscribe({ ...objects, newsAfterMs: () => 0 }, (_what, object) => led.push(object?.metadata.name));
    await settle();
    const [watch] = target.open;
    watch?.tell({ namespace: "n", name: "x" });
    watch?.tell({ namespace: "n", name: "x" }, "DELETED");
    await settle();
    expect([watch?.isMetadataOnly, led]).toEqual([false, [undefined, "x", undefined]]);
    subscribe("metadata", { namespace: "n", name: "x" });
    await settle();
    expect(target.open.map(({ of, isMetadataOnly }) => [of, isMetadataOnly])).toEqual([
      ["Pod in n", false],
      ["Pod in n", true],
    ]);
  });

  it("for an object without namespace is told of it, whatever namespace the reference bears", async () => {
    subscribe("a", { kind: "ClusterRole", name: "x", namespace: "n" });
    await settle();
    expect(await tell("ClusterRole everywhere", { name: "x" })).toEqual(["a change"]);
  });

  it("for a kind that comes later is told when it does", async () => {
    const a = subscribe("a", { kind: "Unknown", name: "x" });
    await clock.advance(60_000);
    expect([a.isStanding, target.requests, watches.size]).toEqual([false, [], 0]);
    target.cluster.discovery.locate = () =>
      Promise.resolve({ group: "", version: "v1", kind: "Unknown", plural: "unknowns", namespaced: false });
    await clock.advance(30_000);
    expect([a.isStanding, news]).toEqual([true, ["a watch"]]);
  });
});

describe("the number of watches", () => {
  const many = Array.from({ length: 9 }, (_, index) => `n${index}`);

  it("is one where many namespaces are waited in; the single ones end when it stands", async () => {
    for (const namespace of many.slice(0, 8)) subscribe(namespace, { namespace, name: "x" });
    await settle();
    subscribe("n8", { namespace: "n8", name: "x" });
    await settle();
    expect(watched()).toEqual([...many.slice(0, 8).map((name) => `Pod in ${name}`), "Pod everywhere"]);
    await clock.advance(1000);
    expect([watched(), watches.size]).toEqual([["Pod everywhere"], 1]);
    expect(await tell("Pod everywhere", { namespace: "n8", name: "x" })).toEqual(["n8 change"]);
  });

  it("is one for each where all at once is not allowed", async () => {
    target.refuse = (request) => (request.endsWith("everywhere") ? refusal(403) : undefined);
    const subscriptions = many.map((namespace) => subscribe(namespace, { namespace, name: "x" }));
    const everywhere = subscribe("everywhere", { name: "x" });
    await settle();
    await clock.advance(1000);
    expect(watched()).toEqual(many.map((name) => `Pod in ${name}`));
    expect(subscriptions.map(({ isStanding }) => isStanding)).toEqual(many.map(() => true));
    expect(everywhere.isStanding).toBe(false);
    target.refuse = () => undefined;
    await clock.advance(120_000);
    expect([watched(), everywhere.isStanding]).toEqual([["Pod everywhere"], true]);
  });

  it("is limited for a cluster: who comes later is not watched", async () => {
    target.refuse = (request) => (request.endsWith("everywhere") ? refusal(403) : undefined);
    const subscriptions = Array.from({ length: 150 }, (_, index) =>
      subscribe("a", { namespace: `n${index}`, name: "x" }),
    );
    await settle();
    expect(watches.size).toBe(100);
    // One of them is the one that is refused.
    expect(subscriptions.filter(({ isStanding }) => isStanding)).toHaveLength(99);
  });
});

describe("a watch that fails", () => {
  it("once goes on where it was, and nobody notices", async () => {
    const a = subscribe("a", { namespace: "n", name: "x" });
    await settle();
    news = [];
    watchOf("Pod in n").break();
    await settle();
    expect([watched(), a.isStanding]).toEqual([[], true]);
    await clock.advance(100);
    expect([watched(), a.isStanding, news]).toEqual([["Pod in n"], true, []]);
    expect(target.requests).toEqual(["list Pod in n", "watch Pod in n", "watch Pod in n"]);
  });

  it("again is lost until it stands, and both is told", async () => {
    const a = subscribe("a", { namespace: "n", name: "x" });
    await settle();
    news = [];
    target.refuse = () => refusal(503);
    watchOf("Pod in n").break();
    await clock.advance(100);
    expect([a.isStanding, news]).toEqual([false, ["a change"]]);
    target.refuse = () => undefined;
    await clock.advance(5000);
    expect([a.isStanding, news]).toEqual([true, ["a change", "a watch"]]);
  });

  it("because its place is gone stands anew at once, and everybody has to look", async () => {
    const a = subscribe("a", { namespace: "n", name: "x" });
    await settle();
    news = [];
    watchOf("Pod in n").break(refusal(410));
    await settle();
    await settle();
    expect([a.isStanding, news]).toEqual([true, ["a watch"]]);
    expect(target.requests.slice(2)).toEqual(["list Pod in n", "watch Pod in n"]);
  });

  it.each([401, 403, 404, 405])("because of %s is tried again now and then", async (status) => {
    target.refuse = () => refusal(status);
    const a = subscribe("a", { namespace: "n", name: "x" });
    await settle();
    expect([a.isStanding, news, target.requests]).toEqual([false, [], ["list Pod in n"]]);
    await clock.advance(600_000);
    // 2.5 s, 5 s, 10 s, 20 s, 40 s, then every minute.
    expect(target.requests).toHaveLength(14);
    target.refuse = () => undefined;
    await clock.advance(60_000);
    expect([a.isStanding, news]).toEqual([true, ["a watch"]]);
  });
});

describe("nothing is left", () => {
  it("some time after the last use: neither watch nor timer nor the client", async () => {
    const a = subscribe("a", { namespace: "n", name: "x" });
    const b = subscribe("b", { kind: "Secret", namespace: "n", name: "x" });
    await settle();
    expect([watches.size, held]).toEqual([2, 1]);
    a.end();
    a.end();
    await clock.advance(1000);
    expect([watched(), held]).toEqual([["Secret in n"], 1]);
    b.end();
    await clock.advance(999);
    expect(watches.size).toBe(1);
    await clock.advance(1);
    expect([watches.size, held, watched(), clock.pendingTimers]).toEqual([0, 0, [], 0]);
  });

  it("of a kind that never came", async () => {
    subscribe("a", { kind: "Unknown", name: "x" }).end();
    await clock.advance(1000);
    expect([held, clock.pendingTimers]).toEqual([0, 0]);
  });

  it("when somebody comes back in time the watch stays", async () => {
    subscribe("a", { namespace: "n", name: "x" }).end();
    await clock.advance(500);
    const again = subscribe("b", { namespace: "n", name: "y" });
    await clock.advance(5000);
    expect([again.isStanding, target.requests]).toEqual([true, ["list Pod in n", "watch Pod in n"]]);
  });

  it("of one namespace, while others go on", async () => {
    const a = subscribe("a", { namespace: "n", name: "x" });
    subscribe("b", { namespace: "m", name: "x" });
    await settle();
    a.end();
    await clock.advance(1000);
    expect(watched()).toEqual(["Pod in m"]);
  });

  it("after the close, and nothing begins", async () => {
    subscribe("a", { namespace: "n", name: "x" });
    await settle();
    watches.close();
    const late = subscribe("late", { namespace: "n", name: "x" });
    await settle();
    expect([watches.size, held, late.isStanding, watched(), clock.pendingTimers]).toEqual([0, 0, false, [], 0]);
    late.end();
  });
});

it("knows equal objects, cluster by cluster", () => {
  const other = playCluster();
  const of = (cluster: AwaitedObjects["cluster"], name: string) => ({ cluster, apiVersion: "v1", kind: "Pod", name });
  const x = of(target.cluster, "x");
  const keys = [
    x,
    of(target.cluster, "x"),
    of(target.cluster, "y"),
    of(other.cluster, "x"),
    { ...x, newsAfterMs: () => 0 },
  ];
  const [a, same, name, cluster, whole] = keys.map((objects) => watches.keyOf(objects));
  expect(same).toBe(a);
  expect(new Set([a, name, cluster, whole]).size).toBe(4);
});

describe("a watch that only explains", () => {
  it("leaves half of the connections to those that are needed, and is opened for them", async () => {
    target.refuse = (request) => (request.endsWith("everywhere") ? refusal(403) : undefined);
    for (let index = 0; index < 60; index++) subscribe("x", { namespace: `n-${index}`, isOptional: true });
    await settle();
    await clock.advance(1000);
    expect(watches.size).toBe(50);
    const needed = subscribe("needed", { namespace: "n-59" });
    await settle();
    expect(needed.isStanding).toBe(true);
  });
});
