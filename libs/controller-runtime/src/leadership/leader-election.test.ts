import { kubeResources } from "@landscaper/api";
import type { Lease } from "@landscaper/api";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "@landscaper/local-cluster";
import {
  startEmbeddedCluster,
  type EmbeddedCluster,
  createFakeClock,
  type FakeClock,
  createTestLogger,
  type TestLogger,
  waitFor,
} from "@landscaper/testkit";
import { connectionFromKubeconfig } from "../client/connection-from-kubeconfig.ts";
import { createClient } from "../client/create-client.ts";
import type { Client } from "../client/client-interface.ts";
import type { Manager } from "../controller-interface.ts";
import { createManager } from "../create-manager.ts";
import { acquireLeadership } from "./leader-election.ts";
import type { LeaseContext } from "./leader-election.ts";
import { LeadershipLostError } from "./lease-renewal.ts";
import type { Leadership } from "./lease-renewal.ts";

const { configMap, lease: leaseType } = kubeResources;
const namespace = "default";

let embedded: EmbeddedCluster;
let cluster: LocalCluster;
let client: Client;
let log: TestLogger;
let stop: AbortController;
let leaseName: string;
let count = 0;

beforeAll(async () => {
  embedded = await startEmbeddedCluster();
  ({ server: cluster, client } = embedded);
});
afterAll(() => embedded.stop());
beforeEach(() => {
  log = createTestLogger();
  stop = new AbortController();
  leaseName = `lease-${++count}`;
});
afterEach(() => {
  cluster.setFault(undefined);
  stop.abort(new Error("the test is over"));
});

interface Candidate {
  /** Each has a clock of its own: processes do not share time, nor stand still together. */
  readonly clock: FakeClock;
  readonly leadership: Promise<Leadership>;
}

function compete(identity: string): Candidate {
  const clock = createFakeClock();
  const context: LeaseContext = {
    client,
    clock,
    random: () => 0,
    log,
    namespace,
    leaseName,
    identity,
    leaseDurationMs: 15_000,
  };
  const leadership = acquireLeadership(context, stop.signal);
  leadership.catch(() => {});
  return { clock, leadership };
}

function readLease(): Promise<Lease> {
  return client.get(leaseType, { namespace, name: leaseName });
}

async function holder(): Promise<string | undefined> {
  return (await readLease()).spec?.holderIdentity;
}

async function renewed(clock: FakeClock): Promise<void> {
  const before = (await readLease()).metadata.resourceVersion;
  await clock.advance(3_000);
  await waitFor(async () => (await readLease()).metadata.resourceVersion !== before);
}

const isBroken = (): boolean => log.lines.some(({ msg }) => msg === "the watch of the lease broke off");

/** Whether it waits for another's lease to expire; the limits of single requests are shorter. */
function isWaiting({ clock }: { readonly clock: FakeClock }): boolean {
  return clock.dueTimes.some((dueMs) => dueMs - clock.now() > 10_000);
}

/** Whether the promise is settled once everything that waits for promises alone has run. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise((resolve) => setImmediate(resolve, "pending"));
  return (await Promise.race([promise, turn])) === "pending";
}

describe("acquireLeadership", () => {
  it("makes the lease and holds it", async () => {
    const { leadership } = compete("one");
    const held = await leadership;
    expect(held.isValid()).toBe(true);
    expect((await readLease()).spec).toEqual({
      holderIdentity: "one",
      leaseDurationSeconds: 15,
      acquireTime: "2026-01-01T00:00:00.000000Z",
      renewTime: "2026-01-01T00:00:00.000000Z",
      leaseTransitions: 0,
    });
  });

  it("lets one lead and the others wait, as long as it renews", async () => {
    const one = compete("one");
    await one.leadership;
    const two = compete("two");
    await waitFor(() => isWaiting(two));
    for (let round = 0; round < 10; round++) {
      // The other one's time goes on, then it sees the renewal and waits anew.
      await two.clock.advance(2_900);
      const due = two.clock.dueTimes.join();
      await renewed(one.clock);
      await waitFor(() => two.clock.dueTimes.join() !== due);
    }
    expect(await isPending(two.leadership)).toBe(true);
    expect(await holder()).toBe("one");
  });

  it("hands over at once when the leader gives up", async () => {
    const one = compete("one");
    const held = await one.leadership;
    const two = compete("two");
    await waitFor(() => isWaiting(two));
    await held.release();
    // No time has passed on either side.
    await two.leadership;
    expect(await holder()).toBe("two");
    expect((await readLease()).spec?.leaseTransitions).toBe(1);
  });

  it("takes the lease of a leader that is dead when it has expired, not before", async () => {
    const one = compete("one");
    await one.leadership;
    const two = compete("two");
    await waitFor(() => isWaiting(two));
    await two.clock.advance(14_000);
    expect(await isPending(two.leadership)).toBe(true);
    await two.clock.advance(2_000);
    await two.leadership;
    expect(await holder()).toBe("two");
  });

  it("does not take a lease because somebody has set our clock", async () => {
    const one = compete("one");
    await one.leadership;
    const two = compete("two");
    await waitFor(() => isWaiting(two));
    const tomorrowMs = two.clock.now() + 86_400_000;
    two.clock.now = () => tomorrowMs;
    let watches = 0;
    cluster.setFault(({ verb, resource }) => {
      if (verb === "watch" && resource === "leases") watches += 1;
      return undefined;
    });
    // It looks again, and decides to go on waiting.
    await waitFor(
      async () => {
        cluster.cutWatches();
        await two.clock.advance(500);
        return watches > 0;
      },
      { evenly: true },
    );
    expect(await isPending(two.leadership)).toBe(true);
    expect(await holder()).toBe("one");
  });

  it("asks again when no answer comes, and takes the lease then", async () => {
    let isFirst = true;
    cluster.setFault(({ resource }) => {
      if (resource !== "leases" || !isFirst) return undefined;
      isFirst = false;
      return { status: 429, retryAfter: 30 };
    });
    const one = compete("one");
    await waitFor(() => !isFirst);
    await waitFor(
      async () => {
        await one.clock.advance(1_000);
        return !(await isPending(one.leadership));
      },
      { evenly: true },
    );
    expect(log.lines[0]).toMatchObject({ level: "warn", lease: leaseName, msg: "the lease cannot be taken yet" });
  });

  it("goes on after a restart of the same process", async () => {
    const first = compete("one");
    await first.leadership;
    await compete("one").leadership;
    expect((await readLease()).spec?.leaseTransitions).toBe(0);
  });

  it("takes a lease whose creation was answered to nobody", async () => {
    let isFirst = true;
    cluster.setFault(({ verb, resource }) => {
      if (verb !== "create" || resource !== "leases" || !isFirst) return undefined;
      isFirst = false;
      return "drop-answer";
    });
    const one = compete("one");
    await waitFor(() => log.lines.length === 1);
    await one.clock.advance(1_000);
    await one.leadership;
    expect(await holder()).toBe("one");
  });

  it("tries again and again while the server is away", async () => {
    cluster.setFault(() => ({ status: 403 }));
    const { clock, leadership } = compete("one");
    await waitFor(
      async () => {
        await clock.advance(4_000);
        return log.lines.length >= 3;
      },
      { evenly: true },
    );
    cluster.setFault(undefined);
    await waitFor(
      async () => {
        await clock.advance(4_000);
        return !(await isPending(leadership));
      },
      { evenly: true },
    );
    expect(log.lines[0]).toMatchObject({ level: "warn", lease: leaseName, msg: "the lease cannot be taken yet" });
  });

  it("finds a lease that was deleted while it waited", async () => {
    await compete("one").leadership;
    const two = compete("two");
    await waitFor(() => isWaiting(two));
    await client.delete(leaseType, { namespace, name: leaseName });
    await two.leadership;
    expect(await holder()).toBe("two");
  });

  it("waits on when its watch breaks", async () => {
    const one = compete("one");
    const held = await one.leadership;
    const two = compete("two");
    await waitFor(() => {
      cluster.cutWatches();
      return isBroken();
    });
    await held.release();
    await waitFor(
      async () => {
        await two.clock.advance(500);
        return !(await isPending(two.leadership));
      },
      { evenly: true },
    );
    expect(await holder()).toBe("two");
  });

  it("is a membership with a name of its own: labelled, so that others find it", async () => {
    const clock = createFakeClock();
    const base = { client, clock, random: () => 0, log, namespace, identity: "me", leaseDurationMs: 15_000 };
    const held = await acquireLeadership({ ...base, leaseName, labels: { member: leaseName } }, stop.signal);
    const { items } = await client.list(leaseType, { namespace, labelSelector: `member=${leaseName}` });
    expect(items.map(({ spec }) => spec?.holderIdentity)).toEqual(["me"]);
    await held.release();
  });

  it("ends with the caller's reason", async () => {
    await compete("one").leadership;
    const two = compete("two");
    await waitFor(() => isWaiting(two));
    const reason = new Error("enough");
    stop.abort(reason);
    await expect(two.leadership).rejects.toBe(reason);
    await waitFor(() => two.clock.pendingTimers === 0);
  });
});

/** A minute for the machine: the monotonic clock stands still meanwhile, and so do the timers. */
function suspend(clock: FakeClock): void {
  clock.now = () => Date.UTC(2026, 0, 1) + clock.elapsed() + 60_000;
}

describe("a leadership", () => {
  it("is renewed every fifth of its duration", async () => {
    const { clock, leadership } = compete("one");
    await leadership;
    for (let round = 1; round <= 5; round++) await renewed(clock);
    expect((await readLease()).spec?.renewTime).toBe("2026-01-01T00:00:15.000000Z");
  });

  it("survives failures that are shorter than two thirds of its duration", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    cluster.setFault(({ resource }) => (resource === "leases" ? { status: 500 } : undefined));
    await waitFor(
      async () => {
        if (clock.now() < Date.UTC(2026, 0, 1) + 9_000) await clock.advance(500);
        return clock.now() >= Date.UTC(2026, 0, 1) + 9_000;
      },
      { evenly: true },
    );
    expect(held.isValid()).toBe(true);
    cluster.setFault(undefined);
    await waitFor(
      async () => {
        await clock.advance(50);
        return (await readLease()).spec?.renewTime !== "2026-01-01T00:00:00.000000Z";
      },
      { evenly: true },
    );
    await clock.advance(5_000);
    expect(held.isValid()).toBe(true);
  });

  it("survives a renewal that is not answered: the next one has a connection of its own", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    let isFirst = true;
    cluster.setFault(({ resource }) => {
      if (resource !== "leases" || !isFirst) return undefined;
      isFirst = false;
      return { status: 429, retryAfter: 30 };
    });
    await clock.advance(3_000);
    await waitFor(() => !isFirst);
    await clock.advance(3_000);
    await waitFor(
      async () => {
        await clock.advance(100);
        return (await readLease()).spec?.renewTime !== "2026-01-01T00:00:00.000000Z";
      },
      { evenly: true },
    );
    expect(clock.elapsed()).toBeLessThan(10_000);
    await clock.advance(5_000);
    expect(held.isValid()).toBe(true);
  });

  it("is lost when it could not be renewed, well before others may take it", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    cluster.setFault(({ resource }) => (resource === "leases" ? { status: 500 } : undefined));
    await clock.advance(9_999);
    expect([held.isValid(), held.lost.aborted]).toEqual([true, false]);
    await clock.advance(1);
    expect(held.isValid()).toBe(false);
    expect(held.lost.reason).toEqual(new LeadershipLostError(leaseName, "not renewed for 10 s"));
  });

  it("is lost for a process that was stopped too long, before any timer has run", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    const laterMs = clock.now() + 10_000;
    clock.now = () => laterMs;
    expect([held.isValid(), held.lost.aborted]).toEqual([false, true]);
    expect(held.lost.reason).toEqual(new LeadershipLostError(leaseName, "not renewed for 10 s"));
  });

  it("is not renewed by a machine that was suspended too long: others have followed", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    const before = await readLease();
    suspend(clock);
    await clock.advance(3_000);
    await waitFor(() => held.lost.aborted);
    const why = "not renewed for 63 s; the process or its machine stood still, or the clock was set";
    expect(held.lost.reason).toEqual(new LeadershipLostError(leaseName, why));
    await held.release();
    expect(await readLease()).toEqual(before);
  });

  it("is lost when the machine was suspended during a renewal", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    cluster.setFault(({ verb, resource }) => {
      if (verb === "update" && resource === "leases") suspend(clock);
      return undefined;
    });
    await clock.advance(3_000);
    await waitFor(() => held.lost.aborted);
  });

  it("is lost for a machine whose clock was set back while the process was stopped", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    clock.elapsed = () => 10_000;
    expect([held.isValid(), held.lost.aborted]).toEqual([false, true]);
  });

  it("is lost at once when another one has taken the lease", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    const spec = { ...(await readLease()).spec, holderIdentity: "thief" };
    await client.patch(leaseType, { namespace, name: leaseName }, { type: "merge", body: { spec } });
    await clock.advance(3_000);
    await waitFor(() => held.lost.aborted);
    expect(held.lost.reason).toEqual(new LeadershipLostError(leaseName, "thief holds it"));
    await held.release();
    expect(await holder()).toBe("thief");
  });

  it("is lost when the lease was deleted", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    await client.delete(leaseType, { namespace, name: leaseName });
    // As the real API server answers: a lease with a uid is not made anew by an update.
    cluster.setFault(({ verb, resource }) =>
      verb === "update" && resource === "leases" ? { status: 409 } : undefined,
    );
    await clock.advance(3_000);
    await waitFor(() => held.lost.aborted);
    expect(held.lost.reason).toEqual(new LeadershipLostError(leaseName, "nobody holds it"));
  });

  it("survives that somebody else writes a label", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    await client.patch(
      leaseType,
      { namespace, name: leaseName },
      { type: "merge", body: { metadata: { labels: { a: "b" } } } },
    );
    await clock.advance(3_000);
    await waitFor(
      async () => {
        await clock.advance(0);
        return (await readLease()).spec?.renewTime === "2026-01-01T00:00:03.000000Z";
      },
      { evenly: true },
    );
    expect(held.isValid()).toBe(true);
    expect((await readLease()).metadata.labels).toEqual({ a: "b" });
  });

  it("is given up though the answer of the last renewal was lost", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    let isFirst = true;
    cluster.setFault(({ verb, resource }) => {
      if (verb !== "update" || resource !== "leases" || !isFirst) return undefined;
      isFirst = false;
      return "drop-answer";
    });
    await clock.advance(3_000);
    await waitFor(() => !isFirst);
    await held.release();
    expect(await holder()).toBe("");
  });

  it("ends though the lease cannot be given up", async () => {
    const { leadership } = compete("one");
    const held = await leadership;
    cluster.setFault(() => ({ status: 500 }));
    await held.release();
    expect(log.lines.at(-1)).toMatchObject({ level: "warn", msg: "the lease could not be given up and will expire" });
  });
});

describe("managers that compete", () => {
  const stoodStill = (): LeadershipLostError =>
    new LeadershipLostError(
      leaseName,
      "not renewed for 20 s; the process or its machine stood still, or the clock was set",
    );

  interface Replica {
    readonly manager: Manager;
    readonly clock: FakeClock;
    readonly keys: string[];
    readonly stop: AbortController;
    readonly run: Promise<void>;
    work: (signal: AbortSignal) => Promise<void>;
  }

  function startReplica(identity: string, groups: readonly string[] = [""], ownClient = client): Replica {
    const clock = createFakeClock();
    const manager = createManager({
      name: identity,
      client: ownClient,
      clock,
      log,
      leaderElection: { namespace, leaseName, identity },
    });
    const stopReplica = new AbortController();
    const keys: string[] = [];
    const replica: Omit<Replica, "run"> = { manager, clock, keys, stop: stopReplica, work: () => Promise.resolve() };
    for (const group of groups) {
      manager.addController({
        name: `controller-${group}`,
        for: configMap,
        group,
        predicate: ({ metadata }) => metadata.name === leaseName,
        reconcile: async (_key, signal) => {
          keys.push(group);
          await replica.work(signal);
          return undefined;
        },
      });
    }
    const run = manager.start(stopReplica.signal);
    run.catch(() => {});
    stop.signal.addEventListener("abort", () => stopReplica.abort(new Error("the test is over")));
    return Object.assign(replica, { run });
  }

  const touch = (): Promise<unknown> =>
    client.patch(
      configMap,
      { namespace, name: leaseName },
      { type: "merge", body: { data: { v: String(Math.random()) } } },
    );

  beforeEach(async () => {
    await client.create(configMap, { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: leaseName } });
  });

  it("work on one of them, and on the other as soon as the first has ended its work", async () => {
    const one = startReplica("one");
    await waitFor(() => one.keys.length === 1);
    const two = startReplica("two");
    await waitFor(() => isWaiting(two));
    let finish = (): void => {};
    one.work = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    await touch();
    await waitFor(() => one.keys.length === 2);
    one.stop.abort(new Error("stop"));
    expect(await holder()).toBe("one");
    expect(two.keys).toEqual([]);
    finish();
    await one.run;
    await waitFor(() => two.keys.length === 1);
    expect(await holder()).toBe("two");
    two.stop.abort(new Error("stop"));
    await two.run;
    expect(await holder()).toBe("");
  });

  it("stop in time when the lease cannot be renewed: work is aborted, writes are refused, start fails", async () => {
    const one = startReplica("one");
    await waitFor(() => one.keys.length === 1);
    const failures: unknown[] = [];
    one.work = async (signal) => {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      await one.manager.client
        .patch(configMap, { namespace, name: leaseName }, { type: "merge", body: { data: { late: "write" } } })
        .catch((error: unknown) => failures.push(error));
    };
    await touch();
    await waitFor(() => one.keys.length === 2);
    cluster.setFault(({ resource }) => (resource === "leases" ? { status: 500 } : undefined));
    await one.clock.advance(10_000);
    const lost = new LeadershipLostError(leaseName, "not renewed for 10 s");
    await expect(one.run).rejects.toEqual(lost);
    expect(failures).toEqual([lost]);
    cluster.setFault(undefined);
    expect((await client.get(configMap, { namespace, name: leaseName })).data).not.toHaveProperty("late");
    // Reads are harmless.
    await one.manager.client.get(configMap, { namespace, name: leaseName });
  });

  it("refuse writes after a standstill of the process, though no timer has run yet, and end", async () => {
    const one = startReplica("one");
    await waitFor(() => one.keys.length === 1);
    const laterMs = one.clock.now() + 20_000;
    one.clock.now = () => laterMs;
    const late = one.manager.client.delete(configMap, { namespace, name: leaseName });
    await expect(late).rejects.toEqual(stoodStill());
    await expect(one.run).rejects.toEqual(stoodStill());
    expect(await client.find(configMap, { namespace, name: leaseName })).toBeDefined();
  });

  it("refuse writes to other clusters, too", async () => {
    const one = startReplica("one");
    await waitFor(() => one.keys.length === 1);
    const key = { namespace, name: leaseName };
    const other = one.manager.guard(client);
    await other.patch(configMap, key, { type: "merge", body: { data: { written: "in time" } } });
    const laterMs = one.clock.now() + 20_000;
    one.clock.now = () => laterMs;
    await expect(other.delete(configMap, key)).rejects.toBeInstanceOf(LeadershipLostError);
    expect((await other.get(configMap, key)).data).toEqual({ written: "in time" });
  });

  it("hold back writes that have waited for a connection during a standstill", async () => {
    const narrow = createClient({ connection: connectionFromKubeconfig(cluster.kubeconfig), maxConnections: 1 });
    const one = startReplica("one", [""], narrow);
    await waitFor(() => one.keys.length === 1);
    const key = { namespace, name: leaseName };
    let waiting: Promise<unknown> | undefined;
    cluster.setFault(({ verb, resource }) => {
      // The only connection is busy with the read; the write has been allowed, and waits. Then the process stands still.
      if (verb !== "get" || resource !== "configmaps" || waiting !== undefined) return undefined;
      waiting = one.manager.client.delete(configMap, key).catch((error: unknown) => error);
      const laterMs = one.clock.now() + 20_000;
      one.clock.now = () => laterMs;
      return undefined;
    });
    await one.manager.client.get(configMap, key);
    expect(await waiting).toEqual(stoodStill());
    expect(await client.find(configMap, key)).toBeDefined();
    await expect(one.run).rejects.toEqual(stoodStill());
    await narrow.close();
  });

  it("cut off writes that are under way when the lease is lost", async () => {
    const one = startReplica("one");
    await waitFor(() => one.keys.length === 1);
    cluster.setFault(({ resource }) => (resource === "leases" ? { status: 500 } : { status: 429, retryAfter: 30 }));
    const slow = one.manager.client.delete(configMap, { namespace, name: leaseName });
    slow.catch(() => {});
    await one.clock.advance(10_000);
    await expect(one.run).rejects.toBeInstanceOf(LeadershipLostError);
    cluster.setFault(undefined);
    expect(await client.find(configMap, { namespace, name: leaseName })).toBeDefined();
  });

  it("lead group by group", async () => {
    const one = startReplica("one", ["a", "b"]);
    await waitFor(() => one.keys.length === 2);
    const holders = await Promise.all(
      ["a", "b"].map((group) => client.get(leaseType, { namespace, name: `${leaseName}-${group}` })),
    );
    expect(holders.map(({ spec }) => spec?.holderIdentity)).toEqual(["one", "one"]);
    expect(await client.find(leaseType, { namespace, name: leaseName })).toBeUndefined();
    one.stop.abort(new Error("stop"));
    await one.run;
  });

  it("run what needs no leader on all of them", async () => {
    await compete("other").leadership;
    const clock = createFakeClock();
    const manager = createManager({
      name: "x",
      client,
      clock,
      log,
      leaderElection: { namespace, leaseName, identity: "x" },
    });
    const started: string[] = [];
    const note = (name: string) => (): Promise<void> => {
      started.push(name);
      return Promise.resolve();
    };
    manager.addRunnable("everywhere", note("everywhere"), { needsLeader: false });
    manager.addRunnable("leader", note("leader"));
    const run = manager.start(stop.signal);
    await waitFor(() => isWaiting({ clock }));
    expect(started).toEqual(["everywhere"]);
    stop.abort(new Error("stop"));
    await run;
  });
});
