import { kubeResources } from "@landscaper/api";
import type { Lease } from "@landscaper/api";
import { isAlreadyExists, isConflict } from "../client/api-error.ts";
import { backoffDelayMs } from "../backoff.ts";
import type { Random } from "../backoff.ts";
import type { Client } from "../client/client-interface.ts";
import type { Clock, Logger } from "../controller-interface.ts";
import { describeError } from "../describe-error.ts";
import { claimSpec, decideLease, observeLease } from "./lease-decision.ts";
import type { ObservedLease } from "./lease-decision.ts";
import { keepLease, momentOf } from "./lease-renewal.ts";
import type { Leadership } from "./lease-renewal.ts";
import { waitForLeaseChange } from "./lease-watch.ts";
import { watchWait, type LongWait, type WaitWatch } from "./long-wait.ts";
import { withTimeLimit } from "./time-limit.ts";

export interface LeaseOptions {
  readonly namespace: string;
  readonly leaseName: string;
  /** Who we are; differs between all processes that compete. */
  readonly identity: string;
  /** After which others take a lease that is not renewed. Default 15 s. We stop writing after two thirds of it. */
  readonly leaseDurationMs?: number | undefined;
  /** Beside those that the Lease has. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** As known when the Lease is taken. */
  readonly annotations?: (() => Readonly<Record<string, string>>) | undefined;
  /** Of the cluster that the Leases are in, when it is not that of the manager. */
  readonly client?: Client | undefined;
}

export interface LeaseContext {
  /** The plain client: renewals are no writes that need leadership. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly namespace: string;
  readonly leaseName: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  /** Called after a wait of three durations, again for each further holder, and with undefined when a reported wait ends. */
  readonly onLongWait?: ((wait: LongWait | undefined) => void) | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** As known when the Lease is taken. */
  readonly annotations?: (() => Readonly<Record<string, string>>) | undefined;
}

export const defaultLeaseDurationMs = 15_000;
const retryBackoff = { baseMs: 500, maxMs: 4_000 };

/**
 * Waits until the lease is ours, then renews it until it is released; rejects when the signal is aborted first. Failures are logged
 * and tried again. With a lease name that nobody else uses it is a membership: proof of life with a time limit.
 */
export async function acquireLeadership(context: LeaseContext, signal: AbortSignal): Promise<Leadership> {
  const wait = watchWait(context);
  try {
    return await compete(context, wait, signal);
  } finally {
    wait.end();
  }
}

async function compete(context: LeaseContext, wait: WaitWatch, signal: AbortSignal): Promise<Leadership> {
  const { clock, log, random } = context;
  let observed: ObservedLease | undefined;
  for (let failures = 0; ;) {
    signal.throwIfAborted();
    try {
      observed = await observe(context, observed, signal);
      const renewed = momentOf(clock);
      const lease = await tryToTake(context, observed, signal);
      if (lease !== undefined) {
        log.info({ lease: context.leaseName, identity: context.identity }, "leading");
        return keepLease(context, { lease, renewed });
      }
      failures = 0;
      if (observed !== undefined)
        observed = await waitForLeaseChange({ ...context, onHeld: (held) => wait.observe(held) }, observed, signal);
    } catch (error) {
      signal.throwIfAborted();
      failures++;
      const delayMs = backoffDelayMs(retryBackoff, failures, random);
      // Losing the race for a free lease is how elections go.
      if (!isConflict(error) && !isAlreadyExists(error)) {
        log.warn({ lease: context.leaseName, delayMs, error: describeError(error) }, "the lease cannot be taken yet");
      }
      await clock.sleep(delayMs, signal);
    }
  }
}

/** An answer that does not come must not keep us waiting longer than the lease itself would. */
function withLimit<T>(
  { clock, leaseDurationMs }: LeaseContext,
  signal: AbortSignal,
  run: (options: { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  return withTimeLimit({ clock, limitMs: leaseDurationMs / 3, signal }, run);
}

async function observe(
  context: LeaseContext,
  previous: ObservedLease | undefined,
  signal: AbortSignal,
): Promise<ObservedLease | undefined> {
  const { client, clock, namespace, leaseName } = context;
  const key = { namespace, name: leaseName };
  const lease = await withLimit(context, signal, (limited) => client.find(kubeResources.lease, key, limited));
  return lease === undefined ? undefined : observeLease(previous, lease, clock.elapsed());
}

/** The lease when it is ours now; undefined when another one holds it. */
async function tryToTake(
  context: LeaseContext,
  observed: ObservedLease | undefined,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  const { client, clock, identity, leaseDurationMs, namespace, leaseName } = context;
  const decision = decideLease(observed, identity, clock.elapsed());
  if (decision.type === "wait") return undefined;
  const isNewHolder = decision.type === "create" || decision.isNewHolder;
  const claim = { identity, durationMs: leaseDurationMs, nowMs: clock.now(), isNewHolder };
  const spec = claimSpec(observed?.lease.spec, claim);
  const metadata = markedMetadata(context, observed?.lease.metadata ?? { namespace, name: leaseName });
  if (observed !== undefined) {
    const claimed = { ...observed.lease, metadata, spec };
    return withLimit(context, signal, (limited) => client.update(kubeResources.lease, claimed, limited));
  }
  const lease: Lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
  return withLimit(context, signal, (limited) => client.create(kubeResources.lease, lease, limited));
}

function markedMetadata({ labels, annotations }: LeaseContext, metadata: Lease["metadata"]): Lease["metadata"] {
  return {
    ...metadata,
    ...(labels === undefined ? {} : { labels: { ...metadata.labels, ...labels } }),
    ...(annotations === undefined ? {} : { annotations: { ...metadata.annotations, ...annotations() } }),
  };
}
