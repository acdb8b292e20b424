import { formatKey, keyOf } from "@landscaper/api";
import type { KubeObject, ObjectKey } from "@landscaper/api";
import type { IndexFunctions, Lister } from "./controller-interface.ts";
import { createObjectIndex } from "./object-index.ts";
import { compareResourceVersions, isOlder } from "./resource-version.ts";
import { createTombstones } from "./tombstones.ts";

export type StoreChange<T extends KubeObject> =
  | { readonly type: "add"; readonly object: T }
  | { readonly type: "update"; readonly object: T; readonly previous: T }
  | { readonly type: "delete"; readonly object: T };

/**
 * The objects that an informer knows. Two sources write into it, the watch and the answers of own writes, so every change is
 * checked: an object never goes back to an older version, and one that was seen deleted never comes back.
 * Every method returns what really changed.
 */
export interface ObjectStore<T extends KubeObject> {
  readonly lister: Lister<T>;
  addIndexes(functions: IndexFunctions<T>): void;
  /** Takes in a version from the watch or from an own write. */
  put(object: T): readonly StoreChange<T>[];
  /** The watch saw the object go. */
  remove(object: T): readonly StoreChange<T>[];
  /** An own delete made the object with this uid go; later news of that uid are old news. */
  removeByUid(key: ObjectKey, uid: string): readonly StoreChange<T>[];
  /** Takes in a complete list of one resource version. */
  replace(items: readonly T[], resourceVersion: string): readonly StoreChange<T>[];
  /** Like replace, but trusts the list alone: for a server that was restored to an older state. */
  reset(items: readonly T[]): readonly StoreChange<T>[];
}

export function createObjectStore<T extends KubeObject>(): ObjectStore<T> {
  const objects = new Map<string, T>();
  const namespaces = createObjectIndex<T>();
  namespaces.extend({ namespace: (object) => [object.metadata.namespace ?? ""] }, []);
  const indexes = createObjectIndex<T>();
  const tombstones = createTombstones();

  const set = (key: string, object: T): StoreChange<T> => {
    const previous = objects.get(key);
    if (previous !== undefined) drop(key, previous);
    objects.set(key, object);
    namespaces.put(key, object);
    indexes.put(key, object);
    return previous === undefined ? { type: "add", object } : { type: "update", object, previous };
  };
  const drop = (key: string, object: T): StoreChange<T> => {
    objects.delete(key);
    namespaces.remove(key, object);
    indexes.remove(key, object);
    return { type: "delete", object };
  };
  const put = (object: T): readonly StoreChange<T>[] => {
    const key = formatKey(keyOf(object));
    const stored = objects.get(key);
    if (stored !== undefined && isNoNews(object, stored)) return [];
    return tombstones.covers(object) ? [] : [set(key, object)];
  };
  const removeWhere = (isStale: (key: string, object: T) => boolean): StoreChange<T>[] =>
    [...objects].filter(([key, object]) => isStale(key, object)).map(([key, object]) => drop(key, object));

  return {
    lister: {
      get: (key) => objects.get(formatKey(key)),
      list: (filter) =>
        filter?.namespace === undefined ? [...objects.values()] : namespaces.find("namespace", filter.namespace),
      byIndex: (index, value) => indexes.find(index, value),
    },
    addIndexes: (functions) => indexes.extend(functions, objects),
    put,
    remove: (object) => {
      tombstones.add(object);
      const key = formatKey(keyOf(object));
      const stored = objects.get(key);
      if (stored === undefined || isPredecessor(object, stored)) return [];
      drop(key, stored);
      return [{ type: "delete", object }];
    },
    removeByUid: (key, uid) => {
      tombstones.addUid(uid);
      const stored = objects.get(formatKey(key));
      return stored?.metadata.uid === uid ? [drop(formatKey(key), stored)] : [];
    },
    replace: (items, resourceVersion) => {
      const listed = new Set(items.map((item) => formatKey(keyOf(item))));
      // What is newer than the list was observed after it was made; the watch that follows tells the rest.
      const isStale = (key: string, object: T): boolean =>
        !listed.has(key) && !isOlder(resourceVersion, versionOf(object));
      return [...removeWhere(isStale), ...items.flatMap(put)];
    },
    reset: (items) => {
      tombstones.clear();
      const listed = new Set(items.map((item) => formatKey(keyOf(item))));
      return [...removeWhere((key) => !listed.has(key)), ...items.map((item) => set(formatKey(keyOf(item)), item))];
    },
  };
}

function versionOf(object: KubeObject): string | undefined {
  return object.metadata.resourceVersion;
}

/** Whether `object` tells nothing that `stored` does not know already. */
function isNoNews(object: KubeObject, stored: KubeObject): boolean {
  const order = compareResourceVersions(versionOf(object), versionOf(stored));
  if (order !== undefined) return order <= 0;
  return versionOf(object) !== undefined && versionOf(object) === versionOf(stored);
}

/** Whether `object` is an earlier object of the same name than `stored`. */
function isPredecessor(object: KubeObject, stored: KubeObject): boolean {
  return object.metadata.uid !== stored.metadata.uid && isOlder(versionOf(object), versionOf(stored));
}
