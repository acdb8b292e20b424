import { describe, expect, it } from "@jest/globals";
import { waitFor } from "@landscaper/testkit";
import {
  client,
  compete,
  isWaiting,
  leaseName,
  leaseType,
  log,
  namespace,
  readLease,
  renewed,
  stop,
  useLeadershipFixture,
} from "../../test/leadership-fixture.ts";

useLeadershipFixture();

const sixtyYears = 2_000_000_000;
const waitLines = () => log.lines.filter(({ msg }) => String(msg).startsWith("waiting for a Lease"));

async function squat(holderIdentity: string, leaseDurationSeconds = sixtyYears): Promise<void> {
  await client.create(leaseType, {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace, name: leaseName },
    spec: { holderIdentity, leaseDurationSeconds },
  });
}

describe("a candidate", () => {
  it("reports the holder after three of its own durations, and takes the Lease after ten minutes without a renewal", async () => {
    await squat("intruder");
    const candidate = compete("core");
    await waitFor(() => isWaiting(candidate));
    await candidate.clock.advance(44_000);
    expect(candidate.waits).toEqual([]);
    await candidate.clock.advance(1_000);
    expect(candidate.waits).toEqual([{ leaseName, holder: "intruder", waitedMs: 45_000 }]);
    expect(waitLines()).toEqual([
      expect.objectContaining({
        level: "warn",
        msg: "waiting for a Lease that its holder has not renewed",
        lease: leaseName,
        holder: "intruder",
        waitedSeconds: 45,
      }),
    ]);
    await candidate.clock.advance(555_000);
    await candidate.leadership;
    expect((await readLease()).spec).toMatchObject({ holderIdentity: "core", leaseDurationSeconds: 15 });
    expect(candidate.waits).toEqual([expect.anything(), undefined]);
  });

  it("reports each further holder, and logs no warning while the holder renews its Lease", async () => {
    const leader = compete("one");
    await leader.leadership;
    const standby = compete("two");
    await waitFor(() => isWaiting(standby));
    for (let round = 0; round < 20; round++) {
      await standby.clock.advance(2_500);
      const due = standby.clock.dueTimes.join();
      await renewed(leader.clock);
      await waitFor(() => standby.clock.dueTimes.join() !== due);
    }
    expect(standby.waits).toEqual([{ leaseName, holder: "one", waitedMs: 45_000 }]);
    const lease = await readLease();
    await client.update(leaseType, { ...lease, spec: { ...lease.spec, holderIdentity: "three" } });
    await waitFor(() => standby.waits.length === 2);
    expect(standby.waits[1]).toMatchObject({ holder: "three" });
    expect(waitLines().map(({ level, holder }) => [level, holder])).toEqual([
      ["info", "one"],
      ["info", "three"],
    ]);
  });

  it("reports nothing if it gets the Lease before that", async () => {
    await squat("dead", 40);
    const candidate = compete("core");
    await waitFor(() => isWaiting(candidate));
    await candidate.clock.advance(40_000);
    await candidate.leadership;
    expect(candidate.waits).toEqual([]);
    expect(waitLines()).toEqual([]);
  });

  it("ends its report when it stops", async () => {
    await squat("intruder");
    const candidate = compete("core");
    await waitFor(() => isWaiting(candidate));
    await candidate.clock.advance(45_000);
    stop.abort(new Error("the process stops"));
    await expect(candidate.leadership).rejects.toThrow("the process stops");
    expect(candidate.waits).toEqual([expect.anything(), undefined]);
  });
});
