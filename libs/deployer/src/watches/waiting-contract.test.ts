// What waits for objects of a target is woken by watches: on embedded clusters, with a clock that stands still.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import {
  useWaitingBench,
  restMs,
  lingerMs,
  fixture,
  scope,
  running,
  clock,
  passes,
  watches,
  conduct,
  observe,
  specOf,
  create,
  count,
  configMap,
  makeReady,
  until,
  untilResting,
  breathe,
  ended,
  setPasses,
} from "../../test/waiting-bench.ts";

useWaitingBench();

const minPauseMs = 200;

describe("an item that waits for an object", () => {
  it("looks again when the watch stands, then rests, and goes on when the object changes", async () => {
    await create("item");
    await untilResting("item");
    expect([watches, running.watches.size]).toEqual([["configmaps here"], 1]);
    // The second, or one more where the watch took its time.
    const before = count("item");
    expect(before).toBeLessThanOrEqual(3);
    await clock.advance(20_000);
    expect(count("item")).toBe(before);
    await makeReady("item");
    expect(await ended("item")).toBe("Succeeded");
    expect(count("item")).toBe(before + 1);
  });

  it("is looked at now and then, in case an event is lost", async () => {
    await create("item");
    await untilResting("item");
    const before = count("item");
    await clock.advance(restMs);
    await waitFor(() => count("item") === before + 1);
    await untilResting("item");
    expect(count("item")).toBe(before + 1);
  });

  it("comes to the same as without a watch where that is not allowed, until it is", async () => {
    observe(() => ({ status: 403 }));
    await create("item");
    await until(() => count("item") === 8);
    // 250 ms, growing by half each time: eight passes within less than ten seconds.
    const before = clock.now();
    await until(() => count("item") === 9);
    expect(clock.now() - before).toBeLessThanOrEqual(5050);
    // Tried again after 2.5 s, 5 s, 10 s ...
    expect(watches.length).toBeLessThanOrEqual(6);
    observe();
    await until(() => watches.length > 0, 1000);
    await untilResting("item");
    await makeReady("item");
    expect(await ended("item")).toBe("Succeeded");
  });

  it("polls as well where the kind is not known (yet)", async () => {
    conduct.judge = (found, _context, awaited) => {
      if (found !== undefined) return { type: "succeeded" };
      return { type: "waiting", for: "it", wakeOn: [{ ...awaited, apiVersion: "example.org/v1", kind: "Thing" }] };
    };
    await create("item");
    await until(() => count("item") === 4);
    await makeReady("item");
    await until(() => count("item") === 5);
    expect([await ended("item"), watches]).toEqual(["Succeeded", []]);
  });

  it("ends at its deadline, and with it the watch", async () => {
    await scope.create({ name: "item", spec: { ...specOf(), timeout: "10s" } });
    await until(() => count("item") === 2);
    expect(running.watches.size).toBe(1);
    await clock.advance(10_000);
    expect(await ended("item")).toBe("Failed");
    await clock.advance(lingerMs);
    expect(running.watches.size).toBe(0);
  });
});

describe("changes", () => {
  it("in a storm cost five passes a second", async () => {
    conduct.judge = (_found, _context, awaited) => ({ type: "waiting", for: "calm", wakeOn: [awaited] });
    const live = await makeReady("item");
    await create("item");
    await untilResting("item");
    const before = { passes: count("item"), at: clock.now() };
    for (let second = 0; second < 10; second++) {
      for (let change = 0; change < 10; change++) {
        const body = { data: { change: `${second}-${change}` } };
        const key = { namespace: scope.namespace, name: live.metadata.name ?? "" };
        await fixture.targetClient.patch(kubeResources.configMap, key, { type: "merge", body });
      }
      await clock.advance(100);
    }
    await untilResting("item");
    const passesMost = 1 + (clock.now() - before.at) / minPauseMs;
    expect(count("item") - before.passes).toBeGreaterThan(3);
    expect(count("item") - before.passes).toBeLessThanOrEqual(passesMost);
  });

  it("while a pass is at work are not missed", async () => {
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    let holds = false;
    let isHeld = false;
    conduct.judge = async (found, _context, awaited) => {
      if (found !== undefined) return { type: "succeeded" };
      if (holds) {
        isHeld = true;
        await opened;
      }
      return { type: "waiting", for: "it", wakeOn: [awaited] };
    };
    await create("item");
    await untilResting("item");
    holds = true;
    await clock.advance(restMs);
    await waitFor(() => isHeld);
    holds = false;
    const before = count("item");
    await makeReady("item");
    await breathe();
    open();
    await until(() => count("item") === before + 1);
    expect(await ended("item")).toBe("Succeeded");
  });

  it("do not end the pause after a failure", async () => {
    let isFailing = false;
    conduct.judge = (found, _context, awaited) => {
      if (isFailing) throw new LandscaperError({ message: "no", reason: "Down" });
      return found === undefined ? { type: "waiting", for: "it", wakeOn: [awaited] } : { type: "succeeded" };
    };
    await create("item");
    await untilResting("item");
    isFailing = true;
    const before = count("item");
    await makeReady("item");
    await until(() => count("item") === before + 1);
    await scope.waitFor("item", ({ lastError }) => lastError?.message === "no");
    await fixture.targetClient.patch(
      kubeResources.configMap,
      { namespace: scope.namespace, name: "item" },
      { type: "merge", body: { data: { more: "news" } } },
    );
    await breathe();
    await clock.advance(minPauseMs);
    expect(count("item")).toBe(before + 1);
    isFailing = false;
    await clock.advance(1000);
    expect(await ended("item")).toBe("Succeeded");
  });

  it("of what has the labels wake as well, others do not", async () => {
    let enough = Number.POSITIVE_INFINITY;
    conduct.judge = (_found, { item }, { cluster, namespace }) =>
      item.metadata.name === "item" && count("item") < enough
        ? {
            type: "waiting",
            for: "it",
            wakeOn: [{ cluster, apiVersion: "v1", kind: "ConfigMap", namespace, labelSelector: "app in (a,b),!off" }],
          }
        : { type: "succeeded" };
    await create("item");
    await untilResting("item");
    const before = count("item");
    enough = before + 1;
    await fixture.targetClient.create(kubeResources.configMap, configMap("c", { app: "c" }));
    await fixture.targetClient.create(kubeResources.configMap, configMap("off", { app: "a", off: "" }));
    await breathe();
    await clock.advance(1000);
    expect(count("item")).toBe(before);
    await fixture.targetClient.create(kubeResources.configMap, configMap("b", { app: "b" }));
    expect(await ended("item")).toBe("Succeeded");
  });
});

describe("also", () => {
  it("a deletion waits so", async () => {
    await makeReady("item");
    await create("item");
    expect(await ended("item")).toBe("Succeeded");
    conduct.judge = (found, _context, awaited) =>
      found === undefined ? { type: "succeeded" } : { type: "waiting", for: "it to go", wakeOn: [awaited] };
    setPasses([]);
    await scope.remove("item");
    await untilResting("item");
    const before = passes.length;
    await fixture.targetClient.delete(kubeResources.configMap, { namespace: scope.namespace, name: "item" });
    await until(() => passes.length > before);
    await scope.waitUntilGone("item");
  });

  it("a run between jobs waits so", async () => {
    await makeReady("item");
    await create("item", { schedule: "1h" });
    expect(await ended("item")).toBe("Succeeded");
    await fixture.targetClient.delete(kubeResources.configMap, { namespace: scope.namespace, name: "item" });
    setPasses([]);
    await until(() => passes.length > 0, 60_000);
    await untilResting("item");
    expect(running.watches.size).toBe(1);
    await makeReady("item");
    await clock.advance(minPauseMs);
    await scope.waitFor("item", ({ conditions = [] }) =>
      conditions.some((condition) => condition.type === "ContinuousReconcile" && condition.status === "True"),
    );
    await clock.advance(lingerMs);
    expect(running.watches.size).toBe(0);
  });

  it("one who asks to come back by a time gets it", async () => {
    conduct.judge = (found, _context, awaited) =>
      found === undefined
        ? { type: "waiting", for: "it", wakeOn: [awaited], requeueAfterMs: 3000 }
        : { type: "succeeded" };
    await create("item");
    await untilResting("item", 3000);
    const before = count("item");
    await clock.advance(3000);
    await waitFor(() => count("item") > before);
  });
});
