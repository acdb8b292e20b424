// What waits for objects of a target is woken by watches: on embedded clusters, with a clock that stands still.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { isJobOpen, kubeResources, LandscaperError, resources, type ConfigMap } from "@landscaper/api";
import { type FakeClock, createFakeClock, waitFor } from "@landscaper/testkit";
import type { AwaitedObjects } from "@landscaper/resources";
import type { DeployContext, Deployer, DeleteOutcome, Outcome } from "../deployer-interface.ts";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "../../test/index.ts";

interface Config {
  /** The ConfigMap that the item waits for. Default: the item's own name. */
  readonly name?: string;
  readonly schedule?: string;
}

type Context = DeployContext<Config>;

const type = "landscaper.gardener.cloud/waiting";
const agent = "waiting.deployer";
/** Of a rest while watches stand, with `random` at 0. */
const restMs = 25_000;
const minPauseMs = 200;
const lingerMs = 10_000;

let fixture: DeployerFixture;
let scope: DeployerScope;
let running: StartedDeployer;
let clock: FakeClock;
let passes: string[];
let watches: string[];
/** What the deployer does with what it has found. */
let judge: (found: ConfigMap | undefined, context: Context, awaited: AwaitedObjects) => Promise<Outcome> | Outcome;
let scopes = 0;

async function look(context: Context): Promise<Outcome> {
  const { item, config, target, signal } = context;
  // What the tests before have left.
  if (item.metadata.namespace !== scope.namespace) return { type: "succeeded" };
  const cluster = await target.cluster();
  const key = { namespace: scope.namespace, name: config.name ?? item.metadata.name ?? "" };
  const found = await cluster.client.find(kubeResources.configMap, key, { signal });
  passes.push(item.metadata.name ?? "");
  return await judge(found, context, { cluster, apiVersion: "v1", kind: "ConfigMap", ...key });
}

const deployer: Deployer<Config> = {
  type,
  name: agent,
  version: "v1",
  parseConfig: (value) => Object(value) as Config,
  reconcile: look,
  delete: async (context): Promise<DeleteOutcome> => {
    const outcome = await look(context);
    return outcome.type === "succeeded" ? "done" : outcome;
  },
  continuousReconcile: ({ schedule }) => (schedule === undefined ? undefined : { every: schedule }),
};

beforeAll(async () => {
  fixture = await createDeployerFixture();
}, 60_000);
afterAll(() => fixture.stop());

beforeEach(async () => {
  passes = [];
  watches = [];
  judge = (found, _context, awaited) =>
    found === undefined ? { type: "waiting", for: "it", wakeOn: [awaited] } : { type: "succeeded" };
  observe();
  scope = await fixture.scope(`waiting-${++scopes}`);
  await scope.createTarget();
  clock = createFakeClock(Date.now());
  running = fixture.start({ deployer, identity: "test", clock, random: () => 0, newJobId: () => "test-job" });
});
afterEach(async () => {
  fixture.target.setFault(undefined);
  await running.stop();
});

/** Notes the deployer's watches on the target; `fault` answers them. */
function observe(fault?: (namespace: string) => { readonly status: number } | undefined): void {
  fixture.target.setFault(({ verb, resource, namespace, userAgent }) => {
    if (verb !== "watch" || !userAgent.startsWith(agent)) return undefined;
    watches.push(`${resource} ${namespace === "" ? "everywhere" : "here"}`);
    return fault?.(namespace);
  });
}

const specOf = (config: Config = {}) => ({
  type,
  target: { name: "cluster" },
  config: { apiVersion: "test/v1", kind: "ProviderConfiguration", ...config },
});
const create = (name: string, config?: Config) => scope.create({ name, spec: specOf(config) });
const count = (name: string): number => passes.filter((pass) => pass === name).length;
const configMap = (name: string, labels?: Record<string, string>): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: scope.namespace, ...(labels === undefined ? {} : { labels }) },
});
const makeReady = (name: string) => fixture.targetClient.create(kubeResources.configMap, configMap(name));

/** Lets the time go on in small steps until it holds. */
async function until(check: () => boolean, stepMs = 50): Promise<void> {
  await waitFor(
    async () => {
      if (check()) return true;
      await clock.advance(stepMs);
      return false;
    },
    { evenly: true },
  );
}

/** Until the next pass of the item is one that only a lost event would need. */
async function untilResting(name: string, forMs = restMs): Promise<void> {
  const isRest = (ms: number): boolean => ms <= forMs && ms > forMs - 2000;
  await until(() => count(name) >= 2 && clock.dueTimes.some((dueMs) => isRest(dueMs - clock.now())));
}

/** The job of another item shows that the deployer has had its chance. */
async function breathe(): Promise<void> {
  const name = `other-${passes.length}`;
  await scope.create({ name, spec: { ...specOf({ name: "kube-root-ca.crt" }) } });
  await waitFor(() => count(name) > 0);
}

/** The phase of the item when its job is over, which must be long before the end of a rest. */
async function ended(name: string): Promise<string | undefined> {
  const began = clock.now();
  const item = await waitFor(
    async () => {
      await clock.advance(20);
      const found = await scope.get(name);
      return isJobOpen(found.status) ? undefined : found;
    },
    { evenly: true },
  );
  expect(clock.now() - began).toBeLessThan(restMs / 2);
  return item.status?.phase;
}

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
    judge = (found, _context, awaited) => {
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
    judge = (_found, _context, awaited) => ({ type: "waiting", for: "calm", wakeOn: [awaited] });
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
    judge = async (found, _context, awaited) => {
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
    judge = (found, _context, awaited) => {
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
    judge = (_found, { item }, { cluster, namespace }) =>
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
        { evenly: true, timeoutMs: 20_000 },
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
      { evenly: true, timeoutMs: 20_000 },
    );
  });

  it("end when the target is another instance's now", async () => {
    await running.stop();
    const targetSelectors = [{ annotations: [{ key: "example.org/here", operator: "exists" }] }];
    running = fixture.start({ deployer, identity: "test", clock, random: () => 0, targetSelectors });
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

describe("also", () => {
  it("a deletion waits so", async () => {
    await makeReady("item");
    await create("item");
    expect(await ended("item")).toBe("Succeeded");
    judge = (found, _context, awaited) =>
      found === undefined ? { type: "succeeded" } : { type: "waiting", for: "it to go", wakeOn: [awaited] };
    passes = [];
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
    passes = [];
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
    judge = (found, _context, awaited) =>
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
