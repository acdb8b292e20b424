import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { deleteObject } from "../rest/delete-object.ts";
import type { RestContext } from "../rest/rest-context.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { classifyOwners, isWaiting } from "./classify-owners.ts";
import type { ObjectPlace } from "./dependents-index.ts";
import { DependentsIndex, formatPlace } from "./dependents-index.ts";
import { overwrite, removeFinalizer, systemTarget } from "./system-writes.ts";
import type { WorkLoop } from "./work-loop.ts";

/** Deletes objects whose owners are gone, in the background or before their owner, and lets go of orphans. */
export function startGarbageCollector(context: RestContext, loop: WorkLoop): void {
  const collector = new GarbageCollector(context, loop);
  context.store.subscribe("*", (event) => {
    collector.index.update(event);
    const { storage, current, previous, type } = event;
    const { metadata } = current.object;
    const place: ObjectPlace = { storage, namespace: current.namespace, name: current.name };
    if (type === "DELETED") collector.checkDependentsSoon(current.uid);
    else if (metadata.ownerReferences !== undefined) collector.checkSoon(place);
    if (metadata.deletionTimestamp !== undefined && type !== "DELETED") collector.checkOwnerSoon(place);
    // An owner that waits for this dependent may go now.
    for (const reference of [
      ...(previous?.object.metadata.ownerReferences ?? []),
      ...(metadata.ownerReferences ?? []),
    ]) {
      const owner = context.resources.findKind(reference.apiVersion, reference.kind);
      if (owner === undefined) continue;
      const namespace = owner.namespaced ? current.namespace : "";
      collector.checkOwnerSoon({ storage: owner.storage, namespace, name: reference.name });
    }
  });
}

class GarbageCollector {
  readonly index = new DependentsIndex();
  readonly #context: RestContext;
  readonly #loop: WorkLoop;

  constructor(context: RestContext, loop: WorkLoop) {
    this.#context = context;
    this.#loop = loop;
  }

  checkDependentsSoon(ownerUid: string): void {
    for (const place of this.index.of(ownerUid)) this.checkSoon(place);
  }

  checkSoon(place: ObjectPlace): void {
    this.#loop.enqueue(`gc/dependent/${formatPlace(place)}`, () => this.#checkDependent(place));
  }

  checkOwnerSoon(place: ObjectPlace): void {
    const owner = this.#context.store.collection(place.storage).get(place.namespace, place.name);
    const finalizers = owner?.object.metadata.finalizers ?? [];
    if (!finalizers.includes("orphan") && !finalizers.includes("foregroundDeletion")) return;
    this.#loop.enqueue(`gc/owner/${formatPlace(place)}`, () => this.#checkOwner(place));
  }

  #find(place: ObjectPlace): { definition: ResourceDefinition; current: StoredObject } | undefined {
    const definition = this.#context.resources.findStorage(place.storage);
    const current = this.#context.store.collection(place.storage).get(place.namespace, place.name);
    return definition === undefined || current === undefined ? undefined : { definition, current };
  }

  #checkDependent(place: ObjectPlace): void {
    const found = this.#find(place);
    if (found === undefined) return;
    const { definition, current } = found;
    const { metadata } = current.object;
    if (metadata.deletionTimestamp !== undefined || (metadata.ownerReferences ?? []).length === 0) return;
    const { solid, dangling, waiting, isUnknown } = classifyOwners(this.#context, current);
    if (isUnknown || (dangling.length === 0 && waiting.length === 0)) return;
    if (solid.length > 0) {
      this.#dropOwners(definition, current, new Set([...dangling, ...waiting].map(({ uid }) => uid)));
      return;
    }
    const isForeground = waiting.length > 0 && this.index.of(current.uid).length > 0;
    const { namespace, name, uid } = current;
    const finalizers = metadata.finalizers ?? [];
    const propagationPolicy = finalizers.includes("orphan")
      ? "Orphan"
      : isForeground || finalizers.includes("foregroundDeletion")
        ? "Foreground"
        : "Background";
    deleteObject(this.#context, systemTarget(definition, { namespace, name }), {
      dryRun: false,
      uid,
      propagationPolicy,
    });
  }

  #dropOwners(definition: ResourceDefinition, current: StoredObject, uids: ReadonlySet<string>): void {
    const { ownerReferences = [], ...metadata } = current.object.metadata;
    const rest = ownerReferences.filter(({ uid }) => !uids.has(uid));
    const next = rest.length === 0 ? metadata : { ...metadata, ownerReferences: rest };
    overwrite(this.#context, definition, { current, object: { ...current.object, metadata: next } });
  }

  #checkOwner(place: ObjectPlace): void {
    const found = this.#find(place);
    if (found === undefined || found.current.object.metadata.deletionTimestamp === undefined) return;
    const { definition, current } = found;
    const dependents = this.index.of(current.uid);
    if ((current.object.metadata.finalizers ?? []).includes("orphan")) {
      for (const dependent of dependents) this.#orphan(dependent, current.uid);
      removeFinalizer(this.#context, definition, { current, finalizer: "orphan" });
      return;
    }
    if (!isWaiting(current)) return;
    for (const dependent of dependents) this.checkSoon(dependent);
    if (dependents.some((dependent) => this.#isBlocking(dependent, current.uid))) return;
    removeFinalizer(this.#context, definition, { current, finalizer: "foregroundDeletion" });
  }

  #orphan(place: ObjectPlace, ownerUid: string): void {
    const dependent = this.#find(place);
    if (dependent !== undefined) this.#dropOwners(dependent.definition, dependent.current, new Set([ownerUid]));
  }

  #isBlocking(place: ObjectPlace, ownerUid: string): boolean {
    const owners = this.#find(place)?.current.object.metadata.ownerReferences ?? [];
    return owners.some(({ uid, blockOwnerDeletion }) => uid === ownerUid && blockOwnerDeletion === true);
  }
}
