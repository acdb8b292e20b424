import { apiVersionOf, isOlder, type KubeObject, type ResourceType } from "@landscaper/api";
import type { Random } from "../backoff.ts";
import { isForbidden } from "../client/api-error.ts";
import type { Client, ObjectList } from "../client/client-interface.ts";
import type { Clock, InformerHandler, InformerOptions, Logger, RunnableInformer } from "../controller-interface.ts";
import { copyJson, prepareForStore } from "./freeze-object.ts";
import { createDeferred } from "../deferred.ts";
import { describeError } from "../describe-error.ts";
import { noMetrics } from "../observability/metrics-interface.ts";
import type { RuntimeMetrics } from "../observability/metrics-interface.ts";
import { isObjectGone } from "../client/object-lifetime.ts";
import { createObjectStore } from "./object-store.ts";
import type { StoreChange } from "./object-store.ts";
import { raceAbort } from "../race-abort.ts";
import { reflect } from "./reflect.ts";
import { createSelection } from "./selection.ts";

export interface CreateInformerOptions<T extends KubeObject> extends InformerOptions<T> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: RuntimeMetrics | undefined;
  readonly random?: Random | undefined;
  /** What may not be read (403) counts as empty, instead of keeping the informer from its sync. It is asked for again. */
  readonly isEmptyWhenRefused?: boolean | undefined;
}

/** The manager's view: what it needs to merge options of several users. */
export interface SharedInformer<T extends KubeObject> extends RunnableInformer<T> {
  addIndexes(functions: NonNullable<InformerOptions<T>["indexes"]>): void;
}

/** An informer on a cluster; nothing happens until `run` is called. */
export function createInformer<T extends KubeObject>(options: CreateInformerOptions<T>): SharedInformer<T> {
  const { type, log } = options;
  const metrics = options.metrics ?? noMetrics;
  const store = createObjectStore<T>();
  store.addIndexes(options.indexes ?? {});
  const selection = createSelection(options);
  const handlers: InformerHandler<T>[] = [];
  const synced = createDeferred<void>();
  let hasSynced = false;
  let lastSeen: string | undefined;
  /** Of the list that follows. */
  let isRestored = false;

  const toStored = (object: T): T => prepareForStore(options.metadataOnly === true ? metadataOf(object, type) : object);
  const publish = (changes: readonly StoreChange<T>[]): void => {
    for (const change of changes) {
      metrics.observeInformer(type.kind, change.type);
      for (const handler of handlers) notify(handler, change, log);
    }
  };
  const onList = (list: ObjectList<T>): void => {
    metrics.observeInformer(type.kind, "relist");
    const items = list.items.map(toStored);
    if (isRestored || store.isContradictedBy(items, list.resourceVersion)) {
      log.warn({ kind: type.kind }, "the server was restored to an older state, and all objects are read anew");
      publish(store.reset(items));
    } else publish(store.replace(items, list.resourceVersion));
    isRestored = false;
    lastSeen = list.resourceVersion;
    hasSynced = true;
    synced.resolve();
  };

  const takeRefusal = (): void => {
    publish(store.reset([]));
    lastSeen = undefined;
    hasSynced = true;
    synced.resolve();
  };

  return {
    lister: store.lister,
    get hasSynced() {
      return hasSynced;
    },
    addIndexes: (functions) => store.addIndexes(functions),
    addHandler: (handler) => {
      handlers.push(handler);
      for (const object of store.lister.list()) notify(handler, { type: "add", object }, log);
    },
    observe: (object) => {
      const match = selection.matches(object);
      // An object that no selector can judge here is left to the watch.
      if (match === "unknown") return;
      const isGone = isObjectGone(object);
      // What the watch has passed already is in the store, or deleted since: a late answer must not bring it back.
      if (!isGone && hasSynced && !isOlder(lastSeen, object.metadata.resourceVersion)) return;
      const copy = toStored(copyJson(object));
      publish(isGone || match === "no" ? store.remove(copy) : store.put(copy));
    },
    observeDeletion: (key, uid) => publish(store.removeByUid(key, uid)),
    waitForSync: (signal) => raceAbort(synced.promise, signal),
    run: (signal) =>
      reflect<T>(
        {
          ...options,
          random: options.random ?? Math.random,
          selection: selection.query,
          onList,
          onRestored: () => {
            isRestored = true;
          },
          onEvent: (event, object) => {
            lastSeen = object.metadata.resourceVersion ?? lastSeen;
            publish(event === "DELETED" ? store.remove(toStored(object)) : store.put(toStored(object)));
          },
          onFailure: (error, delayMs) => {
            metrics.observeInformer(type.kind, "error");
            const fields = { kind: type.kind, delayMs, error: describeError(error) };
            if (options.isEmptyWhenRefused === true && isForbidden(error)) {
              takeRefusal();
              log.debug(
                { ...fields, namespace: options.namespace },
                "the namespace may not be read, and counts as empty",
              );
              return;
            }
            log.warn(fields, "the watch failed and is set up again");
          },
        },
        signal,
      ),
  };
}

/** Restores apiVersion and kind: the API server answers with PartialObjectMetadata. */
function metadataOf<T extends KubeObject>({ metadata }: T, type: ResourceType<T>): T {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata } as T; // Users of metadataOnly have been told that nothing else is there.
}

/** Nothing that a handler throws may stop the flow of events. */
function notify<T extends KubeObject>(handler: InformerHandler<T>, change: StoreChange<T>, log: Logger): void {
  try {
    switch (change.type) {
      case "add":
        handler.onAdd?.(change.object);
        return;
      case "update":
        handler.onUpdate?.(change.object, change.previous);
        return;
      case "delete":
        handler.onDelete?.(change.object);
        return;
    }
  } catch (error) {
    log.error({ kind: change.object.kind, error: describeError(error) }, "an event handler has thrown");
  }
}
