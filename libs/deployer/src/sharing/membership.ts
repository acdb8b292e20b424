import { createHash } from "node:crypto";
import {
  kubeResources,
  leaseGroupLabel,
  leaseHolderAnnotation,
  leaseTypeLabel,
  type Lease,
  type TargetSelector,
} from "@landscaper/api";
import {
  createInformer,
  describeError,
  expiryOf,
  isConflict,
  isForbidden,
  isNotFound,
  observeLease,
  releaseSpec,
  type Client,
  type Clock,
  type LeaseOptions,
  type Logger,
  type ObservedLease,
} from "@landscaper/controller-runtime";
import { isOfInstance, replicaIdentity, type HolderState } from "./decide-claim.ts";

/** A process that works on DeployItems. */
export interface Member {
  /** `spec.type` of the items. */
  readonly type: string;
  readonly deployerName: string;
  readonly identity: string;
  /** Replicas with other selectors do not share items: what only one of them selects would wait for ever. */
  readonly targetSelectors: readonly TargetSelector[];
  /** Differs between all processes that live at a time. */
  readonly pod: string;
  /** Where the Leases of all deployers of the landscaper cluster are. */
  readonly namespace: string;
  /** Default: a Lease of the process's own. */
  readonly lease?: SharedLease | undefined;
}

/** One Lease for all replicas: the one that holds it works, the others wait. */
export interface SharedLease {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: (() => Readonly<Record<string, string>>) | undefined;
}

const hash = (text: string): string => createHash("sha1").update(text).digest("hex");

/** An identity may be any text, the value of a label may not. */
function groupOf({ deployerName, identity, targetSelectors }: Member): string {
  return hash(JSON.stringify([deployerName, identity, targetSelectors]));
}

/** Names of Leases are as long as that of a pod at most; the identity keeps pods of one name, in other namespaces, apart. */
function leaseNameOf({ deployerName, identity, pod, lease }: Member): string {
  if (lease !== undefined) return lease.name;
  const slug = `${pod}.${deployerName}`.toLowerCase().replaceAll(/[^a-z0-9.-]/g, "-");
  return `${slug.slice(0, 200)}.${hash(identity).slice(0, 8)}`;
}

/** The Lease by which a process says that it lives, for `Manager.holdLease`: without it nothing is written. */
export function membershipLease(member: Member, leaseDurationMs: number | undefined): LeaseOptions {
  const holder = replicaIdentity(member.identity, member.pod);
  return {
    namespace: member.namespace,
    leaseName: leaseNameOf(member),
    identity: holder,
    leaseDurationMs,
    labels: { ...member.lease?.labels, [leaseTypeLabel]: hash(member.type), [leaseGroupLabel]: groupOf(member) },
    annotations: () => ({ ...member.lease?.annotations?.(), [leaseHolderAnnotation]: holder }),
  };
}

/** The pods of the member's group that live, sorted. A Lease without holder was given up, or taken from one that is dead. Pure. */
export function liveMembers(leases: Iterable<Lease>, member: Member): string[] {
  const group = groupOf(member);
  const live = [...leases].filter((lease) => groupLabelOf(lease) === group).map(holderOf);
  const prefix = replicaIdentity(member.identity, "");
  const pods = live.filter((holder) => isOfInstance(holder, member.identity)).map((own) => own.slice(prefix.length));
  return [...new Set(pods)].toSorted();
}

/** What the Leases say of a `status.deployer.identity`. Pure. */
export function holderState(leases: Iterable<Lease>, holder: string): HolderState {
  let state: HolderState = "unknown";
  for (const lease of leases) {
    if (holderOf(lease) === holder) return "live";
    if (lease.metadata.annotations?.[leaseHolderAnnotation] === holder) state = "ended";
  }
  return state;
}

function groupLabelOf({ metadata }: Lease): string | undefined {
  return metadata.labels?.[leaseGroupLabel];
}

function holderOf({ spec }: Lease): string {
  return spec?.holderIdentity ?? "";
}

/** Returns the part of the holder, or of the last one, before "/". By it, the policies decide who may end the Lease (docs/reference/deployer-management.md#leases). */
function instanceOf(lease: Lease | undefined): string {
  if (lease === undefined) return "";
  const holder = holderOf(lease);
  const last = holder === "" ? lease.metadata.annotations?.[leaseHolderAnnotation] : holder;
  return last?.split("/")[0] ?? "";
}

/** The Leases of members that are gone are removed after so long (ms): names of pods do not come again. */
const keptMs = 60_000;
/** Pause (ms) between attempts to end Leases of one instance of another Environment, which only deployers of that Environment may end. */
const refusalPauseMs = 60_000;
/** Pause (ms) after a question that was not answered. */
const askAgainMs = 1000;

export interface MembershipOptions extends Member {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** Others live than before. */
  readonly onChange: () => void;
}

/** Who lives, as this process sees it. */
export interface Membership {
  /** Of its group; undefined until the first list. */
  readonly members: readonly string[] | undefined;
  readonly stateOf: (holder: string) => HolderState;
  /** Watches until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export function createMembership(options: MembershipOptions): Membership {
  return new LeaseMembership(options);
}

class LeaseMembership implements Membership {
  readonly #options: MembershipOptions;
  readonly #known = new Map<string, ObservedLease>();
  readonly #timers = new Map<string, () => void>();
  /** By instance: time of the last refusal to end one of its Leases (ms, monotonic). */
  readonly #refusedMs = new Map<string, number>();
  /** By instance: the attempt to end one of its Leases that is not answered yet. */
  readonly #asking = new Map<string, Promise<void>>();
  #members: readonly string[] | undefined;
  #live = "";

  constructor(options: MembershipOptions) {
    this.#options = options;
  }

  get members(): readonly string[] | undefined {
    return this.#members;
  }

  readonly stateOf = (holder: string): HolderState => holderState(this.#leases(), holder);

  async run(signal: AbortSignal): Promise<void> {
    const { client, clock, log, namespace, type } = this.#options;
    const labelSelector = `${leaseTypeLabel}=${hash(type)}`;
    const informer = createInformer({ client, clock, log, type: kubeResources.lease, namespace, labelSelector });
    const observe = (lease: Lease): void => {
      const isOther = this.#observe(lease, signal);
      // Before the first list is complete, it does not show all living instances. Most changes are renewals.
      if (isOther && informer.hasSynced) this.#tell();
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

  #leases(): Lease[] {
    return [...this.#known.values()].map(({ lease }) => lease);
  }

  /** Returns whether the Lease changes which instances live. */
  #observe(lease: Lease, signal: AbortSignal): boolean {
    const { name = "" } = lease.metadata;
    const known = this.#known.get(name);
    const observed = observeLease(known, lease, this.#options.clock.elapsed());
    if (observed === known) return false;
    this.#known.set(name, observed);
    // Whether this process lives is not for it to say: it stops before its Lease expires.
    if (name !== leaseNameOf(this.#options)) this.#watch(name, observed, signal);
    return (
      known === undefined ||
      holderOf(known.lease) !== holderOf(lease) ||
      groupLabelOf(known.lease) !== groupLabelOf(lease)
    );
  }

  /** Ends the Lease when it expires, and removes it when it has had no holder for long. */
  #watch(name: string, observed: ObservedLease, signal: AbortSignal): void {
    if (holderOf(observed.lease) === "") this.#schedule(name, keptMs, () => this.#remove(name, signal));
    else this.#schedule(name, expiryOf(observed) - this.#options.clock.elapsed(), () => this.#bury(name, signal));
  }

  #schedule(name: string, delayMs: number, run: () => Promise<void>): void {
    this.#timers.get(name)?.();
    this.#timers.set(
      name,
      this.#options.clock.schedule(delayMs, () => void run()),
    );
  }

  /**
   * Takes an expired Lease away from its holder, by a guarded write, before anything of it is taken over. So a watch that stands still is not
   * taken for a dead holder, and one that comes to life again cannot renew its Lease any more, whatever its clocks say.
   */
  async #bury(name: string, signal: AbortSignal): Promise<void> {
    const leftMs = await this.#takeTurn(name, signal, (known) => this.#endLease(name, known, signal));
    if (leftMs > 0) this.#schedule(name, leftMs, () => this.#bury(name, signal));
  }

  /**
   * Makes one attempt per instance at a time: a refusal holds for all its Leases, which may expire together. Returns how long (ms) such a refusal still
   * forbids the attempt; 0 if it was made, or if nothing is left to do.
   */
  async #takeTurn(
    name: string,
    signal: AbortSignal,
    attempt: (known: ObservedLease) => Promise<void>,
  ): Promise<number> {
    const instance = instanceOf(this.#known.get(name)?.lease);
    while (this.#asking.has(instance)) await this.#asking.get(instance);
    const known = this.#known.get(name);
    if (known === undefined || signal.aborted) return 0;
    const leftMs = this.#refusedForMs(instance);
    if (leftMs > 0) return leftMs;
    const asking = attempt(known).finally(() => this.#asking.delete(instance));
    this.#asking.set(instance, asking);
    await asking;
    return 0;
  }

  /** How long (ms) not to ask for Leases of the instance. Those of the own instance are always asked for: its jobs wait for the answer. */
  #refusedForMs(instance: string): number {
    const { clock, identity } = this.#options;
    if (instance === identity) return 0;
    return (this.#refusedMs.get(instance) ?? Number.NEGATIVE_INFINITY) + refusalPauseMs - clock.elapsed();
  }

  async #endLease(name: string, known: ObservedLease, signal: AbortSignal): Promise<void> {
    const { client, clock, log } = this.#options;
    const { metadata, spec } = known.lease;
    const annotations = { ...metadata.annotations, [leaseHolderAnnotation]: holderOf(known.lease) };
    const ended = { ...known.lease, metadata: { ...metadata, annotations }, spec: releaseSpec(spec, clock.now()) };
    try {
      this.#observe(await client.update(kubeResources.lease, ended, { signal }), signal);
      this.#refusedMs.delete(instanceOf(known.lease));
      this.#tell();
    } catch (error) {
      if (signal.aborted) return;
      if (isConflict(error) || isNotFound(error)) return await this.#read(name, signal);
      if (isForbidden(error)) {
        log.debug({ lease: name, error: describeError(error) }, "the expired Lease of a deployer is not ours to end");
        this.#refusedMs.set(instanceOf(known.lease), clock.elapsed());
        this.#schedule(name, refusalPauseMs, () => this.#bury(name, signal));
        return;
      }
      log.warn(
        { lease: name, error: describeError(error) },
        "a replica may be gone, but its Lease cannot be ended; trying again",
      );
      this.#schedule(name, askAgainMs, () => this.#bury(name, signal));
    }
  }

  /** Another one was faster: the holder, who is alive then, or one that has ended or removed its Lease. */
  async #read(name: string, signal: AbortSignal): Promise<void> {
    const { client, log, namespace } = this.#options;
    try {
      const lease = await client.find(kubeResources.lease, { namespace, name }, { signal });
      if (lease === undefined) this.#forget(name);
      else this.#observe(lease, signal);
      this.#tell();
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ lease: name, error: describeError(error) }, "a replica may be gone, but its Lease cannot be read");
      this.#schedule(name, askAgainMs, () => this.#read(name, signal));
    }
  }

  /** Whoever removes it first; a member that has come back has written another version. */
  async #remove(name: string, signal: AbortSignal): Promise<void> {
    await this.#takeTurn(name, signal, (known) => this.#delete(name, known, signal));
  }

  async #delete(name: string, known: ObservedLease, signal: AbortSignal): Promise<void> {
    const { client, clock, log, namespace } = this.#options;
    const { resourceVersion } = known.lease.metadata;
    try {
      await client.delete(kubeResources.lease, { namespace, name }, { resourceVersion, signal });
    } catch (error) {
      if (isForbidden(error)) this.#refusedMs.set(instanceOf(known.lease), clock.elapsed());
      log.debug({ lease: name, error: describeError(error) }, "the Lease of a replica that is gone stays");
    }
  }

  #forget(name: string): void {
    this.#timers.get(name)?.();
    this.#timers.delete(name);
    this.#known.delete(name);
  }

  #tell(): void {
    const leases = this.#leases();
    const members = liveMembers(leases, this.#options);
    const live = leases.map(holderOf).toSorted().join("\n");
    const isSameGroup = members.join() === this.#members?.join();
    if (isSameGroup && live === this.#live) return;
    this.#members = members;
    this.#live = live;
    if (!isSameGroup) this.#options.log.info({ members }, "replicas that share the items");
    this.#options.onChange();
  }
}
