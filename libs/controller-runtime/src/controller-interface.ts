import type { KubeObject, ObjectKey, ResourceType } from "@landscaper/api";
import type { Client } from "./client/client-interface.ts";
import type { ShareClaim, ShareLimits } from "./controller/fair-shares.ts";
import type { LeaseOptions } from "./leadership/leader-election.ts";

/** Time, injectable: all waiting and all time stamps of controllers go through it. */
export interface Clock {
  /** The time of day, in milliseconds since the epoch. It can be wrong, and can be set: for time stamps, schedules and tokens, never for spans. */
  now(): number;
  /** Milliseconds since some moment on a clock that nobody sets: for spans. It stands still while the machine is suspended. */
  elapsed(): number;
  /** Like `elapsed`, but it includes the time for which the machine was suspended, with a resolution of 10 ms: for Leases. */
  uptime(): number;
  /** Calls `callback` after `ms`; the returned function cancels. */
  schedule(ms: number, callback: () => void): () => void;
  /** Resolves after `ms`, rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Indexed read access to what an informer has seen. Objects are frozen: copy before you change. */
export interface Lister<T extends KubeObject> {
  get(key: ObjectKey): T | undefined;
  list(filter?: { readonly namespace?: string | undefined }): readonly T[];
  /** Objects whose index function `index` yields `value`. */
  byIndex(index: string, value: string): readonly T[];
  /** Number of the objects that `byIndex` returns, in constant time. */
  countByIndex(index: string, value: string): number;
}

export type IndexFunctions<T extends KubeObject> = Readonly<Record<string, (object: T) => readonly string[]>>;

export interface InformerHandler<T extends KubeObject> {
  onAdd?(object: T): void;
  onUpdate?(object: T, previous: T): void;
  onDelete?(object: T): void;
}

export interface Informer<T extends KubeObject> {
  readonly lister: Lister<T>;
  readonly hasSynced: boolean;
  /** Resolves when the first list is in the store; rejects when the signal is aborted first. */
  waitForSync(signal: AbortSignal): Promise<void>;
  addHandler(handler: InformerHandler<T>): void;
  /**
   * Write-through: takes the answer of an own write into the store at once (if newer than what the watch has brought, and not
   * older than a seen deletion), so that the next reconcile reads its own writes.
   */
  observe(object: T): void;
  /** Write-through of an own delete: the object with this uid is gone. News of it that is still under way is dropped. */
  observeDeletion(key: ObjectKey, uid: string): void;
}

/** An informer that its owner runs, for clusters beside the manager's own, e.g. targets. */
export interface RunnableInformer<T extends KubeObject> extends Informer<T> {
  /** Lists and watches until the signal is aborted; every failure is logged and tried again. */
  run(signal: AbortSignal): Promise<void>;
}

export interface InformerOptions<T extends KubeObject> {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly indexes?: IndexFunctions<T> | undefined;
  /** Fetches and keeps metadata alone. Objects have no spec, status or data. */
  readonly metadataOnly?: boolean | undefined;
}

/** Work of one key. Both fields absent = done until the next event. */
export interface Result {
  readonly requeueAfterMs?: number | undefined;
}

/**
 * The worker that a reconcile holds. Before it talks to anything but the manager's own API server it exchanges the worker for one of
 * the controller's shares, so that a slow server keeps no worker from other keys.
 */
export interface WorkSlot {
  /**
   * False: no share is free. The reconcile has to return; the key comes again when there is one, or when anything else enqueues it. The
   * share ends with the reconcile.
   */
  takeShare(claim: ShareClaim): boolean;
  /** For work that is short and must not wait: takes a share also beyond the limits. */
  forceShare(claim: ShareClaim): void;
}

/** Throwing backs the key off exponentially (with jitter); a LandscaperError with retry "never" is logged and dropped. */
export type Reconcile = (key: ObjectKey, signal: AbortSignal, slot: WorkSlot) => Promise<Result | undefined>;

/** A kind whose events enqueue what `map` yields. */
export interface WatchedKind {
  readonly type: ResourceType;
  readonly map: (object: KubeObject) => readonly ObjectKey[];
  /** An update for which it is false enqueues nothing. Default: each update counts. */
  readonly updatePredicate?: ((object: KubeObject, previous: KubeObject) => boolean) | undefined;
  /** `map` looks at metadata alone: nothing else of the kind is fetched for it. */
  readonly metadataSuffices?: boolean | undefined;
}

export interface ControllerOptions<T extends KubeObject> {
  readonly name: string;
  readonly for: ResourceType<T>;
  readonly reconcile: Reconcile;
  /** Fetches only metadata of `for`; `reconcile` and `predicate` must not read other fields. */
  readonly metadataOnly?: boolean | undefined;
  /** Restricts `for`: other objects are not fetched. Default: all. */
  readonly labelSelector?: string | undefined;
  /** Kinds whose controller owner reference points to `for`: their events enqueue the owner. */
  readonly owns?: readonly ResourceType[] | undefined;
  readonly watches?: readonly WatchedKind[] | undefined;
  /** Gets a function that enqueues a key, for news that are no events of a kind. */
  readonly onPrepared?: ((enqueue: (key: ObjectKey) => void) => void) | undefined;
  /** Events of `for` that fail it are dropped. */
  readonly predicate?: ((object: T) => boolean) | undefined;
  /** Keys worked on at a time, those with a share not counted. Default 4. */
  readonly workers?: number | undefined;
  /** Keys that talk to other servers at a time. Default: as many as workers for a namespace, twice for a server, three times in total. */
  readonly shares?: Partial<ShareLimits> | undefined;
  /** Controllers of one group lead together; each group has a Lease of its own. Only with leader election. */
  readonly group?: string | undefined;
}

export interface RunnableOptions {
  /** False runs it on every replica, from the start. Default true: like the controllers without a group. */
  readonly needsLeader?: boolean | undefined;
  /** Controllers that it leads together with. Default: those without a group. */
  readonly group?: string | undefined;
}

/** Holds the client, the shared informers, the controllers, leases and the health server of one process. */
export interface Manager {
  /** Writes through it are observed by the manager's informers (read-your-writes). */
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** The client of another cluster, which does not write any more either when the right to act is lost. */
  guard(client: Client): Client;
  /** One shared informer per kind and options; indexes of repeated calls are merged (before start). */
  informer<T extends KubeObject>(type: ResourceType<T>, options?: InformerOptions<T>): Informer<T>;
  addController<T extends KubeObject>(options: ControllerOptions<T>): void;
  /**
   * Something that has to be there before informers and controllers start. Preparations run one after the other, in the order of the calls, when the
   * health server listens. One that throws LandscaperError, ApiError or ConnectionError is tried again; log and /readyz have the message.
   */
  addPreparation(name: string, run: (signal: AbortSignal) => Promise<void>): void;
  /** Why the process is not ready although it runs, for log and /readyz; undefined when it is over. */
  reportProblem(name: string, problem: string | undefined): void;
  /** Sets or removes a line of `/readyz?verbose` for the operator. It does not affect readiness. The caller logs it. */
  reportNote(name: string, note: string | undefined): void;
  /** Runs something beside the controllers until the signal is aborted; when it throws, it is started again after a pause. */
  addRunnable(name: string, run: (signal: AbortSignal) => Promise<void>, options?: RunnableOptions): void;
  /** As `leaderElection` of the manager's options, for what can only work while it holds a Lease. One at most. */
  holdLease(lease: LeaseOptions): void;
  /** Where the health server listens, once started; undefined when there is none. */
  readonly httpUrl: string | undefined;
  /**
   * Starts informers, waits for their sync, then the controllers; resolves when `signal` is aborted and all work has ended.
   * Rejects with LeadershipLostError when a Lease could not be renewed: the process has to end then.
   */
  start(signal: AbortSignal): Promise<void>;
}

/** Structured logging, JSON lines; never pass object bodies or secret values. */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
  child(fields: Readonly<Record<string, unknown>>): Logger;
}

/** Kubernetes events (events.k8s.io/v1), aggregated; never throws, never blocks. */
export interface EventRecorder {
  event(
    about: KubeObject,
    event: { readonly type: "Normal" | "Warning"; readonly reason: string; readonly message: string },
  ): void;
}
