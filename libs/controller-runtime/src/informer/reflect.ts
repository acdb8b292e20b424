import type { KubeObject, ResourceType } from "@landscaper/api";
import { ApiError, isGone } from "../client/api-error.ts";
import { backoffDelayMs } from "../backoff.ts";
import type { Backoff, Random } from "../backoff.ts";
import type { Client, ObjectList, WatchEvent } from "../client/client-interface.ts";
import type { Clock, InformerOptions } from "../controller-interface.ts";

export interface ReflectOptions<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly clock: Clock;
  readonly random: Random;
  readonly selection: Pick<InformerOptions<T>, "namespace" | "labelSelector" | "fieldSelector" | "metadataOnly">;
  /** The list is only asked from where to watch on: it brings no objects. */
  readonly listsNothing?: boolean | undefined;
  /** Default: up to 10 s for whatever fails. */
  readonly backoffOf?: ((error: unknown) => Backoff) | undefined;
  onList(list: ObjectList<T>): void;
  /** The server has accepted a watch. */
  onOpen?(): void;
  onEvent(type: "ADDED" | "MODIFIED" | "DELETED", object: T): void;
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
 * version seen (bookmarks keep that fresh); 410 Gone and refusals lead to a new list. Failures back off with jitter, for ever.
 */
export async function reflect<T extends KubeObject>(options: ReflectOptions<T>, signal: AbortSignal): Promise<void> {
  const { clock, random, backoffOf } = options;
  /** Where to go on; undefined asks for a new list. */
  let position: string | undefined;
  let failures = 0;
  const advance = (resourceVersion: string): void => {
    position = resourceVersion;
    failures = 0;
  };
  while (!signal.aborted) {
    try {
      if (position === undefined) advance(await fetchInitial(options, signal));
      else await follow(options, { position, advance }, signal);
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      if (needsNewList(error, failures)) position = undefined;
      const backoff = backoffOf?.(error) ?? defaultBackoff;
      const delayMs = isGone(error) && failures === 1 ? 0 : backoffDelayMs(backoff, failures, random);
      options.onFailure?.(error, delayMs);
      await clock.sleep(delayMs, signal).catch(() => {});
    }
  }
}

/**
 * Whether the position is no good any more: gone, or refused. A server restored from a backup answers "too large resource
 * version" (504) for ever, so failing answers lead to a new list too when they repeat; a server that is away does not.
 */
function needsNewList(error: unknown, failures: number): boolean {
  if (!(error instanceof ApiError) || error.status === 429) return false;
  return error.status < 500 || failures >= 3;
}

async function fetchInitial<T extends KubeObject>(options: ReflectOptions<T>, signal: AbortSignal): Promise<string> {
  const { client, type, selection, listsNothing } = options;
  const selected = listsNothing === true ? { ...selection, ...nothing } : selection;
  const list = await client.list(type, { ...selected, limit: pageSize, signal });
  options.onList(list);
  return list.resourceVersion;
}

interface Progress {
  readonly position: string;
  readonly advance: (resourceVersion: string) => void;
}

/** One watch, from its start to its regular end. */
async function follow<T extends KubeObject>(
  options: ReflectOptions<T>,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { clock, type, client, selection } = options;
  const startedMs = clock.now();
  let events = 0;
  const onOpen = (): void => options.onOpen?.();
  const watch = { ...selection, resourceVersion: progress.position, onOpen, signal };
  for await (const event of client.watch(type, watch)) {
    events++;
    takeEvent(event, options, progress.advance);
  }
  if (events === 0 && clock.now() - startedMs < minWatchMs && !signal.aborted) {
    throw new Error(`the server ended the watch of ${type.plural} at once`);
  }
}

function takeEvent<T extends KubeObject>(
  event: WatchEvent<T>,
  options: ReflectOptions<T>,
  advance: (resourceVersion: string) => void,
): void {
  if (event.type === "ERROR") {
    const { status } = event;
    throw new ApiError(
      { method: "WATCH", path: options.type.plural },
      { status: status.code ?? 500, statusObject: status },
    );
  }
  if (event.type !== "BOOKMARK") options.onEvent(event.type, event.object);
  const { resourceVersion } = event.object.metadata;
  if (resourceVersion !== undefined) advance(resourceVersion);
}
