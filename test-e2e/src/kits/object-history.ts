import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject, ResourceType } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";

const reconnectMs = 100;

/** One event of a watch. */
export interface Seen<T extends KubeObject> {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: T;
}

/** With the time of its arrival here, as `performance.now()` says it. */
export interface SeenAt<T extends KubeObject> extends Seen<T> {
  readonly at: number;
}

/** Every version of the objects of one kind in a namespace, from the moment it was asked for. */
export interface ObjectHistory<T extends KubeObject> {
  /** Oldest first. */
  readonly seen: readonly SeenAt<T>[];
  /** The objects that are there, by name. */
  readonly current: ReadonlyMap<string, T>;
  /** Rejects when the watch broke: then versions are missing. */
  stop(): Promise<void>;
}

/** A watch brings each version that was written, which a list does not. */
export async function recordHistory<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  namespace: string,
): Promise<ObjectHistory<T>> {
  const { resourceVersion, items } = await client.list(type, { namespace });
  const seen: SeenAt<T>[] = items.map((object) => ({ type: "ADDED", object, at: performance.now() }));
  const current = new Map(items.map((object) => [object.metadata.name ?? "", object]));
  const stopped = new AbortController();
  const { signal } = stopped;
  let from = resourceVersion;
  let opened: (() => void) | undefined;
  const whenOpen = new Promise<void>((resolve) => (opened = resolve));
  const watching = follow();
  // What is asked for next is to be seen, also where connections take their time.
  await Promise.race([whenOpen, watching]);
  watching.catch(() => undefined);

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        await readOne();
      } catch (error) {
        // The next watch goes on where the last one ended: nothing is missing.
        if (signal.aborted || !(error instanceof Error) || error.name !== "ConnectionError") throw error;
        await sleep(reconnectMs);
      }
    }
  }

  async function readOne(): Promise<void> {
    const options = { namespace, resourceVersion: from, signal, onOpen: opened };
    for await (const event of client.watch(type, options)) {
      if (event.type === "ERROR") throw new Error(`the watch of ${type.plural} broke: ${event.status.message ?? ""}`);
      from = event.object.metadata.resourceVersion ?? from;
      if (event.type === "BOOKMARK") continue;
      seen.push({ type: event.type, object: event.object, at: performance.now() });
      const { name = "" } = event.object.metadata;
      if (event.type === "DELETED") current.delete(name);
      else current.set(name, event.object);
    }
  }

  return {
    seen,
    current,
    async stop() {
      const isBroken = await Promise.race([
        watching.then(
          () => false,
          () => true,
        ),
        Promise.resolve(false),
      ]);
      stopped.abort(new Error("enough was seen"));
      const end = watching.catch((error: unknown) => {
        if (isBroken) throw error;
      });
      await end;
    },
  };
}
