import { createHash } from "node:crypto";
import { kubeResources, type Lease } from "@landscaper/api";
import {
  createInformer,
  describeError,
  observeLease,
  type Client,
  type Clock,
  type LeaseOptions,
  type Logger,
  type ObservedLease,
} from "@landscaper/controller-runtime";

/** A replica among others of its instance. */
export interface ReplicaOptions {
  /** Differs between all replicas that live at a time. */
  readonly pod: string;
  /** Where the Leases are. */
  readonly namespace: string;
  /** Of the cluster that the Leases are in. */
  readonly client: Client;
}

interface Instance {
  readonly deployerName: string;
  readonly identity: string;
}

/** Marks the Leases of the replicas of one instance. */
const groupLabel = "deployer.landscaper.gardener.cloud/replicas-of";

/** An identity may be any text, the value of a label may not. */
function groupOf({ deployerName, identity }: Instance): string {
  return createHash("sha1")
    .update(JSON.stringify([deployerName, identity]))
    .digest("hex");
}

/** The Lease by which a replica says that it lives, for `createManager`: without it nothing is written. */
export function membershipLease(
  instance: Instance,
  { pod, namespace, client }: ReplicaOptions,
  leaseDurationMs: number | undefined,
): LeaseOptions {
  const leaseName = `${pod}.${instance.deployerName}`.toLowerCase().replaceAll(/[^a-z0-9.-]/g, "-");
  return { namespace, leaseName, identity: pod, leaseDurationMs, client, labels: { [groupLabel]: groupOf(instance) } };
}

/** A member's Lease and what is known beyond it. */
export interface ObservedMember extends ObservedLease {
  /** The API server was asked after the Lease had expired, and has nothing newer. */
  readonly isConfirmedDead: boolean;
}

/** The pods that live, sorted. A Lease that was given up or whose end is confirmed counts no more. Pure. */
export function liveMembers(members: Iterable<ObservedMember>): string[] {
  const live = [...members].filter(({ isConfirmedDead }) => !isConfirmedDead).map(({ lease }) => holderOf(lease));
  return [...new Set(live.filter((pod) => pod !== ""))].toSorted();
}

/** When a Lease that we do not see renewed is over, on Clock.elapsed (ms). Pure. */
export function expiryOf({ lease, observedMs }: ObservedLease): number {
  return observedMs + (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
}

function holderOf({ spec }: Lease): string {
  return spec?.holderIdentity ?? "";
}

/** The Leases of members that are gone are removed after so long (ms): names of pods do not come again. */
const keptMs = 60_000;
/** Pause (ms) after a question that was not answered. */
const askAgainMs = 1000;

export interface MembershipOptions extends Instance, ReplicaOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Other members than before. */
  readonly onChange: () => void;
}

/** Who lives, as this replica sees it. */
export interface Membership {
  /** Undefined until the first list. */
  readonly members: readonly string[] | undefined;
  /** Watches until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export function createMembership(options: MembershipOptions): Membership {
  return new LeaseMembership(options);
}

class LeaseMembership implements Membership {
  readonly #options: MembershipOptions;
  readonly #known = new Map<string, ObservedMember>();
  readonly #timers = new Map<string, () => void>();
  #members: readonly string[] | undefined;

  constructor(options: MembershipOptions) {
    this.#options = options;
  }

  get members(): readonly string[] | undefined {
    return this.#members;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { client, clock, log, namespace } = this.#options;
    const informer = createInformer({
      client,
      clock,
      log,
      type: kubeResources.lease,
      namespace,
      labelSelector: `${groupLabel}=${groupOf(this.#options)}`,
    });
    const observe = (lease: Lease): void => {
      this.#observe(lease, signal);
      // Before the first list is complete, a part of it is not who lives.
      if (informer.hasSynced) this.#tell();
    };
    informer.addHandler({
      onAdd: observe,
      onUpdate: observe,
      onDelete: ({ metadata }) => {
        this.#forget(metadata.name ?? "");
        this.#tell();
      },
    });
    const running = informer.run(signal);
    try {
      await informer.waitForSync(signal);
      this.#tell();
      await running;
    } finally {
      for (const cancel of this.#timers.values()) cancel();
      await running;
    }
  }

  #observe(lease: Lease, signal: AbortSignal): void {
    const { name = "" } = lease.metadata;
    const known = this.#known.get(name);
    const observed = observeLease(known, lease, this.#options.clock.elapsed());
    if (observed === known) return;
    this.#known.set(name, { ...observed, isConfirmedDead: false });
    this.#schedule(name, expiryOf(observed) - this.#options.clock.elapsed(), () => this.#confirm(name, signal));
  }

  #schedule(name: string, delayMs: number, run: () => Promise<void>): void {
    this.#timers.get(name)?.();
    this.#timers.set(
      name,
      this.#options.clock.schedule(delayMs, () => void run()),
    );
  }

  /** A watch that stands still looks like a member that does: only the API server can tell them apart. */
  async #confirm(name: string, signal: AbortSignal): Promise<void> {
    const { client, log, namespace } = this.#options;
    const known = this.#known.get(name);
    if (known === undefined || signal.aborted) return;
    try {
      const lease = await client.find(kubeResources.lease, { namespace, name }, { signal });
      if (this.#known.get(name) !== known) return;
      if (lease !== undefined && lease.metadata.resourceVersion !== known.lease.metadata.resourceVersion) {
        this.#observe(lease, signal);
      } else {
        this.#known.set(name, { ...known, isConfirmedDead: true });
        this.#schedule(name, keptMs, () => this.#remove(name, signal));
      }
      this.#tell();
    } catch (error) {
      if (signal.aborted) return;
      log.warn(
        { lease: name, error: describeError(error) },
        "a replica may be gone, but the API server cannot be asked",
      );
      this.#schedule(name, askAgainMs, () => this.#confirm(name, signal));
    }
  }

  /** Whoever removes it first; a member that has come back has written another version. */
  async #remove(name: string, signal: AbortSignal): Promise<void> {
    const { client, log, namespace } = this.#options;
    const known = this.#known.get(name);
    if (known === undefined || signal.aborted) return;
    const { resourceVersion } = known.lease.metadata;
    try {
      await client.delete(kubeResources.lease, { namespace, name }, { resourceVersion, signal });
    } catch (error) {
      log.debug({ lease: name, error: describeError(error) }, "the Lease of a replica that is gone stays");
    }
  }

  #forget(name: string): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
    this.#known.delete(name);
  }

  #tell(): void {
    const members = liveMembers(this.#known.values());
    if (members.join() === this.#members?.join()) return;
    this.#members = members;
    this.#options.log.info({ members }, "replicas that share the items");
    this.#options.onChange();
  }
}
