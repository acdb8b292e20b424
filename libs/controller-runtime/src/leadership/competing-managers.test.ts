import { beforeEach, describe, expect, it } from "@jest/globals";
import { createFakeClock, type FakeClock, waitFor } from "@landscaper/testkit";
import { connectionFromKubeconfig } from "../client/connection/connection-from-kubeconfig.ts";
import { createClient } from "../client/create-client.ts";
import type { Manager } from "../controller-interface.ts";
import { createManager } from "../create-manager.ts";
import { LeadershipLostError } from "./lease-renewal.ts";
import {
  useLeadershipFixture,
  configMap,
  leaseType,
  namespace,
  cluster,
  client,
  log,
  stop,
  leaseName,
  compete,
  holder,
  isWaiting,
} from "../../test/leadership-fixture.ts";

useLeadershipFixture();

describe("managers that compete", () => {
  const stoodStill = (): LeadershipLostError =>
    new LeadershipLostError(leaseName, "not renewed for 20 s; the process or its machine stood still");

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
    const laterMs = one.clock.elapsed() + 20_000;
    one.clock.elapsed = () => laterMs;
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
    const laterMs = one.clock.elapsed() + 20_000;
    one.clock.elapsed = () => laterMs;
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
      const laterMs = one.clock.elapsed() + 20_000;
      one.clock.elapsed = () => laterMs;
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

  it("run a runnable with the Lease of its group", async () => {
    const manager = createManager({
      name: "x",
      client,
      clock: createFakeClock(),
      log,
      leaderElection: { namespace, leaseName, identity: "x" },
    });
    let holder: string | undefined;
    manager.addRunnable(
      "beside",
      async () => {
        const lease = await client.find(leaseType, { namespace, name: `${leaseName}-own` });
        holder = lease?.spec?.holderIdentity;
      },
      { group: "own" },
    );
    const end = new AbortController();
    const run = manager.start(end.signal);
    await waitFor(() => holder === "x");
    end.abort(new Error("stop"));
    await run;
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
