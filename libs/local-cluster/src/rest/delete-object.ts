import type { ObjectMeta, UnstructuredObject } from "@landscaper/api";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { conflict, forbidden, notFound } from "../status/status-error.ts";
import { StoredObject } from "../storage/stored-object.ts";
import type { RestContext, RestTarget } from "./rest-context.ts";
import { formatTime } from "./rest-context.ts";

/** DeleteOptions of query and body together. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
  readonly gracePeriodSeconds?: number | undefined;
}

export interface DeleteResult {
  /** False: the object is only marked, finalizers or a grace period keep it. */
  readonly removed: boolean;
  readonly object: StoredObject;
  readonly warnings: readonly string[];
}

const immortalNamespaces: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

/** DELETE of one object. Throws 404, and 409 when a precondition does not hold. */
export function deleteObject(context: RestContext, target: RestTarget, options: DeleteOptions): DeleteResult {
  const { definition, namespace, name, user } = target;
  const current = context.store.collection(definition.storage).get(namespace, name);
  if (current === undefined) throw notFound(definition, name);
  checkPreconditions(definition, current, options);
  if (definition.storage === "namespaces" && immortalNamespaces.has(name)) {
    throw forbidden(definition, name, "this namespace may not be deleted");
  }
  const warnings = context.admit({
    operation: "DELETE",
    definition,
    subresource: "",
    namespace,
    name,
    user,
    dryRun: options.dryRun,
    object: undefined,
    oldObject: current.object,
  });
  return { ...markOrRemove(context, definition, { current, options }), warnings };
}

function checkPreconditions(definition: ResourceDefinition, current: StoredObject, options: DeleteOptions): void {
  const byKind = { ...definition, plural: definition.kind };
  const { uid, resourceVersion } = options;
  if (uid !== undefined && uid !== current.uid) {
    throw conflict(
      byKind,
      current.name,
      `the UID in the precondition (${uid}) does not match the UID in record (${current.uid}). The object might have ` +
        "been deleted and then recreated",
    );
  }
  if (resourceVersion === undefined || resourceVersion === String(current.revision)) return;
  throw conflict(
    byKind,
    current.name,
    `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record ` +
      `(${current.revision}). The object might have been modified`,
  );
}

function markOrRemove(
  context: RestContext,
  definition: ResourceDefinition,
  { current, options }: { readonly current: StoredObject; readonly options: DeleteOptions },
): Omit<DeleteResult, "warnings"> {
  const old = current.object;
  const finalizers = finalizersFor(old.metadata, options);
  const gracePeriod = definition.strategy.gracePeriod?.(old, options.gracePeriodSeconds) ?? 0;
  const held = definition.strategy.isHeld?.(old) === true;
  if (finalizers.length === 0 && gracePeriod === 0 && !held) {
    const removed = options.dryRun ? current : context.store.remove(definition.storage, old, current);
    if (definition.strategy.gracePeriod === undefined) return { removed: true, object: removed };
    // Kinds with a grace period are answered as marked, also when nothing is left to wait for.
    const marked = mark(context, definition, { old, finalizers, gracePeriod });
    return { removed: true, object: new StoredObject(marked, removed.revision) };
  }
  const object = mark(context, definition, { old, finalizers, gracePeriod });
  if (object === old || options.dryRun) return { removed: false, object: new StoredObject(object, current.revision) };
  return { removed: false, object: context.store.put(definition.storage, object, current) };
}

/** Models registry/generic/registry/store.go deletionFinalizersForGarbageCollection. */
function finalizersFor(metadata: ObjectMeta, { propagationPolicy }: DeleteOptions): readonly string[] {
  const given = metadata.finalizers ?? [];
  if (propagationPolicy === undefined) return given;
  const others = given.filter((finalizer) => finalizer !== "orphan" && finalizer !== "foregroundDeletion");
  if (propagationPolicy === "Orphan") return [...others, "orphan"];
  if (propagationPolicy === "Foreground") return [...others, "foregroundDeletion"];
  return others;
}

interface Marking {
  readonly old: UnstructuredObject;
  readonly finalizers: readonly string[];
  readonly gracePeriod: number;
}

/** Sets the deletion timestamp, or shortens a running grace period; answers `old` when there is nothing to change. */
function mark(context: RestContext, definition: ResourceDefinition, marking: Marking): UnstructuredObject {
  const { old, finalizers, gracePeriod } = marking;
  const { metadata } = old;
  const sameFinalizers = finalizers.join() === (metadata.finalizers ?? []).join();
  const marked = metadata.deletionTimestamp !== undefined;
  if (marked && sameFinalizers && gracePeriod >= (metadata.deletionGracePeriodSeconds ?? 0)) return old;
  const { finalizers: _finalizers, ...rest } = metadata;
  // Namespaces and CRDs have their own way to go and get neither a grace period nor a new generation.
  const ownWay = definition.strategy.isHeld !== undefined;
  const next: UnstructuredObject = {
    ...old,
    metadata: {
      ...rest,
      ...(finalizers.length === 0 ? {} : { finalizers: [...finalizers] }),
      ...(marked || ownWay || metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
      deletionTimestamp: metadata.deletionTimestamp ?? formatTime(context.now() + gracePeriod * 1000),
      ...(ownWay
        ? {}
        : { deletionGracePeriodSeconds: Math.min(gracePeriod, metadata.deletionGracePeriodSeconds ?? gracePeriod) }),
    },
  };
  return marked ? next : (definition.strategy.prepareForDelete?.(next) ?? next);
}
