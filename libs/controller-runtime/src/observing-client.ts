import type { KubeObject, ObjectKey, ResourceType } from "@landscaper/api";
import type { Client } from "./client-interface.ts";

/** What hears of own writes: the informers of the written kind. */
export interface WriteObserver {
  observe(type: ResourceType, object: KubeObject): void;
  /** Uid that the informers know for a key; asked before a delete is sent. */
  knownUid(type: ResourceType, key: ObjectKey): string | undefined;
  observeDeletion(type: ResourceType, key: ObjectKey, uid: string): void;
}

/**
 * The client with write-through: the answer of every write is in the informers before the caller sees it, so that the next
 * reconcile reads its own writes.
 */
export function createObservingClient(client: Client, observer: WriteObserver): Client {
  const observed = <T extends KubeObject>(type: ResourceType<T>, object: T, isDryRun: boolean | undefined): T => {
    if (isDryRun !== true && object.kind === type.kind) observer.observe(type, object);
    return object;
  };
  return {
    ...client,
    create: async (type, object, options) =>
      observed(type, await client.create(type, object, options), options?.dryRun),
    update: async (type, object, options) =>
      observed(type, await client.update(type, object, options), options?.dryRun),
    updateStatus: async (type, object, options) =>
      observed(type, await client.updateStatus(type, object, options), options?.dryRun),
    patch: async (type, key, patch) => observed(type, await client.patch(type, key, patch), patch.dryRun),
    delete: async (type, key, options) => {
      // Known before: the uid that stands there afterwards may be that of a successor.
      const uid = options?.uid ?? observer.knownUid(type, key);
      const kept = await client.delete(type, key, options);
      if (kept !== undefined) return observed(type, kept, false);
      if (uid !== undefined) observer.observeDeletion(type, key, uid);
      return undefined;
    },
  };
}
