import type { StoredObject } from "./stored-object.ts";

/** The objects of one resource, by namespace ("" for cluster-scoped ones) and name. */
export class Collection {
  readonly #namespaces = new Map<string, Bucket>();
  #size = 0;
  #changes = 0;

  get size(): number {
    return this.#size;
  }

  /** Another number after each change of the objects of a namespace; 0 when it has none. */
  changesOf(namespace: string): number {
    return this.#namespaces.get(namespace)?.changes ?? 0;
  }

  get(namespace: string, name: string): StoredObject | undefined {
    return this.#namespaces.get(namespace)?.objects.get(name);
  }

  set(object: StoredObject): void {
    let bucket = this.#namespaces.get(object.namespace);
    if (bucket === undefined) {
      bucket = { objects: new Map(), sortedNames: undefined, changes: 0 };
      this.#namespaces.set(object.namespace, bucket);
    }
    if (!bucket.objects.has(object.name)) {
      bucket.sortedNames = undefined;
      this.#size += 1;
    }
    bucket.objects.set(object.name, object);
    bucket.changes = ++this.#changes;
  }

  delete(object: StoredObject): void {
    const bucket = this.#namespaces.get(object.namespace);
    if (bucket?.objects.delete(object.name) !== true) return;
    bucket.sortedNames = undefined;
    bucket.changes = ++this.#changes;
    this.#size -= 1;
    if (bucket.objects.size === 0) this.#namespaces.delete(object.namespace);
  }

  /** All objects, or those of one namespace, in the order of etcd: by namespace, then by name. */
  list(namespace?: string): StoredObject[] {
    if (namespace !== undefined) return listBucket(this.#namespaces.get(namespace));
    return [...this.#namespaces.keys()].toSorted().flatMap((key) => listBucket(this.#namespaces.get(key)));
  }
}

interface Bucket {
  readonly objects: Map<string, StoredObject>;
  /** Absent when names came or went since it was made. */
  sortedNames: readonly string[] | undefined;
  changes: number;
}

function listBucket(bucket: Bucket | undefined): StoredObject[] {
  if (bucket === undefined) return [];
  bucket.sortedNames ??= [...bucket.objects.keys()].toSorted();
  const objects: StoredObject[] = [];
  for (const name of bucket.sortedNames) {
    const object = bucket.objects.get(name);
    if (object !== undefined) objects.push(object);
  }
  return objects;
}
