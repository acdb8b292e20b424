import type { StoreEvent } from "../storage/event-history.ts";

/** Where an object is stored. */
export interface ObjectPlace {
  readonly storage: string;
  readonly namespace: string;
  readonly name: string;
}

export function formatPlace({ storage, namespace, name }: ObjectPlace): string {
  return `${storage}/${namespace}/${name}`;
}

/** Which objects name which owner (by uid), kept in step with the store. */
export class DependentsIndex {
  readonly #byOwner = new Map<string, Map<string, ObjectPlace>>();

  /** To be called for every write. */
  update({ type, current, previous, storage }: StoreEvent): void {
    const before = previous?.object.metadata.ownerReferences;
    const after = type === "DELETED" ? undefined : current.object.metadata.ownerReferences;
    if (before === undefined && after === undefined) return;
    const place: ObjectPlace = { storage, namespace: current.namespace, name: current.name };
    const key = formatPlace(place);
    for (const { uid } of before ?? []) this.#remove(uid, key);
    for (const { uid } of after ?? []) this.#add(uid, key, place);
  }

  of(ownerUid: string): readonly ObjectPlace[] {
    return [...(this.#byOwner.get(ownerUid)?.values() ?? [])];
  }

  #add(uid: string, key: string, place: ObjectPlace): void {
    const dependents = this.#byOwner.get(uid) ?? new Map<string, ObjectPlace>();
    dependents.set(key, place);
    this.#byOwner.set(uid, dependents);
  }

  #remove(uid: string, key: string): void {
    const dependents = this.#byOwner.get(uid);
    dependents?.delete(key);
    if (dependents?.size === 0) this.#byOwner.delete(uid);
  }
}
