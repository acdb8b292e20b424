import { randomUUID } from "node:crypto";
import type { KubeObject } from "@landscaper/api";
import { eventSubject } from "../event-subject.ts";
import { createRetryPause } from "../retry-pause.ts";
import { isOwnedBy, storeValue, type BucketOwner } from "./bucket-owner.ts";
import { checkBucket, loadBucket, type BucketState } from "./bucket-state.ts";
import { keysOf, type Claim, type StoredPosition } from "./claim.ts";
import { DeletedKeys } from "./deleted-keys.ts";
import { openEventLink, type EventLink } from "./event-link.ts";
import { findTransition, stateAfter, type Observation } from "./find-transition.ts";
import { createGradualSteps } from "./gradual-steps.ts";
import { createKeyedWork } from "./keyed-work.ts";
import { createLinkKeeper, type LinkKeeper } from "./link-keeper.ts";
import { bucketEmptied, EventRefused, TakenOver, toError } from "./nats-problem.ts";
import { isDeleted, type ObjectRecord } from "./object-states.ts";
import { eventKinds, readVersion, type EventKind, type ObjectVersion } from "./object-version.ts";
import { createPositionTracker, isSamePosition, type PositionTracker } from "./position-tracker.ts";
import type { FollowKind } from "./transition-feed.ts";
import { sizeOfData, toTransitionEvent, transitionId } from "./transition-event.ts";
import type { TransitionPublisherOptions } from "./transition-publisher.ts";
import { WaitingRoom, type WaitingItem } from "./waiting-room.ts";

/** A transition on its way. */
interface Waiting extends WaitingItem {
  readonly record: ObjectRecord;
  readonly claim: Claim;
  /** A claim of an earlier publisher needs no second one. */
  readonly isClaimed: boolean;
  readonly observedMs: number;
  readonly acknowledge: () => void;
}

/** Time for the servers of a cluster to start (ms). A stream keeps the number of replicas that it was created with. */
const clusterStartMs = 60_000;
/** Limit for objects whose transition is being published. */
const inFlight = 256;
/** Pause before positions are stored (ms). */
const storeMs = 1_000;
/** A process that was frozen for longer may have a successor. It must not publish after the duplicate window (2 min) of the stream. */
const ownerCheckMs = 30_000;

type ObservedHow = Pick<Observation, "isDeleted" | "isListed">;

interface Observed {
  readonly kind: EventKind;
  readonly tracker: PositionTracker;
  readonly version: ObjectVersion;
}

interface Following {
  readonly bucket: BucketState;
  readonly trackers: Record<EventKind, PositionTracker>;
}

export interface RunContext {
  readonly counts: { published: number; gaps: number };
  readonly reportProblem: (error: unknown) => void;
  readonly reportRefused: (error: EventRefused, subject: string) => void;
}

/** One run of the publisher: it reads the bucket, and publishes until it stops or another publisher takes over. */
export class PublisherRun {
  readonly #options: TransitionPublisherOptions;
  readonly #context: RunContext;
  readonly #by = randomUUID().slice(0, 8);
  readonly #end = new AbortController();
  readonly #waiting: WaitingRoom<Waiting>;
  readonly #work = createKeyedWork<Waiting>(inFlight, (_, item) => this.#perform(item));
  readonly #deleted = new DeletedKeys();
  readonly #startedMs: number;
  /** Ends the pause before positions are stored. Without the position of a list, the next publisher has to list again. */
  #storeSoon: (() => void) | undefined;
  #ownerCheckedMs = 0;
  #hubId = "";
  #bucket: BucketState | undefined;
  #links: LinkKeeper<EventLink> | undefined;
  /** Error that has ended the run. */
  #failure: Error | undefined;

  constructor(options: TransitionPublisherOptions, context: RunContext) {
    this.#options = options;
    this.#context = context;
    this.#startedMs = options.clock.elapsed();
    const { maxWaiting = 5_000, maxWaitingBytes = 16 * 1024 * 1024 } = options;
    this.#waiting = new WaitingRoom({ count: maxWaiting, bytes: maxWaitingBytes }, this.#end.signal);
  }

  get #owner(): BucketOwner {
    return { hubId: this.#hubId, by: this.#by };
  }

  get isStarted(): boolean {
    return this.#hubId !== "";
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get lagSeconds(): number {
    const { clock } = this.#options;
    const { oldest } = this.#waiting;
    if (oldest !== undefined) return (clock.elapsed() - oldest.observedMs) / 1_000;
    return this.#bucket === undefined ? (clock.elapsed() - this.#startedMs) / 1_000 : 0;
  }

  async run(stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, this.#end.signal]);
    const { clock, follow, random = Math.random } = this.#options;
    this.#hubId = await this.#options.hubId(signal);
    const pause = createRetryPause(clock, random);
    const links = createLinkKeeper({ open: () => this.#open(), pause, clock, onProblem: this.#context.reportProblem });
    this.#links = links;
    const close = (): void => {
      // Wakes work that waits for room or for a link.
      this.#end.abort(new Error("the publisher of events was stopped"));
      void links.close();
    };
    signal.addEventListener("abort", close, { once: true });
    try {
      await links.get();
      this.#options.log.info({ hubId: this.#hubId }, "the publisher of events has begun");
      const bucket = this.#bucket;
      if (bucket === undefined) throw new Error("the bucket of events was not read");
      const trackers = this.#createTrackers(bucket);
      const feeds = eventKinds.map((kind) => follow(kind, this.#observe(kind, trackers[kind]), signal));
      await Promise.all([...feeds, this.#storePositions({ bucket, trackers }, signal)]);
    } catch (error) {
      if (!stop.aborted) throw error;
    } finally {
      this.#end.abort(new Error("the publisher of events has ended"));
      await links.close();
    }
    if (!stop.aborted) throw this.#failure ?? new Error("a feed of the publisher of events has ended");
  }

  /** Ends the run; its user starts the next one. */
  #fail(error: unknown): void {
    this.#failure ??= toError(error);
    this.#end.abort(this.#failure);
  }

  async #open(): Promise<EventLink> {
    const { servers, timeoutMs = 5_000, clock } = this.#options;
    const link = await openEventLink({
      servers,
      timeoutMs,
      acceptsOneReplica: clock.elapsed() - this.#startedMs > clusterStartMs,
    });
    try {
      // A stopped publisher must not take the bucket over from its successor.
      this.#end.signal.throwIfAborted();
      if (this.#bucket === undefined) this.#bucket = await loadBucket(link, this.#owner);
      else await checkBucket(link, this.#bucket, this.#owner);
      this.#ownerCheckedMs = clock.uptime();
    } catch (error) {
      await link.close();
      throw error;
    }
    // An idle publisher, too, shows that NATS is away, and opens the next link.
    void this.#replaceClosed(link);
    // Nothing else would show that NATS is back.
    if (this.#waiting.size === 0) queueMicrotask(() => this.#links?.succeed());
    return link;
  }

  async #replaceClosed(link: EventLink): Promise<void> {
    const error = await link.closed();
    this.#links?.fail(link, error);
    try {
      await this.#links?.get();
    } catch (failure) {
      if (failure instanceof TakenOver) this.#fail(failure);
    }
  }

  /** Adds the claims that the previous publisher may have left unpublished. */
  #createTrackers({ states, positions }: BucketState): Record<EventKind, PositionTracker> {
    const of = (kind: EventKind): PositionTracker => createPositionTracker(positions[kind].position);
    const trackers = { Installation: of("Installation"), Execution: of("Execution"), DeployItem: of("DeployItem") };
    for (const record of states.all()) {
      const claim = record.claimed?.open;
      if (claim !== undefined) {
        this.#add({ record, claim, isClaimed: true, acknowledge: trackers[record.kind].begin() });
      } else if (isDeleted(record)) this.#deleted.add(record);
    }
    return trackers;
  }

  #observe(kind: EventKind, tracker: PositionTracker): Parameters<FollowKind>[1] {
    const storeSoon = (): void => this.#storeSoon?.();
    const steps = createGradualSteps(this.#waiting, this.#end.signal);
    const observe = (version: ObjectVersion, how: ObservedHow): void =>
      this.#observeVersion({ kind, tracker, version }, how);
    return {
      from: tracker.position.resourceVersion,
      onList: (items, resourceVersion) => {
        const versions = items.map(readVersion);
        const endList = tracker.beginList();
        const missing = this.#listMissing(kind, versions, resourceVersion);
        const walk = function* (): Generator<void> {
          for (const version of versions) yield observe(version, { isListed: true });
          for (const version of missing) yield observe(version, { isListed: true, isDeleted: true });
          endList(resourceVersion);
          storeSoon();
        };
        steps.begin(walk());
      },
      onVersion: (object: KubeObject, isGone) => {
        const version = readVersion(object);
        observe(version, { isDeleted: isGone });
        tracker.advance(version.resourceVersion);
      },
      onBookmark: (resourceVersion) => tracker.advance(resourceVersion),
      ready: () => steps.ready(),
    };
  }

  #observeVersion({ kind, tracker, version }: Observed, how: ObservedHow): void {
    const states = this.#bucket?.states;
    if (states === undefined || version.uid === "") return;
    const data = findTransition(states.get(version.uid)?.observed, { kind, version, ...how });
    if (data === undefined) return;
    const record = states.of(kind, version.uid);
    record.observed = stateAfter(data);
    const time = new Date(this.#options.clock.now()).toISOString();
    const { list } = tracker;
    const claim: Claim = { by: this.#by, time, ...(list === undefined ? {} : { list }), data };
    this.#add({ record, claim, isClaimed: false, acknowledge: tracker.begin() });
  }

  /** Objects with a state that are not in the list: they were deleted. */
  *#listMissing(
    kind: EventKind,
    versions: readonly ObjectVersion[],
    resourceVersion: string,
  ): Generator<ObjectVersion> {
    const present = new Set(versions.map(({ uid }) => uid));
    for (const record of this.#bucket?.states.all() ?? []) {
      const { observed, uid } = record;
      if (record.kind !== kind || observed === undefined || isDeleted(record) || present.has(uid)) continue;
      yield { ...observed, uid, resourceVersion };
    }
  }

  #add(item: Omit<Waiting, "bytes" | "observedMs">): void {
    const { data } = item.claim;
    if (data.gap === true) this.#context.counts.gaps++;
    const waiting: Waiting = { ...item, bytes: sizeOfData(data), observedMs: this.#options.clock.elapsed() };
    this.#waiting.add(waiting);
    this.#work.add(data.uid, waiting);
  }

  /** Claims and publishes one transition; the next one of the object begins afterwards. */
  async #perform(item: Waiting): Promise<void> {
    const { record, claim } = item;
    const subject = eventSubject(claim.data);
    try {
      if (!item.isClaimed) await this.#attempt((link) => this.#claim(link, record, claim));
      await this.#attempt(async (link) => {
        await this.#checkOwner(link);
        const event = toTransitionEvent(claim.data, { hubId: this.#hubId, time: claim.time });
        await link.publish({ id: transitionId(claim.data), subject, body: JSON.stringify(event) });
      });
      this.#context.counts.published++;
      this.#links?.succeed();
    } catch (error) {
      if (!(error instanceof EventRefused)) {
        this.#fail(error);
        return;
      }
      this.#context.reportRefused(error, subject);
    }
    this.#waiting.remove(item);
    const state = stateAfter(claim.data);
    record.claimed = { state, list: claim.list };
    item.acknowledge();
    if (claim.list !== undefined) this.#storeSoon?.();
    if (state.isDeleted === true) this.#deleted.add(record);
  }

  /** Repeats the step on one link after the other until the server has answered. */
  async #attempt(step: (link: EventLink) => Promise<void>): Promise<void> {
    for (;;) {
      const links = this.#links;
      if (links === undefined || this.#end.signal.aborted) throw new Error("the publisher of events was stopped");
      const link = await links.get();
      try {
        await step(link);
        return;
      } catch (error) {
        if (error instanceof TakenOver || error instanceof EventRefused) throw error;
        links.fail(link, error);
      }
    }
  }

  async #claim(link: EventLink, record: ObjectRecord, claim: Claim): Promise<void> {
    const key = keysOf(this.#hubId).object(record.kind, record.uid);
    record.revision = await storeValue(link, this.#owner, {
      key,
      value: JSON.stringify(claim),
      revision: record.revision,
    });
    record.claimed = { state: stateAfter(claim.data), list: claim.list, open: claim };
  }

  async #checkOwner(link: EventLink): Promise<void> {
    const { clock } = this.#options;
    if (clock.uptime() - this.#ownerCheckedMs < ownerCheckMs) return;
    if (!(await isOwnedBy(link, this.#owner))) throw bucketEmptied(link.place);
    this.#ownerCheckedMs = clock.uptime();
  }

  async #storePositions({ bucket, trackers }: Following, signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#pauseBeforeStore(signal);
      if (signal.aborted) return;
      for (const kind of eventKinds) {
        const { position } = trackers[kind];
        const at = bucket.positions[kind];
        if (isSamePosition(position, at.position)) continue;
        const value = JSON.stringify({ ...position, by: this.#by } satisfies StoredPosition);
        const key = keysOf(this.#hubId).position(kind);
        await this.#attempt(async (link) => {
          at.revision = await storeValue(link, this.#owner, { key, value, revision: at.revision });
        });
        at.position = position;
      }
      for (const { kind, uid } of this.#deleted.take(bucket)) {
        await this.#attempt((link) => link.purge(keysOf(this.#hubId).object(kind, uid)));
      }
    }
  }

  #pauseBeforeStore(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener("abort", end);
        this.#storeSoon = undefined;
        resolve();
      };
      const cancel = clock.schedule(storeMs, end);
      if (signal.aborted) end();
      else signal.addEventListener("abort", end);
      this.#storeSoon = end;
    });
  }
}
