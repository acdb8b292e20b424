import { isOlder, type KubeObject, type ResourceType } from "@landscaper/api";
import { ApiError, isGone } from "../client/api-error.ts";
import { backoffDelayMs } from "../backoff.ts";
import type { Backoff, Random } from "../backoff.ts";
import type { Client, ListOptions, ObjectList, WatchEvent } from "../client/client-interface.ts";
import type { Clock, InformerOptions } from "../controller-interface.ts";

export interface ReflectOptions<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly selection: Pick<InformerOptions<T>, "namespace" | "labelSelector" | "fieldSelector" | "metadataOnly">;
  /** The list is only asked from where to watch on: it brings no objects. */
  readonly listsNothing?: boolean | undefined;
  /** Resource version to watch from, such as the stored one of an earlier process. Default: the first list says it. */
  readonly from?: string | undefined;
  /**
   * Whether a list loses what the caller wants: the versions in between. Refused rights and a failing server then leave the position alone, for
   * about as long as a server keeps its history. Default: three failures in a row lead to a new list.
   */
  readonly wantsHistory?: boolean | undefined;
  /** As that of lists of the client. Objects of the watch stay whole. */
  readonly reduce?: ListOptions["reduce"];
  /** Default: up to 10 s for whatever fails. */
  readonly backoffOf?: ((error: unknown) => Backoff) | undefined;
  onList(list: ObjectList<T>): void;
  /** The list that follows is older than what was seen before: the server was restored from a backup. */
  onRestored?(): void;
  /** The server has accepted a watch. */
  onOpen?(): void;
  onEvent(type: "ADDED" | "MODIFIED" | "DELETED", object: T): void;
  /** All changes up to this resource version were seen: bookmarks move it without an event. */
  onBookmark?(resourceVersion: string): void;
  /** Awaited after each list and event: the server is not read while it is pending. */
  ready?(): Promise<void> | undefined;
  /** List or watch failed, and is tried again after the delay. */
  onFailure?(error: unknown, delayMs: number): void;
}

const defaultBackoff: Backoff = { baseMs: 200, maxMs: 10_000 };
/**
 * Selects no object, as no name has a capital letter, and asks no server to look further than its own cache: to begin at an older
 * event is no harm.
 */
const nothing = { fieldSelector: "metadata.name=None", labelSelector: undefined, resourceVersion: "0" };
const pageSize = 500;
/** A watch that ends sooner, having said nothing, was no success: without a pause it would be a busy loop. */
const minWatchMs = 1_000;

/**
 * Lists, then watches from there, until the signal is aborted. A watch that ends or breaks is resumed from the last resource
 * version seen (bookmarks keep that fresh); 410 Gone and refusals lead to a new list. So does a server that was away and has an
 * older state now. Failures back off with jitter, for ever.
 */
export async function reflect<T extends KubeObject>(options: ReflectOptions<T>, signal: AbortSignal): Promise<void> {
  const { clock, random, backoffOf } = options;
  const place = new Place(options.from);
  while (!signal.aborted) {
    try {
      if (await isRestored(options, place, signal)) place.position = undefined;
      if (place.position === undefined) await begin(options, place, signal);
      else await follow(options, place, signal);
    } catch (error) {
      if (signal.aborted) return;
      place.failures++;
      if (isRefusal(error)) place.isDoubtful = false;
      if (needsNewList(error, place.failures, options)) place.position = undefined;
      const backoff = backoffOf?.(error) ?? defaultBackoff;
      const delayMs = isGone(error) && place.failures === 1 ? 0 : backoffDelayMs(backoff, place.failures, random);
      options.onFailure?.(error, delayMs);
      await clock.sleep(delayMs, signal).catch(() => {});
    }
  }
}

/** How far the server was followed. */
class Place {
  /** Where to go on; undefined asks for a new list. */
  position: string | undefined;
  /** The last position. */
  last: string | undefined;
  /** In a row. */
  failures = 0;
  /** The server did not accept the watch, as one that is away: it may come back with another state. */
  isDoubtful = false;

  constructor(from: string | undefined) {
    this.position = from;
    this.last = from;
    // The server may have been restored to an older state since.
    this.isDoubtful = from !== undefined;
  }

  advance(resourceVersion: string): void {
    this.position = resourceVersion;
    this.last = resourceVersion;
    this.failures = 0;
    this.isDoubtful = false;
  }
}

/**
 * Whether the position is no good any more: gone, or refused. A server restored from a backup answers "too large resource
 * version" (504) for ever, so failing answers lead to a new list too when they repeat; a server that is away does not.
 */
function needsNewList(
  error: unknown,
  failures: number,
  { wantsHistory = false }: Pick<ReflectOptions<KubeObject>, "wantsHistory">,
): boolean {
  if (!(error instanceof ApiError) || error.status === 429) return false;
  if (wantsHistory && (!isRefusal(error) || passingRefusals.has(error.status))) return failures >= patientFailures;
  return isRefusal(error) || failures >= 3;
}

/** Refusals that say nothing about the position: missing rights, an absent type, a slow request. */
const passingRefusals = new Set([401, 403, 404, 408]);
/** With the default backoff, about five minutes. */
const patientFailures = 40;

/** An answer of a server that is there. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500;
}

async function begin<T extends KubeObject>(
  options: ReflectOptions<T>,
  place: Place,
  signal: AbortSignal,
): Promise<void> {
  const { client, type, selection, listsNothing, reduce } = options;
  const selected = listsNothing === true ? { ...selection, ...nothing } : selection;
  const list = await client.list(type, { ...selected, limit: pageSize, reduce, signal });
  if (isOlder(list.resourceVersion, place.last)) options.onRestored?.();
  options.onList(list);
  place.advance(list.resourceVersion);
  await options.ready?.();
}

/**
 * Whether a server that was away has not come as far yet as the position. A watch from there is accepted, and silent until the
 * server has made that many changes, so it has to be asked.
 */
async function isRestored<T extends KubeObject>(
  { client, type, selection, wantsHistory = false }: ReflectOptions<T>,
  { position, isDoubtful }: Place,
  signal: AbortSignal,
): Promise<boolean> {
  if (position === undefined || !isDoubtful) return false;
  // Rights may be for the objects of the selector alone.
  const { fieldSelector = nothing.fieldSelector } = selection;
  const probe = { ...selection, ...nothing, fieldSelector, limit: 1, signal };
  const cached = await client.list(type, probe);
  const isOld = isOlder(cached.resourceVersion, position);
  if (!isOld || !wantsHistory) return isOld;
  // The cache of one of several servers may be behind; only the store itself shows a restore.
  const stored = await client.list(type, { ...probe, resourceVersion: undefined });
  return isOlder(stored.resourceVersion, position);
}

/** One watch, from its start to its regular end. */
async function follow<T extends KubeObject>(
  options: ReflectOptions<T>,
  place: Place,
  signal: AbortSignal,
): Promise<void> {
  const { clock, type, client, selection } = options;
  const { position: resourceVersion = "" } = place;
  const startedMs = clock.elapsed();
  let events = 0;
  place.isDoubtful = true;
  const onOpen = (): void => {
    place.isDoubtful = false;
    options.onOpen?.();
  };
  const watch = { ...selection, resourceVersion, onOpen, signal };
  for await (const event of client.watch(type, watch)) {
    events++;
    takeEvent(event, options, place);
    const pause = options.ready?.();
    if (pause !== undefined) await pause;
  }
  if (events === 0 && clock.elapsed() - startedMs < minWatchMs && !signal.aborted) {
    throw new Error(`the server ended the watch of ${type.plural} at once`);
  }
}

function takeEvent<T extends KubeObject>(event: WatchEvent<T>, options: ReflectOptions<T>, place: Place): void {
  if (event.type === "ERROR") {
    const { status } = event;
    throw new ApiError(
      { method: "WATCH", path: options.type.plural },
      { status: status.code ?? 500, statusObject: status },
    );
  }
  const { resourceVersion } = event.object.metadata;
  if (event.type !== "BOOKMARK") options.onEvent(event.type, event.object);
  else if (resourceVersion !== undefined) options.onBookmark?.(resourceVersion);
  if (resourceVersion !== undefined) place.advance(resourceVersion);
}
