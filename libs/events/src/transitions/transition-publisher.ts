import { randomUUID } from "node:crypto";
import type { KubeObject } from "@landscaper/api";
import type { EventClock, EventLog } from "../event-publisher.ts";
import { deletedPhase } from "../cloud-event.ts";
import { eventSubject } from "../event-subject.ts";
import { parseServers } from "../nats-servers.ts";
import { createRetryPause } from "../retry-pause.ts";
import { checkBucket, loadBucket, type BucketState, type LoadedBucket } from "./bucket-state.ts";
import { isAcknowledged, keysOf, type Claim, type StoredPosition } from "./claim.ts";
import { openEventLink, type EventLink } from "./event-link.ts";
import { findTransition, stateAfter } from "./find-transition.ts";
import { createKeyedWork } from "./keyed-work.ts";
import { createLinkKeeper, type LinkKeeper } from "./link-keeper.ts";
import { EventRefused, NatsProblem, TakenOver } from "./nats-problem.ts";
import { isDeleted, type ObjectRecord } from "./object-states.ts";
import { eventKinds, readVersion, type EventKind, type ObjectVersion } from "./object-version.ts";
import { pauseFor } from "./pause-for.ts";
import { createPositionTracker, isSamePosition, type PositionTracker } from "./position-tracker.ts";
import type { FollowKind, TransitionStats } from "./transition-feed.ts";
import { toTransitionEvent, transitionId } from "./transition-event.ts";

export interface TransitionPublisherOptions {
  /** NATS URLs separated by commas, as in NATS_URL. */
  readonly servers: string;
  readonly follow: FollowKind;
  /** Id of the landscaper cluster. Two publishers of one id never publish for long at the same time. */
  readonly hubId: (signal: AbortSignal) => Promise<string>;
  readonly log: EventLog;
  readonly clock: EventClock & { elapsed(): number };
  /** Called when the reason why events are not published changes. Undefined: they are. */
  readonly onProblem?: ((problem: string | undefined) => void) | undefined;
  readonly stream?: string | undefined;
  readonly bucket?: string | undefined;
  /** Limit for connecting and for each acknowledgement. Default 5 s. */
  readonly timeoutMs?: number | undefined;
  /** Transitions that wait before the feeds are no longer read. Default 5,000. */
  readonly maxWaiting?: number | undefined;
  readonly random?: (() => number) | undefined;
}

export interface TransitionPublisher {
  /** Publishes until the signal is aborted. Rejects with TakenOver when another publisher works for the same landscaper cluster. */
  run(signal: AbortSignal): Promise<void>;
  readonly stats: TransitionStats;
}

/** A transition on its way. */
interface Waiting {
  readonly record: ObjectRecord;
  readonly claim: Claim;
  readonly message: string;
  /** A claim of an earlier publisher needs no second one. */
  readonly isClaimed: boolean;
  readonly observedMs: number;
  readonly acknowledge: () => void;
}

const inFlight = 256;
const storeMs = 1_000;
/** A process that was frozen for longer may have a successor. It must not publish after the duplicate window (2 min) of the stream. */
const ownerCheckMs = 30_000;
const maxNamedSubjects = 1_000;

/** Throws TypeError if `servers` are not NATS URLs. Connects when it runs. */
export function createTransitionPublisher(options: TransitionPublisherOptions): TransitionPublisher {
  parseServers(options.servers);
  const counts = { published: 0, refused: 0, gaps: 0 };
  const refusedSubjects = new Set<string>();
  let problem: NatsProblem | Error | undefined;
  let run: Run | undefined;
  const tellProblem = (error: unknown): void => {
    const next = error === undefined ? undefined : toError(error);
    const isSame = next?.message === problem?.message;
    problem = next;
    if (isSame) return;
    if (next === undefined) options.log.info({}, "events are published again");
    else
      options.log.warn(
        { state: next instanceof NatsProblem ? next.state : "failed", problem: next.message },
        "events wait",
      );
    options.onProblem?.(next?.message);
  };
  const tellRefused = (error: EventRefused, subject: string): void => {
    counts.refused++;
    if (refusedSubjects.has(subject) || refusedSubjects.size >= maxNamedSubjects) return;
    refusedSubjects.add(subject);
    options.log.warn({ subject, problem: error.message }, "an event is set aside, because the server refuses it");
  };
  return {
    run: async (signal) => {
      const current = new Run(options, { counts, tellProblem, tellRefused });
      run = current;
      try {
        await current.run(signal);
      } finally {
        run = undefined;
        if (!signal.aborted) tellProblem(undefined);
      }
    },
    get stats() {
      const { waiting = 0, lagSeconds = 0 } = run ?? {};
      return { ...counts, waiting, lagSeconds, problem: problem?.message };
    },
  };
}

interface RunContext {
  readonly counts: { published: number; gaps: number };
  readonly tellProblem: (error: unknown) => void;
  readonly tellRefused: (error: EventRefused, subject: string) => void;
}

/** The life of a publisher from one reading of the bucket to the next. */
class Run {
  readonly #options: TransitionPublisherOptions;
  readonly #context: RunContext;
  readonly #by = randomUUID().slice(0, 8);
  readonly #end = new AbortController();
  readonly #waiting = new Set<Waiting>();
  readonly #work = createKeyedWork<Waiting>(inFlight, (_, item) => this.#perform(item));
  readonly #startedMs: number;
  #wake: (() => void) | undefined;
  #pause: Promise<void> | undefined;
  #ownerCheckedMs = 0;
  #hubId = "";
  #bucket: LoadedBucket | undefined;
  #graves: ObjectRecord[] = [];

  constructor(options: TransitionPublisherOptions, context: RunContext) {
    this.#options = options;
    this.#context = context;
    this.#startedMs = options.clock.elapsed();
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get lagSeconds(): number {
    const { clock } = this.#options;
    const [oldest] = this.#waiting;
    if (oldest !== undefined) return (clock.elapsed() - oldest.observedMs) / 1_000;
    return this.#bucket === undefined ? (clock.elapsed() - this.#startedMs) / 1_000 : 0;
  }

  async run(stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, this.#end.signal]);
    const { clock, follow, random = Math.random } = this.#options;
    this.#hubId = await this.#options.hubId(signal);
    const pause = createRetryPause(clock, random);
    const links = createLinkKeeper({ open: () => this.#open(), pause, onProblem: this.#context.tellProblem });
    this.#links = links;
    const close = (): void => void links.close();
    signal.addEventListener("abort", close, { once: true });
    try {
      await links.get();
      const bucket = this.#bucket;
      if (bucket === undefined) throw new Error("the bucket of events was not read");
      const trackers = this.#createTrackers(bucket);
      const feeds = eventKinds.map((kind) => follow(kind, this.#observe(kind, trackers[kind]), signal));
      await Promise.all([...feeds, this.#storePositions(trackers, signal)]);
    } catch (error) {
      if (!stop.aborted) throw error;
    } finally {
      this.#end.abort(new Error("the publisher of events has ended"));
      await links.close();
    }
    if (!stop.aborted) throw this.#failure ?? new Error("a feed of the publisher of events has ended");
  }

  #links: LinkKeeper<EventLink> | undefined;
  #failure: Error | undefined;

  /** Ends the run; its user starts the next one. */
  #fail(error: unknown): void {
    this.#failure ??= toError(error);
    this.#end.abort(this.#failure);
  }

  async #open(): Promise<EventLink> {
    const { servers, stream = "LANDSCAPER", bucket = "landscaper-events", timeoutMs = 5_000, clock } = this.#options;
    const clientName = "landscaper-events";
    const link = await openEventLink({ servers, stream, bucket, timeoutMs, clientName });
    try {
      const owner = { hubId: this.#hubId, by: this.#by };
      if (this.#bucket === undefined) this.#bucket = await loadBucket(link, owner);
      else await checkBucket(link, this.#bucket, owner);
      this.#ownerCheckedMs = clock.elapsed();
    } catch (error) {
      await link.close();
      throw error;
    }
    // Nothing else would show that NATS is back.
    if (this.#waiting.size === 0) queueMicrotask(() => this.#links?.succeed());
    return link;
  }

  /** Repeats what the publisher before may have left unpublished. */
  #createTrackers({ states, positions, open }: LoadedBucket): Record<EventKind, PositionTracker> {
    const of = (kind: EventKind): PositionTracker => createPositionTracker(positions[kind].position);
    const trackers = { Installation: of("Installation"), Execution: of("Execution"), DeployItem: of("DeployItem") };
    const isOpen = new Set<string>();
    for (const claim of open) {
      const record = states.get(claim.data.uid);
      if (record === undefined) continue;
      isOpen.add(record.uid);
      this.#add({ record, claim, isClaimed: true, acknowledge: trackers[record.kind].begin() });
    }
    for (const record of states.all()) if (isDeleted(record) && !isOpen.has(record.uid)) this.#graves.push(record);
    return trackers;
  }

  #observe(kind: EventKind, tracker: PositionTracker): Parameters<FollowKind>[1] {
    const observe = (
      version: ObjectVersion,
      how: { readonly isDeleted?: boolean; readonly isListed?: boolean },
    ): void => {
      const states = this.#bucket?.states;
      if (states === undefined || version.uid === "") return;
      const data = findTransition(states.get(version.uid)?.observed, { kind, version, ...how });
      if (data === undefined) return;
      const record = states.of(kind, version.uid);
      record.observed = stateAfter(data);
      const time = new Date(this.#options.clock.now()).toISOString();
      const list = tracker.list;
      const claim: Claim = { by: this.#by, time, ...(list === undefined ? {} : { list }), data };
      this.#add({ record, claim, isClaimed: false, acknowledge: tracker.begin() });
    };
    return {
      from: tracker.position.resourceVersion,
      onList: (items, resourceVersion) => {
        const endList = tracker.beginList();
        const present = new Set<string>();
        for (const item of items) {
          const version = readVersion(item);
          present.add(version.uid);
          observe(version, { isListed: true });
        }
        for (const gone of this.#listMissing(kind, present)) {
          observe({ ...gone, resourceVersion }, { isListed: true, isDeleted: true });
        }
        endList(resourceVersion);
      },
      onVersion: (object: KubeObject, isGone) => {
        const version = readVersion(object);
        observe(version, { isDeleted: isGone });
        tracker.advance(version.resourceVersion);
      },
      onBookmark: (resourceVersion) => tracker.advance(resourceVersion),
      ready: () => this.#ready(),
    };
  }

  #listMissing(kind: EventKind, present: ReadonlySet<string>): readonly ObjectVersion[] {
    const missing: ObjectVersion[] = [];
    for (const record of this.#bucket?.states.all() ?? []) {
      const { observed, uid } = record;
      if (record.kind !== kind || observed === undefined || present.has(uid) || observed.phase === deletedPhase)
        continue;
      missing.push({ ...observed, uid });
    }
    return missing;
  }

  #ready(): Promise<void> | undefined {
    const { maxWaiting = 5_000 } = this.#options;
    if (this.#waiting.size < maxWaiting) return undefined;
    this.#pause ??= new Promise((resolve) => {
      this.#wake = resolve;
      this.#end.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    return this.#pause;
  }

  #add(item: Omit<Waiting, "message" | "observedMs">): void {
    const { claim } = item;
    if (claim.data.gap === true) this.#context.counts.gaps++;
    const message = JSON.stringify(toTransitionEvent(claim.data, { hubId: this.#hubId, time: claim.time }));
    const waiting: Waiting = { ...item, message, observedMs: this.#options.clock.elapsed() };
    this.#waiting.add(waiting);
    this.#work.add(claim.data.uid, waiting);
  }

  /** Claims and publishes one transition; the next one of the object begins afterwards. */
  async #perform(item: Waiting): Promise<void> {
    const { record, claim, message } = item;
    const subject = eventSubject(claim.data);
    try {
      if (!item.isClaimed) await this.#attempt((link) => this.#claim(link, record, claim));
      await this.#attempt(async (link) => {
        await this.#checkOwner(link);
        await link.publish({ id: transitionId(claim.data), subject, body: message });
      });
      this.#context.counts.published++;
      this.#links?.succeed();
    } catch (error) {
      if (!(error instanceof EventRefused)) {
        this.#fail(error);
        return;
      }
      this.#context.tellRefused(error, subject);
    }
    this.#waiting.delete(item);
    item.acknowledge();
    if (isDeleted(record)) this.#graves.push(record);
    const { maxWaiting = 5_000 } = this.#options;
    if (this.#pause !== undefined && this.#waiting.size <= maxWaiting / 2) {
      this.#pause = undefined;
      this.#wake?.();
    }
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
    record.revision = await this.#write(link, { key, value: JSON.stringify(claim), revision: record.revision });
    record.claimed = { state: stateAfter(claim.data), list: claim.list };
  }

  /** Stores a value if nobody else has changed the key. An answer that got lost is not a change by another publisher. */
  async #write(
    link: EventLink,
    { key, value, revision }: { key: string; value: string; revision: number },
  ): Promise<number> {
    const written = await link.put(key, value, revision);
    if (written !== undefined) return written;
    const stored = await link.get(key);
    if (stored?.value === value) return stored.revision;
    if (stored === undefined)
      throw new NatsProblem("bucket-lost", `the bucket of events has lost ${key}: it is filled again`);
    throw new TakenOver(key);
  }

  async #checkOwner(link: EventLink): Promise<void> {
    const { clock } = this.#options;
    if (clock.elapsed() - this.#ownerCheckedMs < ownerCheckMs || this.#bucket === undefined) return;
    await checkBucket(link, this.#bucket, { hubId: this.#hubId, by: this.#by });
    this.#ownerCheckedMs = clock.elapsed();
  }

  async #storePositions(trackers: Record<EventKind, PositionTracker>, signal: AbortSignal): Promise<void> {
    const { positions } = this.#bucket as BucketState; // It was read before the trackers were made.
    for (;;) {
      await pauseFor(this.#options.clock, storeMs, signal);
      if (signal.aborted) return;
      for (const kind of eventKinds) {
        const { position } = trackers[kind];
        const at = positions[kind];
        if (isSamePosition(position, at.position)) continue;
        const value = JSON.stringify({ ...position, by: this.#by } satisfies StoredPosition);
        const key = keysOf(this.#hubId).position(kind);
        await this.#attempt(async (link) => {
          at.revision = await this.#write(link, { key, value, revision: at.revision });
        });
        at.position = position;
      }
      await this.#bury();
    }
  }

  /** Removes the keys of deleted objects that no later publisher can see again. */
  async #bury(): Promise<void> {
    const graves = this.#graves;
    this.#graves = [];
    for (const record of graves) {
      const { claimed, uid, kind } = record;
      const stored = this.#bucket?.positions[kind].position;
      const isPassed =
        claimed !== undefined &&
        stored !== undefined &&
        isAcknowledged({ list: claimed.list, data: { ...claimed.state, kind, uid } }, stored);
      if (!isPassed) {
        this.#graves.push(record);
        continue;
      }
      await this.#attempt((link) => link.purge(keysOf(this.#hubId).object(record.kind, uid)));
      this.#bucket?.states.delete(uid);
    }
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
