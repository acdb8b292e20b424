import type { KubeObject, ObjectKey, ResourceType } from "@landscaper/api";
import type { Client, RequestOptions } from "./client-interface.ts";

/** What hears of own writes: the informers of the written kind. */
export interface WriteObserver {
  observe(type: ResourceType, object: KubeObject): void;
  /** Uid that the informers know for a key; asked before a delete is sent. */
  knownUid(type: ResourceType, key: ObjectKey): string | undefined;
  observeDeletion(type: ResourceType, key: ObjectKey, uid: string): void;
}

/** Whether writes are allowed: those of a process that has lost its Lease are not. */
export interface WriteGate {
  /** False while no right to write can be lost: then nothing is asked. */
  readonly isGuarding: boolean;
  /** Throws when they are not. */
  check(): void;
  /** Aborts the writes under way when they are not any more. */
  readonly signal: AbortSignal;
}

/**
 * The client with write-through: the answer of every write is in the informers before the caller sees it, so that the next
 * reconcile reads its own writes.
 */
export function createObservingClient(client: Client, observer: WriteObserver, gate: WriteGate): Client {
  const gated = <O extends RequestOptions>(options: O): O => {
    if (!gate.isGuarding) return options;
    gate.check();
    const signal = options.signal === undefined ? gate.signal : AbortSignal.any([options.signal, gate.signal]);
    return { ...options, signal, beforeSend: () => gate.check() };
  };
  const observed = <T extends KubeObject>(type: ResourceType<T>, object: T, isDryRun: boolean | undefined): T => {
    if (isDryRun !== true && object.kind === type.kind) observer.observe(type, object);
    return object;
  };
  return {
    ...client,
    create: async (type, object, options = {}) =>
      observed(type, await client.create(type, object, gated(options)), options.dryRun),
    update: async (type, object, options = {}) =>
      observed(type, await client.update(type, object, gated(options)), options.dryRun),
    updateStatus: async (type, object, options = {}) =>
      observed(type, await client.updateStatus(type, object, gated(options)), options.dryRun),
    patch: async (type, key, patch) => observed(type, await client.patch(type, key, gated(patch)), patch.dryRun),
    delete: async (type, key, options = {}) => {
      // Known before: the uid that stands there afterwards may be that of a successor.
      const uid = options.uid ?? observer.knownUid(type, key);
      const kept = await client.delete(type, key, gated(options));
      if (kept !== undefined) return observed(type, kept, false);
      if (uid !== undefined) observer.observeDeletion(type, key, uid);
      return undefined;
    },
    request: async (request) => client.request(request.method === "GET" ? request : gated(request)),
  };
}
