import { kubeResources } from "@landscaper/api";
import type { ConfigMap, KubeObject, ObjectKey, Secret } from "@landscaper/api";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import type { LocalCluster } from "@landscaper/local-cluster";
import {
  startEmbeddedCluster,
  type EmbeddedCluster,
  createFakeClock,
  createTestLogger,
  type TestLogger,
  waitFor,
} from "@landscaper/testkit";
import { ConnectionError } from "./client/api-error.ts";
import { connectionFromKubeconfig } from "./client/connection-from-kubeconfig.ts";
import { createClient } from "./client/create-client.ts";
import type { Client } from "./client/client-interface.ts";
import type { Manager, Reconcile } from "./controller-interface.ts";
import { createManager } from "./create-manager.ts";
import type { ManagerOptions } from "./create-manager.ts";
import { createMetrics } from "./observability/create-metrics.ts";

const { configMap, secret, namespace: namespaceType } = kubeResources;

let embedded: EmbeddedCluster;
let cluster: LocalCluster;
let client: Client;
let log: TestLogger;
let stop: AbortController;
let running: Promise<void>[];
let namespace: string;
let count = 0;

beforeAll(async () => {
  embedded = await startEmbeddedCluster();
  ({ server: cluster, client } = embedded);
});
afterAll(() => embedded.stop());
beforeEach(async () => {
  log = createTestLogger();
  stop = new AbortController();
  running = [];
  namespace = `manager-${++count}`;
  await client.create(namespaceType, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
});
afterEach(async () => {
  cluster.setFault(undefined);
  stop.abort(new Error("the test is over"));
  await Promise.allSettled(running);
});

function newManager(options: Partial<ManagerOptions> = {}): Manager {
  return createManager({ name: "test", client, log, random: () => 0, ...options });
}

function start(manager: Manager): Promise<void> {
  const run = manager.start(stop.signal);
  running.push(run);
  return run;
}

function newConfigMap(name: string, more: Partial<ConfigMap["metadata"]> = {}): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name, ...more } };
}

/** Every namespace has a ConfigMap of its own, too. */
function isOfThisTest({ metadata }: KubeObject): boolean {
  return metadata.namespace === namespace && metadata.name !== "kube-root-ca.crt";
}

/** A controller of the test's namespace that notes its keys and does what `work` says. */
function addNotingController(manager: Manager, work: Reconcile = () => Promise.resolve(undefined)): string[] {
  const keys: string[] = [];
  manager.addController({
    name: "noting",
    for: configMap,
    predicate: isOfThisTest,
    reconcile: (key, signal, slot) => {
      keys.push(key.name);
      return work(key, signal, slot);
    },
  });
  return keys;
}

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

describe("failures", () => {
  async function failWith(error: unknown): Promise<{ keys: string[]; clock: ReturnType<typeof createFakeClock> }> {
    const clock = createFakeClock();
    const manager = newManager({ clock });
    const keys = addNotingController(manager, () => {
      throw error;
    });
    void start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => keys.length === 1);
    return { keys, clock };
  }

  it("are logged and tried again, later and later", async () => {
    const { keys, clock } = await failWith(
      new LandscaperError({ message: "the target is away", reason: "TargetAway" }),
    );
    await waitFor(() => log.lines.some(({ level }) => level === "warn"));
    expect(log.lines.filter(({ level }) => level === "warn")).toEqual([
      {
        level: "warn",
        time: expect.any(String),
        name: "test",
        controller: "noting",
        object: `${namespace}/a`,
        error: { type: "LandscaperError", message: "the target is away", reason: "TargetAway" },
        delayMs: 50,
        failures: 1,
        msg: "the reconciliation failed and is tried again",
      },
    ]);
    for (const [index, delayMs] of [50, 100, 200, 400].entries()) {
      await clock.advance(delayMs - 1);
      expect(keys).toHaveLength(index + 1);
      await clock.advance(1);
      await waitFor(() => keys.length === index + 2);
      // The worker has to come back from its failure before the next delay runs.
      await waitFor(() => log.lines.filter(({ level }) => level === "warn").length === index + 2);
    }
  });

  it("that cannot get better are logged and dropped", async () => {
    const options = { message: "the blueprint is broken", reason: "TemplateError", retry: "never" } as const;
    const { keys, clock } = await failWith(new LandscaperError(options));
    await waitFor(() => log.lines.some(({ level }) => level === "error"));
    await clock.advance(3_600_000);
    expect(keys).toHaveLength(1);
    expect(log.lines.at(-1)).toMatchObject({
      level: "error",
      error: { message: "the blueprint is broken" },
      msg: "the reconciliation failed for good and waits for a change",
    });
  });

  it("of our own code do not end the process, and show their stack", async () => {
    await failWith(new TypeError("undefined is not a function"));
    await waitFor(() => log.lines.some(({ level }) => level === "error"));
    expect(log.lines.at(-1)).toMatchObject({
      error: { type: "TypeError", stack: expect.stringContaining("TypeError") },
    });
  });

  it("of our own API server end soon after it is back, those of others take their time", async () => {
    const request = { method: "GET", path: "/x" };
    const lost = (server: string): Error => new ConnectionError(request, { server, problem: "away", maybeSent: true });
    const delays = async (error: unknown): Promise<unknown[]> => {
      const { clock } = await failWith(error);
      await waitFor(
        async () => {
          await clock.advance(300_000);
          return log.lines.filter(({ level }) => level === "warn").length >= 14;
        },
        { evenly: true },
      );
      return log.lines.filter(({ level }) => level === "warn").map((line) => line["delayMs"]);
    };
    expect((await delays(new Error("wrapped", { cause: lost(client.server) }))).slice(5, 9)).toEqual([
      1_600, 2_500, 2_500, 2_500,
    ]);
    stop.abort(new Error("next"));
    await Promise.all(running);
    [log, stop] = [createTestLogger(), new AbortController()];
    await client.delete(configMap, { namespace, name: "a" });
    expect((await delays(lost("https://target"))).slice(10, 14)).toEqual([51_200, 102_400, 150_000, 150_000]);
  });

  it("do not keep timers waiting, however many keys need no I/O", async () => {
    const manager = newManager();
    const ticks: number[] = [];
    let worked = 0;
    manager.addController({
      name: "busy",
      for: configMap,
      workers: 1,
      predicate: isOfThisTest,
      reconcile: () => {
        const end = performance.now() + 5;
        while (performance.now() < end);
        worked++;
        return Promise.resolve({ requeueAfterMs: worked < 40 ? 0 : 3_600_000 });
      },
    });
    const timer = setInterval(() => ticks.push(worked), 1);
    void start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => worked === 40);
    clearInterval(timer);
    expect(ticks.filter((at) => at > 0 && at < 40).length).toBeGreaterThan(2);
  });

  it("of races are no warnings", async () => {
    const manager = newManager();
    let isFirst = true;
    const keys = addNotingController(manager, async (key) => {
      if (!isFirst) return undefined;
      isFirst = false;
      const stale = newConfigMap(key.name, { resourceVersion: "1" });
      await manager.client.update(configMap, stale);
      return undefined;
    });
    void start(manager);
    await client.create(configMap, newConfigMap("a"));
    await waitFor(() => keys.length === 2);
    expect(log.lines.map(({ level, msg }) => `${String(level)} ${String(msg)}`)).toEqual([
      "info all informers are in sync",
      "debug a write lost its race; the object is read again",
    ]);
  });

  it("of a map function do not stop the events", async () => {
    const manager = newManager();
    const keys: string[] = [];
    manager.addController({
      name: "mapped",
      for: configMap,
      predicate: () => false,
      watches: [
        {
          type: secret,
          map: ({ metadata }) => {
            if (metadata.namespace !== namespace) return [];
            if (metadata.name === "bad") throw new Error("boom");
            return [{ namespace, name: metadata.name ?? "" }];
          },
        },
      ],
      reconcile: (key) => {
        keys.push(key.name);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    for (const name of ["bad", "good"]) {
      await client.create(secret, { apiVersion: "v1", kind: "Secret", metadata: { namespace, name } });
    }
    await waitFor(() => keys.length === 1);
    expect(keys).toEqual(["good"]);
    expect(log.lines).toContainEqual(expect.objectContaining({ msg: "an event handler has thrown" }));
  });
});

describe("owned and watched kinds", () => {
  async function createOwner(name: string): Promise<ConfigMap> {
    return client.create(configMap, newConfigMap(name));
  }

  function ownedSecret(name: string, owner: KubeObject, isController = true): Secret {
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: owner.metadata.name!, uid: owner.metadata.uid! };
    const ownerReferences = [{ ...reference, controller: isController }];
    return { apiVersion: "v1", kind: "Secret", metadata: { namespace, name, ownerReferences } };
  }

  it("wake the controller owner, and nobody else", async () => {
    const owner = await createOwner("owner");
    const manager = newManager();
    const keys: ObjectKey[] = [];
    manager.addController({
      name: "owner",
      for: configMap,
      owns: [secret],
      predicate: () => false,
      reconcile: (key) => {
        keys.push(key);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    await client.create(secret, ownedSecret("related", owner, false));
    await client.create(secret, ownedSecret("owned", owner));
    await waitFor(() => keys.length > 0);
    expect(keys).toEqual([{ namespace, name: "owner" }]);
    await client.delete(secret, { namespace, name: "owned" });
    await waitFor(() => keys.length === 2);
  });

  it("wake both owners when an object changes hands", async () => {
    const [first, second] = [await createOwner("first"), await createOwner("second")];
    const manager = newManager();
    const keys: string[] = [];
    manager.addController({
      name: "owner",
      for: configMap,
      owns: [secret],
      predicate: () => false,
      reconcile: ({ name }) => {
        keys.push(name);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    const created = await client.create(secret, ownedSecret("owned", first));
    await waitFor(() => keys.length === 1);
    const { ownerReferences } = ownedSecret("owned", second).metadata;
    await client.update(secret, { ...created, metadata: { ...created.metadata, ownerReferences: ownerReferences! } });
    await waitFor(() => keys.length === 3);
    expect(keys.toSorted()).toEqual(["first", "first", "second"]);
  });

  it("are held as metadata alone when nobody reads them", async () => {
    const asked: string[] = [];
    const spy: Client = {
      ...client,
      list: (type, options) => {
        asked.push(`${type.kind} ${options?.metadataOnly === true ? "metadata" : "whole"}`);
        return client.list(type, options);
      },
    };
    const manager = newManager({ client: spy });
    manager.addController({
      name: "owner",
      for: configMap,
      owns: [secret],
      reconcile: () => Promise.resolve(undefined),
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    expect(asked.toSorted()).toEqual(["ConfigMap whole", "Secret metadata"]);
  });

  it("are held as metadata alone when that suffices for those who watch them", async () => {
    const keys: ObjectKey[] = [];
    const asked: string[] = [];
    const spy: Client = {
      ...client,
      list: (type, options) => {
        asked.push(`${type.kind} ${options?.metadataOnly === true ? "metadata" : "whole"}`);
        return client.list(type, options);
      },
    };
    const manager = newManager({ client: spy });
    const map = ({ metadata }: KubeObject): readonly ObjectKey[] => [{ namespace, name: metadata.name ?? "" }];
    manager.addController({
      name: "watcher",
      for: configMap,
      predicate: () => false,
      watches: [{ type: secret, map, metadataSuffices: true }],
      reconcile: (key) => {
        keys.push(key);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    await client.create(secret, { apiVersion: "v1", kind: "Secret", metadata: { namespace, name: "watched" } });
    await waitFor(() => keys.some(({ name }) => name === "watched"));
    expect(asked.toSorted()).toEqual(["ConfigMap whole", "Secret metadata"]);
  });

  it("wake by the informer that the reconciler reads from", async () => {
    const manager = newManager();
    const secrets = manager.informer(secret, { labelSelector: "test=yes" });
    const seen: (string | undefined)[] = [];
    manager.addController({
      name: "reader",
      for: configMap,
      predicate: () => false,
      watches: [{ type: secret, map: ({ metadata }) => [{ namespace, name: metadata.name ?? "" }] }],
      reconcile: (key) => {
        seen.push(secrets.lister.get(key)?.metadata.name);
        return Promise.resolve(undefined);
      },
    });
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    const metadata = { namespace, name: "a", labels: { test: "yes" } };
    await client.create(secret, { apiVersion: "v1", kind: "Secret", metadata });
    await waitFor(() => seen.length === 1);
    expect(seen).toEqual(["a"]);
  });
});

describe("informers", () => {
  it("are shared by kind and selection, indexes merged", () => {
    const manager = newManager();
    const first = manager.informer(configMap, { indexes: { a: () => [] } });
    expect(manager.informer(configMap, { indexes: { b: () => [] } })).toBe(first);
    expect(manager.informer(configMap, { labelSelector: "x=y" })).not.toBe(first);
    expect([first.lister.byIndex("a", ""), first.lister.byIndex("b", "")]).toEqual([[], []]);
  });

  it("run at once when they are asked for late", async () => {
    const manager = newManager();
    void start(manager);
    await waitFor(() => log.lines.length > 0);
    const informer = manager.informer(configMap);
    await waitFor(() => informer.hasSynced);
  });

  it("hear of own deletions at once", async () => {
    const manager = newManager();
    const informer = manager.informer(configMap);
    void start(manager);
    await waitFor(() => informer.hasSynced);
    const key = { namespace, name: "a" };
    await manager.client.create(configMap, newConfigMap("a"));
    expect(informer.lister.get(key)).toBeDefined();
    await manager.client.delete(configMap, key);
    expect(informer.lister.get(key)).toBeUndefined();
  });

  it("hear of an object that finalizers keep, and of its end", async () => {
    const manager = newManager();
    const informer = manager.informer(configMap);
    void start(manager);
    await waitFor(() => informer.hasSynced);
    const key = { namespace, name: "kept" };
    await manager.client.create(configMap, newConfigMap("kept", { finalizers: ["example.com/keep"] }));
    await manager.client.delete(configMap, key);
    expect(informer.lister.get(key)?.metadata.deletionTimestamp).toBeDefined();
    await manager.client.patch(configMap, key, { type: "merge", body: { metadata: { finalizers: null } } });
    expect(informer.lister.get(key)).toBeUndefined();
    await manager.client.create(configMap, newConfigMap("kept"));
    expect(informer.lister.get(key)?.metadata.deletionTimestamp).toBeUndefined();
  });

  it("do not hear of dry runs and of other kinds that a write answers with", async () => {
    const manager = newManager();
    const informer = manager.informer(configMap);
    void start(manager);
    await waitFor(() => informer.hasSynced);
    await manager.client.create(configMap, newConfigMap("dry"), { dryRun: true });
    expect(informer.lister.get({ namespace, name: "dry" })).toBeUndefined();
  });

  it("find what has happened while the server was away and its history gone", async () => {
    await client.create(configMap, newConfigMap("old"));
    const manager = newManager();
    const keys = addNotingController(manager);
    void start(manager);
    await waitFor(() => keys.length === 1);
    cluster.setFault(({ verb }) => (verb === "watch" ? "close" : undefined));
    cluster.cutWatches();
    await client.delete(configMap, { namespace, name: "old" });
    await client.create(configMap, newConfigMap("new"));
    cluster.compact();
    cluster.setFault(undefined);
    await waitFor(() => keys.length >= 3);
    expect(keys.toSorted()).toEqual(["new", "old", "old"]);
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
    await waitFor(() => log.lines.some(({ msg }) => msg === "the watch failed and is set up again"), {
      timeoutMs: 20_000,
    });
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

describe("health and metrics", () => {
  it("tell who holds a Lease, until it is given up", async () => {
    const seen: string[] = [];
    const metrics = {
      ...(await createMetrics()),
      observeLeader: (name: string, is: boolean) => void seen.push(`${name} ${is}`),
    };
    const lead = (identity: string): Promise<void> => {
      const leaderElection = { namespace, leaseName: "lead", identity };
      const manager = newManager({ metrics: identity === "second" ? metrics : undefined, leaderElection });
      addNotingController(manager);
      return manager.start(identity === "second" ? ending.signal : stop.signal);
    };
    const ending = new AbortController();
    running.push(lead("first"));
    await waitFor(async () => client.find(kubeResources.lease, { namespace, name: "lead" }));
    const second = lead("second");
    running.push(second);
    await waitFor(() => seen.length > 0);
    expect(seen).toEqual(["lead false"]);
    stop.abort(new Error("the first one ends"));
    await waitFor(() => seen.length > 1);
    ending.abort(new Error("the second one ends"));
    await second;
    expect(seen).toEqual(["lead false", "lead true", "lead false"]);
  });

  async function read(url: string): Promise<{ status: number; text: string }> {
    const answer = await fetch(url);
    return { status: answer.status, text: await answer.text() };
  }

  it("are served on a free port when asked for", async () => {
    const metrics = await createMetrics();
    const measured = createClient({ connection: connectionFromKubeconfig(cluster.kubeconfig), metrics });
    cluster.setFault(({ verb, resource }) =>
      verb === "list" && resource === "configmaps" ? { status: 404 } : undefined,
    );
    const manager = newManager({ client: measured, metrics, http: { port: 0, host: "127.0.0.1" } });
    const keys = addNotingController(manager);
    expect(manager.httpUrl).toBeUndefined();
    const run = start(manager);
    const url = await waitFor(() => manager.httpUrl);
    expect(await read(`${url}/healthz`)).toEqual({ status: 200, text: "ok\n" });
    expect(await read(`${url}/readyz`)).toEqual({ status: 503, text: "1 of 1 informers are not in sync\n" });
    cluster.setFault(undefined);
    await waitFor(async () => (await read(`${url}/readyz`)).status === 200);
    await manager.client.create(configMap, newConfigMap("a"));
    await waitFor(() => keys.length === 1);
    const { text } = await waitFor(async () => {
      const page = await read(`${url}/metrics`);
      return page.text.includes('controller_runtime_reconcile_total{controller="noting",result="success"} 1')
        ? page
        : undefined;
    });
    const { host } = new URL(client.server);
    const requests = (labels: string, resource = "configmaps"): string =>
      `rest_client_requests_total{${labels},host="${host}",resource="${resource}"`;
    expect(text).toContain(`${requests('verb="create",method="POST"')},code="201"} 1`);
    expect(text).toContain(`${requests('verb="list",method="GET"')},code="404"}`);
    expect(text).toContain('workqueue_depth{name="noting",controller="noting"} 0');
    expect(text).toContain('landscaper_queue_oldest_age_seconds{name="noting",controller="noting"} 0');
    expect(text).toContain('landscaper_informer_events_total{kind="ConfigMap",event="relist"} 1');
    expect(text).toContain("process_resident_memory_bytes");
    stop.abort(new Error("stop"));
    await run;
    await expect(fetch(`${url}/healthz`)).rejects.toMatchObject({ message: "fetch failed" });
    await measured.close();
  });
});
