import { kubeResources } from "@landscaper/api";
import { describeError } from "../describe-error.ts";
import { decideLease, observeLease } from "./lease-decision.ts";
import type { ObservedLease } from "./lease-decision.ts";
import type { LeaseContext } from "./leader-election.ts";

/** Pause (ms) before the lease is looked at again when its watch does not work. */
const retryMs = 2_000;

/**
 * Waits while another one holds the lease: a watch sees at once when it is given up, a timer when it expires. Resolves to the
 * latest observation when it is worth a try.
 */
export async function waitForLeaseChange(
  context: LeaseContext & { readonly onHeld: (lease: ObservedLease) => void },
  observed: ObservedLease,
  signal: AbortSignal,
): Promise<ObservedLease | undefined> {
  const { clock, identity } = context;
  const expiry = new AbortController();
  let cancelTimer = (): void => {};
  let latest: ObservedLease | undefined = observed;
  /** Whether to go on waiting; sets the timer to the expiry of what was seen last. */
  const isHeld = (): boolean => {
    cancelTimer();
    const decision = decideLease(latest, identity, clock.elapsed());
    if (latest === undefined || decision.type !== "wait") return false;
    context.onHeld(latest);
    cancelTimer = clock.schedule(decision.untilMs - clock.elapsed(), () =>
      expiry.abort(new Error("the lease has expired")),
    );
    return true;
  };
  if (!isHeld()) return latest;
  try {
    const either = AbortSignal.any([signal, expiry.signal]);
    for await (const seen of leaseVersions(context, observed, either)) {
      latest = seen === undefined ? undefined : observeLease(latest, seen.lease, clock.elapsed());
      if (!isHeld()) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!expiry.signal.aborted) {
      context.log.debug({ lease: context.leaseName, error: describeError(error) }, "the watch of the lease broke off");
      await clock.sleep(retryMs, signal);
    }
  } finally {
    cancelTimer();
  }
  return latest;
}

/** Versions of the lease as the watch brings them; undefined when it was deleted. */
async function* leaseVersions(
  { client, clock, namespace, leaseName }: LeaseContext,
  { lease }: ObservedLease,
  signal: AbortSignal,
): AsyncGenerator<ObservedLease | undefined, void> {
  const { resourceVersion = "" } = lease.metadata;
  const fieldSelector = `metadata.name=${leaseName}`;
  for await (const event of client.watch(kubeResources.lease, { namespace, fieldSelector, resourceVersion, signal })) {
    switch (event.type) {
      case "ADDED":
      case "MODIFIED":
        yield { lease: event.object, observedMs: clock.elapsed() };
        break;
      case "DELETED":
        yield undefined;
        break;
      case "BOOKMARK":
        break;
      case "ERROR":
        throw new Error(`the watch ended with ${event.status.code ?? 0} ${event.status.reason ?? ""}`);
    }
  }
}
