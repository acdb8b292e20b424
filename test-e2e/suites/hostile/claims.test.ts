// Deployers of one type that have the same items, and one that stands still beyond its Lease: each job is one deployer's.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { freezeProcess, waitFor } from "@landscaper/testkit";
import { tailOf } from "../../cluster/child.ts";
import { findJobFaults } from "../../ha/audit-jobs.ts";
import { findSharedWork, type ItemRequest } from "../../ha/audit-replicas.ts";
import type { CoreReplica } from "../../ha/core-replica.ts";
import { startRivalDeployers, type RivalDeployers } from "../../ha/rival-deployers.ts";
import { clustersUnderTest, isWholeRun } from "../../src/clusters/selected-clusters.ts";

const count = isWholeRun("hostile") ? 50 : 20;
const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `item-${from + index}`);
/** Nobody is to lose its Lease on a machine that does everything else as well. */
const usualSeconds = 60;
/** Of the deployer that stands still until it has lost its Lease. Long enough to renew it until then on a machine that does everything else as well. */
const frozenSeconds = 15;

/** On the hub, as the proxies have it. */
function hubWrites(replicas: readonly CoreReplica[]): ItemRequest[] {
  return replicas.flatMap(({ pod, writes }) =>
    writes
      .filter(({ resource }) => resource === "deployitems")
      .map(({ path, atMs }) => ({ pod, item: path.split("/")[7] ?? "", isWrite: true, atMs })),
  );
}

/** Nobody has died. */
const noDeath = { pod: "", atMs: 0, held: new Set<string>() };

describe.each(clustersUnderTest())("deployers with the same items on %s", (cluster) => {
  let rivals: RivalDeployers;
  beforeAll(async () => {
    rivals = await startRivalDeployers(cluster);
  });
  afterAll(() => rivals.stop());

  async function expectOneEach(own: readonly string[], replicas: readonly CoreReplica[]): Promise<void> {
    await rivals.createItems(own);
    await rivals.untilFinished(own);
    const { items, targetRequests } = rivals;
    const seen = items.seen.filter(({ object }) => own.includes(object.metadata.name ?? ""));
    expect(findJobFaults(seen, 1)).toEqual([]);
    // Who has picked the job up, and when, as the API server has it.
    const pickups = new Set(
      seen
        .filter(({ object }) => object.status?.phase === "Progressing")
        .map(({ object: { metadata, status } }) =>
          JSON.stringify([metadata.name, status?.deployer?.identity, status?.transitionTimes?.initTime]),
        ),
    );
    expect(pickups.size).toBe(own.length);
    expect(findSharedWork(hubWrites(replicas), noDeath)).toEqual([]);
    const requests = targetRequests.filter(({ item }) => own.includes(item));
    expect(findSharedWork(requests, noDeath)).toEqual([]);
    expect(
      requests
        .filter(({ isWrite }) => isWrite)
        .map(({ item }) => item)
        .toSorted(),
    ).toEqual([...own].toSorted());
  }

  it(`two instances whose selectors overlap do each of ${count} jobs once`, async () => {
    const replicas = await Promise.all(
      ["blue", "green"].map((identity) => rivals.start({ pod: `${identity}-0`, identity, leaseSeconds: usualSeconds })),
    );
    await expectOneEach(names(0, count), replicas);
    const { items } = await rivals.environment.client.list(kubeResources.event, { namespace: rivals.scope.name });
    const notes = items
      .filter(({ reason }) => reason === "SteppedBack")
      .map(({ regarding, note }) => `${regarding?.name}: ${note}`);
    expect(notes.length).toBe(new Set(notes).size);
    for (const replica of replicas) await replica.service.stop(30_000);
    expect(replicas.map(({ service }) => service.child.ended)).toEqual(["exit code 0", "exit code 0"]);
  });

  it(`two replicas without any configuration do each of ${count} jobs once`, async () => {
    const replicas = await Promise.all(["a", "b"].map((pod) => rivals.start({ pod, leaseSeconds: usualSeconds })));
    await expectOneEach(names(count, 2 * count), replicas);
    for (const replica of replicas) await replica.service.stop(30_000);
  });

  it("one that stands still beyond its Lease is followed, and ends without a write when it goes on", async () => {
    const frozen = await rivals.start({ pod: "frozen-0", identity: "frozen", leaseSeconds: frozenSeconds });
    // The worst moment: all that it works on waits for answers. They come while it stands still, and are the first that it sees.
    const release = rivals.targetProxy.holdAnswers();
    const own = names(2 * count, 2 * count + 10);
    await rivals.createItems(own, 3);
    const isInWork = (name: string): boolean => rivals.items.current.get(name)?.status?.phase === "Progressing";
    await waitFor(() => own.every(isInWork));
    let before = -1;
    const isQuiet = (): boolean => {
      const requests = rivals.targetProxy.requests;
      const isSame = requests > 0 && requests === before;
      before = requests;
      return isSame;
    };
    await waitFor(isQuiet, { intervalMs: 300 });
    // Otherwise it has lost its Lease before it stood still.
    expect(frozen.service.child.ended).toBeUndefined();
    await freezeProcess(frozen.service.child.pid);
    release();
    const follower = await rivals.start({ pod: "follower-0", identity: "follower", leaseSeconds: usualSeconds });
    await rivals.untilFinished(own);
    expect(new Set(hubWrites([follower]).map(({ item }) => item))).toEqual(new Set(own));

    const hubAttempts = frozen.attempts.length;
    const wakesAtMs = performance.now();
    process.kill(frozen.service.child.pid, "SIGCONT");
    await waitFor(() => frozen.service.child.ended !== undefined);
    expect(frozen.service.child.ended).toBe("exit code 1");
    const lost = tailOf(frozen.service.logFile, 1000)
      .split("\n")
      .filter((line) => / is lost: /.test(line));
    expect(lost).toEqual([expect.stringMatching(/^error: the lease frozen-0\.\S+ is lost: not renewed for [\d.]+ s/)]);
    expect(frozen.attempts.slice(hubAttempts)).toEqual([]);
    const late = rivals.targetRequests.filter(
      ({ pod, isWrite, atMs }) => pod === "frozen-0" && isWrite && atMs > wakesAtMs,
    );
    expect(late).toEqual([]);
    for (const name of own)
      expect(rivals.items.current.get(name)?.status?.deployer?.identity).toBe("follower/follower-0");
  });
});
