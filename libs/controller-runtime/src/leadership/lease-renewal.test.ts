import { describe, expect, it } from "@jest/globals";
import { waitFor } from "@landscaper/testkit";
import { LeadershipLostError } from "./lease-renewal.ts";
import {
  useLeadershipFixture,
  leaseType,
  namespace,
  cluster,
  client,
  log,
  leaseName,
  compete,
  readLease,
  holder,
  renewed,
} from "../../test/leadership-fixture.ts";

useLeadershipFixture();

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
    const laterMs = clock.elapsed() + 10_000;
    clock.elapsed = () => laterMs;
    expect([held.isValid(), held.lost.aborted]).toEqual([false, true]);
    expect(held.lost.reason).toEqual(new LeadershipLostError(leaseName, "not renewed for 10 s"));
  });

  it("is not renewed by a machine that was suspended too long: others have followed", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    const before = await readLease();
    clock.suspend(60_000);
    await clock.advance(3_000);
    await waitFor(() => held.lost.aborted);
    const why = "not renewed for 63 s; the process or its machine stood still";
    expect(held.lost.reason).toEqual(new LeadershipLostError(leaseName, why));
    await held.release();
    expect(await readLease()).toEqual(before);
  });

  it("is lost when the machine was suspended during a renewal", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    cluster.setFault(({ verb, resource }) => {
      if (verb === "update" && resource === "leases") clock.suspend(60_000);
      return undefined;
    });
    await clock.advance(3_000);
    await waitFor(() => held.lost.aborted);
  });

  it("is lost for a machine whose clock was set back while the process was stopped", async () => {
    const { clock, leadership } = compete("one");
    const held = await leadership;
    clock.setTimeOfDay(-3_600_000);
    clock.elapsed = () => 10_000;
    expect([held.isValid(), held.lost.aborted]).toEqual([false, true]);
  });

  it.each([-3_600_000, 3_600_000])(
    "stays and is renewed in time when the clock of the machine is set by %i ms",
    async (byMs) => {
      const { clock, leadership } = compete("one");
      const held = await leadership;
      await renewed(clock);
      clock.setTimeOfDay(byMs);
      expect([held.isValid(), held.lost.aborted]).toEqual([true, false]);
      for (let round = 1; round <= 5; round++) await renewed(clock);
      expect([held.isValid(), held.lost.aborted, await holder()]).toEqual([true, false, "one"]);
      await held.release();
    },
  );

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
