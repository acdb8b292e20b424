// Watches for what waits for objects of a target: on embedded clusters, with a clock that stands still.
import { describe, expect, it } from "@jest/globals";
import { resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import {
  useWaitingBench,
  lingerMs,
  fixture,
  scope,
  running,
  clock,
  watches,
  deployer,
  observe,
  create,
  count,
  makeReady,
  until,
  untilResting,
  breathe,
  ended,
  setRunning,
} from "../../test/waiting-bench.ts";

useWaitingBench();

describe("watches", () => {
  it("are shared, and closed some seconds after their last use", async () => {
    for (const name of ["a", "b", "c"]) await create(name);
    for (const name of ["a", "b", "c"]) await untilResting(name);
    expect([watches, running.watches.size]).toEqual([["configmaps here"], 1]);
    for (const name of ["a", "b", "c"]) {
      await makeReady(name);
      expect(await ended(name)).toBe("Succeeded");
    }
    await clock.advance(lingerMs - 1000);
    expect(running.watches.size).toBe(1);
    await clock.advance(1000);
    expect(running.watches.size).toBe(0);
  });

  it("that break go on where they were", async () => {
    await create("item");
    await untilResting("item");
    const before = count("item");
    let isHeld = true;
    observe(() => (isHeld ? { status: 500 } : undefined));
    fixture.target.cutWatches();
    await makeReady("item");
    await breathe();
    expect(count("item")).toBe(before);
    isHeld = false;
    await until(() => count("item") > before);
    expect(await ended("item")).toBe("Succeeded");
  });

  it("whose place in history is gone begin anew, and everybody looks again", async () => {
    await create("item");
    await untilResting("item");
    const before = count("item");
    fixture.target.cutWatches();
    await makeReady("item");
    fixture.target.compact();
    await until(() => count("item") > before);
    expect(await ended("item")).toBe("Succeeded");
  });

  it("of a target that is away: the item polls and fails, and goes on when it is back", async () => {
    await create("item");
    await untilResting("item");
    await fixture.target.pause();
    try {
      await waitFor(
        async () => {
          await clock.advance(500);
          return (await scope.get("item")).status?.lastError !== undefined;
        },
        { evenly: true },
      );
    } finally {
      await fixture.target.resume();
    }
    await makeReady("item");
    await waitFor(
      async () => {
        await clock.advance(500);
        return (await scope.get("item")).status?.phase === "Succeeded";
      },
      { evenly: true },
    );
  });

  it("end when the target is another instance's now", async () => {
    await running.stop();
    const targetSelectors = [{ annotations: [{ key: "example.org/here", operator: "exists" }] }];
    setRunning(fixture.start({ deployer, identity: "test", clock, random: () => 0, targetSelectors }));
    const annotate = (here: string | null) =>
      fixture.hubClient.patch(
        resources.target,
        { namespace: scope.namespace, name: "cluster" },
        { type: "merge", body: { metadata: { annotations: { "example.org/here": here } } } },
      );
    await annotate("");
    await create("item");
    await untilResting("item");
    await annotate(null);
    await until(() => running.watches.size === 0, 1000);
    const before = count("item");
    await annotate("");
    await until(() => count("item") > before);
    await makeReady("item");
    expect(await ended("item")).toBe("Succeeded");
  });

  it("end when somebody interrupts the job, and with the process", async () => {
    await create("item");
    await create("other");
    for (const name of ["item", "other"]) await untilResting(name);
    await scope.interrupt("item");
    await makeReady("other");
    expect(await ended("other")).toBe("Succeeded");
    await waitFor(
      async () => {
        await clock.advance(1000);
        return running.watches.size === 0;
      },
      { evenly: true },
    );
    await create("last");
    await untilResting("last");
    expect(running.watches.size).toBe(1);
    await running.stop();
    expect(running.watches.size).toBe(0);
    // The timers of its informers and of its reports end with the process as well.
    expect(clock.pendingTimers).toBe(0);
  });
});
