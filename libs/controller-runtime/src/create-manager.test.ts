import { describe, expect, it } from "@jest/globals";
import { createFakeClock, waitFor } from "@landscaper/testkit";
import {
  useManagerFixture,
  configMap,
  cluster,
  client,
  log,
  stop,
  namespace,
  newManager,
  start,
  newConfigMap,
  isOfThisTest,
  addNotingController,
} from "../test/manager-fixture.ts";

useManagerFixture();

describe("controllers", () => {
  it("work what is there at the start, and what comes", async () => {
    await client.create(configMap, newConfigMap("old"));
    const manager = newManager();
    const keys = addNotingController(manager);
    void start(manager);
    await waitFor(() => keys.includes("old"));
    await client.create(configMap, newConfigMap("new"));
    await waitFor(() => keys.includes("new"));
    expect(keys).toEqual(["old", "new"]);
  });

  it("are woken by deletions, and read nothing then", async () => {
    await client.create(configMap, newConfigMap("a"));
    const manager = newManager();
    const informer = manager.informer(configMap);
    const seen: boolean[] = [];
    addNotingController(manager, (key) => {
      seen.push(informer.lister.get(key) !== undefined);
      return Promise.resolve(undefined);
    });
    void start(manager);
    await waitFor(() => seen.length === 1);
    await client.delete(configMap, { namespace, name: "a" });
    await waitFor(() => seen.length === 2);
    expect(seen).toEqual([true, false]);
  });

  it("do not wait for work that has exchanged its worker for a share", async () => {
    const manager = newManager();
    const ends = new Map<string, () => void>();
    const entered: string[] = [];
    manager.addController({
      name: "sharing",
      for: configMap,
      predicate: isOfThisTest,
      workers: 1,
      shares: { total: 3, perNamespace: 3, perServer: 1 },
      reconcile: async ({ name }, _signal, slot) => {
        if (name.startsWith("hub")) {
          entered.push(name);
          return undefined;
        }
        const [server = ""] = name.split("-");
        if (!slot.takeShare({ namespace, server })) {
          entered.push(`${name} waits`);
          return undefined;
        }
        entered.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return undefined;
      },
    });
    void start(manager);
    for (const name of ["dead-1", "dead-2", "good-1", "hub-1"]) {
      await client.create(configMap, newConfigMap(name));
      await waitFor(() => entered.some((entry) => entry.startsWith(name)));
    }
    expect(entered).toEqual(["dead-1", "dead-2 waits", "good-1", "hub-1"]);
    ends.get("dead-1")?.();
    await waitFor(() => entered.length === 5);
    expect(entered.at(-1)).toBe("dead-2");
    for (const end of ends.values()) end();
  });

  it("work no key twice at a time that has a share, and keep what comes meanwhile", async () => {
    const manager = newManager();
    let ends: (() => void)[] = [];
    addNotingController(manager, async (_key, _signal, slot) => {
      expect(slot.takeShare({ namespace })).toBe(true);
      await new Promise<void>((resolve) => ends.push(resolve));
      return undefined;
    });
    void start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => ends.length === 1);
    await client.patch(configMap, { namespace, name: "a" }, { type: "merge", body: { data: { more: "yes" } } });
    const other = await client.create(configMap, newConfigMap("b"));
    await waitFor(() => ends.length === 2);
    expect(other.metadata.name).toBe("b");
    for (const end of ends.splice(0)) end();
    // The change of "a" was kept for the end of its first work.
    await waitFor(() => ends.length === 1);
    for (const end of ends.splice(0)) end();
    ends = [];
  });

  it("read their own writes at once", async () => {
    const manager = newManager();
    const informer = manager.informer(configMap);
    const versions: (string | undefined)[][] = [];
    addNotingController(manager, async (key) => {
      const current = informer.lister.get(key);
      if (current === undefined || current.data?.["done"] === "yes") return undefined;
      const patch = { type: "merge", body: { data: { done: "yes" } } } as const;
      const written = await manager.client.patch(configMap, key, patch);
      versions.push([written.metadata.resourceVersion, informer.lister.get(key)?.metadata.resourceVersion]);
      return undefined;
    });
    void start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => versions.length === 1);
    expect(versions[0]?.[1]).toBe(versions[0]?.[0]);
  });

  it("never work one key twice at a time, and many keys side by side", async () => {
    const manager = newManager();
    const active = new Set<string>();
    let widest = 0;
    const twice: string[] = [];
    const keys: string[] = [];
    manager.addController({
      name: "wide",
      for: configMap,
      workers: 3,
      predicate: isOfThisTest,
      reconcile: async (key) => {
        if (active.has(key.name)) twice.push(key.name);
        active.add(key.name);
        widest = Math.max(widest, active.size);
        await client.get(configMap, key);
        active.delete(key.name);
        keys.push(key.name);
        return undefined;
      },
    });
    void start(manager);
    const names = ["a", "b", "c", "d", "e", "f"];
    await Promise.all(names.map((name) => client.create(configMap, newConfigMap(name))));
    const bump = (name: string) =>
      client.patch(configMap, { namespace, name }, { type: "merge", body: { data: { v: String(Math.random()) } } });
    for (let round = 0; round < 5; round++) await Promise.all(names.map(bump));
    await waitFor(() => names.every((name) => keys.includes(name)));
    expect(twice).toEqual([]);
    expect(widest).toBeGreaterThan(1);
    expect(widest).toBeLessThanOrEqual(3);
  });

  it("come back when they ask for it", async () => {
    const clock = createFakeClock();
    const manager = newManager({ clock });
    const keys = addNotingController(manager, () => Promise.resolve({ requeueAfterMs: 60_000 }));
    void start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => keys.length === 1);
    await clock.advance(59_999);
    expect(keys).toHaveLength(1);
    await clock.advance(1);
    await waitFor(() => keys.length === 2);
  });
});

describe("runnables", () => {
  it("run beside the controllers until the stop, and are started again when they fail", async () => {
    const clock = createFakeClock();
    const manager = newManager({ clock });
    const started: number[] = [];
    let ended = 0;
    manager.addRunnable("loop", async (signal) => {
      started.push(clock.now());
      if (started.length === 1) throw new Error("boom");
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      ended++;
    });
    const run = start(manager);
    await waitFor(() => log.lines.some(({ level }) => level === "error"));
    expect(log.lines.at(-1)).toMatchObject({ runnable: "loop", msg: "a runnable failed and is started again" });
    await clock.advance(5_000);
    expect(started).toHaveLength(2);
    stop.abort(new Error("stop"));
    await run;
    expect(ended).toBe(1);
  });
});

describe("the stop", () => {
  it("lets running work end, and takes nothing more", async () => {
    const manager = newManager();
    let finish = (): void => {};
    let wasAborted: boolean | undefined;
    const keys = addNotingController(manager, async (_key, signal) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      wasAborted = signal.aborted;
      return { requeueAfterMs: 1 };
    });
    const run = start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => keys.length === 1);
    stop.abort(new Error("stop"));
    await client.create(configMap, newConfigMap("b"));
    finish();
    await run;
    expect([keys, wasAborted]).toEqual([["a"], false]);
  });

  it("aborts work that does not end in time, and leaves it behind if it does not care", async () => {
    const clock = createFakeClock();
    const manager = newManager({ clock, gracefulStopMs: 20_000 });
    let signalOfWork: AbortSignal | undefined;
    const keys = addNotingController(manager, (_key, signal) => {
      signalOfWork = signal;
      return new Promise(() => {});
    });
    const run = start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => keys.length === 1);
    stop.abort(new Error("stop"));
    await clock.advance(19_999);
    expect(signalOfWork?.aborted).toBe(false);
    await clock.advance(1);
    expect(signalOfWork?.aborted).toBe(true);
    await clock.advance(5_000);
    await run;
    expect(log.lines.at(-1)).toMatchObject({ level: "error", msg: "work did not end in time and is left behind" });
  });

  it("works before the informers are in sync, too", async () => {
    cluster.setFault(({ verb, resource }) =>
      verb === "list" && resource === "configmaps" ? { status: 500 } : undefined,
    );
    const manager = newManager();
    addNotingController(manager);
    const run = start(manager);
    await waitFor(() => log.lines.some(({ msg }) => msg === "the watch failed and is set up again"));
    stop.abort(new Error("stop"));
    await run;
  });

  it("is final: a manager runs once", async () => {
    const manager = newManager();
    const run = start(manager);
    await expect(manager.start(stop.signal)).rejects.toThrow(new Error("start: the manager test runs already"));
    expect(() => addNotingController(manager)).toThrow(new Error("controller noting: the manager test runs already"));
    stop.abort(new Error("stop"));
    await run;
  });
});
