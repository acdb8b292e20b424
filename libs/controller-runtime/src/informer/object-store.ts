import { compareResourceVersions, formatKey, isOlder, keyOf } from "@landscaper/api";
import type { KubeObject, ObjectKey } from "@landscaper/api";
import type { IndexFunctions, Lister } from "../controller-interface.ts";
import { createObjectIndex } from "./object-index.ts";
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
  /**
   * Whether a complete list of one resource version has what cannot be: an older version of an object than one that was seen by
   * then, or an object that was gone by then. So the server was restored to an older state.
   */
  isContradictedBy(items: readonly T[], resourceVersion: string): boolean;
  /** Like replace, but trusts the list alone: for a server that was restored to an older state. */
  reset(items: readonly T[]): readonly StoreChange<T>[];
}

export function createObjectStore<T extends KubeObject>(): ObjectStore<T> {
  return new IndexedStore<T>();
}

class IndexedStore<T extends KubeObject> implements ObjectStore<T> {
  readonly #objects = new Map<string, T>();
  readonly #namespaces = createObjectIndex<T>();
  readonly #indexes = createObjectIndex<T>();
  readonly #tombstones = createTombstones();
  readonly lister: Lister<T> = {
    get: (key) => this.#objects.get(formatKey(key)),
    list: (filter) =>
      filter?.namespace === undefined
        ? [...this.#objects.values()]
        : this.#namespaces.find("namespace", filter.namespace),
    byIndex: (index, value) => this.#indexes.find(index, value),
    countByIndex: (index, value) => this.#indexes.count(index, value),
  };

  constructor() {
    this.#namespaces.extend({ namespace: (object) => [object.metadata.namespace ?? ""] }, []);
  }

  addIndexes(functions: IndexFunctions<T>): void {
    this.#indexes.extend(functions, this.#objects);
  }

  put(object: T): readonly StoreChange<T>[] {
    const stored = this.#objects.get(formatKey(keyOf(object)));
    if (stored !== undefined && isNoNews(object, stored)) return [];
    return this.#tombstones.covers(object) ? [] : [this.#set(object)];
  }

  remove(object: T): readonly StoreChange<T>[] {
    this.#tombstones.add(object);
    const stored = this.#objects.get(formatKey(keyOf(object)));
    if (stored === undefined || isPredecessor(object, stored)) return [];
    this.#drop(stored);
    return [{ type: "delete", object }];
  }

  removeByUid(key: ObjectKey, uid: string): readonly StoreChange<T>[] {
    this.#tombstones.addUid(uid);
    const stored = this.#objects.get(formatKey(key));
    return stored?.metadata.uid === uid ? [this.#drop(stored)] : [];
  }

  replace(items: readonly T[], resourceVersion: string): readonly StoreChange<T>[] {
    // What is newer than the list was observed after it was made; the watch that follows tells the rest.
    const gone = this.#missingFrom(items).filter((object) => !isOlder(resourceVersion, versionOf(object)));
    return [...gone.map((object) => this.#drop(object)), ...items.flatMap((item) => this.put(item))];
  }

  isContradictedBy(items: readonly T[], resourceVersion: string): boolean {
    return items.some((item) => {
      const stored = this.#objects.get(formatKey(keyOf(item)));
      const seen = [
        stored?.metadata.uid === item.metadata.uid ? versionOf(stored) : undefined,
        this.#tombstones.endOf(item),
      ];
      return seen.some((version) => isOlder(versionOf(item), version) && !isOlder(resourceVersion, version));
    });
  }

  reset(items: readonly T[]): readonly StoreChange<T>[] {
    this.#tombstones.clear();
    const gone = this.#missingFrom(items);
    return [...gone.map((object) => this.#drop(object)), ...items.map((item) => this.#set(item))];
  }

  #missingFrom(items: readonly T[]): T[] {
    const listed = new Set(items.map((item) => formatKey(keyOf(item))));
    return [...this.#objects].filter(([key]) => !listed.has(key)).map(([, object]) => object);
  }

  #set(object: T): StoreChange<T> {
    const key = formatKey(keyOf(object));
    const previous = this.#objects.get(key);
    if (previous !== undefined) this.#drop(previous);
    this.#objects.set(key, object);
    this.#namespaces.put(key, object);
    this.#indexes.put(key, object);
    return previous === undefined ? { type: "add", object } : { type: "update", object, previous };
  }

  #drop(object: T): StoreChange<T> {
    const key = formatKey(keyOf(object));
    this.#objects.delete(key);
    this.#namespaces.remove(key, object);
    this.#indexes.remove(key, object);
    return { type: "delete", object };
  }
}

function versionOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.resourceVersion;
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
