import { describe, expect, it } from "@jest/globals";
import { createFakeClock, waitFor } from "@landscaper/testkit";
import { acquireLeadership } from "./leader-election.ts";
import {
  useLeadershipFixture,
  leaseType,
  namespace,
  cluster,
  client,
  log,
  stop,
  leaseName,
  compete,
  readLease,
  holder,
  renewed,
  isWaiting,
} from "../../test/leadership-fixture.ts";

useLeadershipFixture();

const isBroken = (): boolean => log.lines.some(({ msg }) => msg === "the watch of the lease broke off");

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
