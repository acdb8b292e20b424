// Candidates for a Lease, each with a clock of its own, on one embedded cluster for each file.
import { kubeResources, type Lease } from "@landscaper/api";
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
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
import type { Client } from "../src/client/client-interface.ts";
import { acquireLeadership, type LeaseContext } from "../src/leadership/leader-election.ts";
import type { LongWait } from "../src/leadership/long-wait.ts";
import type { Leadership } from "../src/leadership/lease-renewal.ts";

export const { configMap, lease: leaseType } = kubeResources;
export const namespace = "default";
let embedded: EmbeddedCluster;
export let cluster: LocalCluster;
export let client: Client;
export let log: TestLogger;
export let stop: AbortController;
export let leaseName: string;
let count = 0;

/** For each test file: it calls this once. */
export function useLeadershipFixture(): void {
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
}

export interface Candidate {
  /** Each has a clock of its own: processes do not share time, nor stand still together. */
  readonly clock: FakeClock;
  readonly leadership: Promise<Leadership>;
  /** Reported waits; undefined for the end of one. */
  readonly waits: readonly (LongWait | undefined)[];
}

export function compete(identity: string): Candidate {
  const clock = createFakeClock();
  const waits: (LongWait | undefined)[] = [];
  const context: LeaseContext = {
    client,
    clock,
    random: () => 0,
    log,
    namespace,
    leaseName,
    identity,
    leaseDurationMs: 15_000,
    onLongWait: (wait) => void waits.push(wait),
  };
  const leadership = acquireLeadership(context, stop.signal);
  leadership.catch(() => {});
  return { clock, leadership, waits };
}

export function readLease(): Promise<Lease> {
  return client.get(leaseType, { namespace, name: leaseName });
}

export async function holder(): Promise<string | undefined> {
  return (await readLease()).spec?.holderIdentity;
}

export async function renewed(clock: FakeClock): Promise<void> {
  const before = (await readLease()).metadata.resourceVersion;
  await clock.advance(3_000);
  await waitFor(async () => (await readLease()).metadata.resourceVersion !== before);
}

/** Whether it waits for another's lease to expire; the limits of single requests are shorter. */
export function isWaiting({ clock }: { readonly clock: FakeClock }): boolean {
  return clock.dueTimes.some((dueMs) => dueMs - clock.now() > 10_000);
}
