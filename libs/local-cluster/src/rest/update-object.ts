import type { ObjectMeta, UnstructuredObject } from "@landscaper/api";
import type { ManagedFieldsEntry } from "@landscaper/patch";
import { equalJson, isRecord } from "../objects/json.ts";
import { validateMetadata, validateMetadataUpdate } from "../objects/validate-metadata.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf, hasStatusSubresource } from "../resources/resource-definition.ts";
import { trackWrite, withManagedFields, withoutManagedFields } from "../managed-fields/track-write.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField } from "../status/field-error.ts";
import type { StatusError } from "../status/status-error.ts";
import { badRequest, conflict, invalid, notFound } from "../status/status-error.ts";
import { StoredObject } from "../storage/stored-object.ts";
import { createObject, withoutSelfLink } from "./create-object.ts";
import { decodeBody, settleApplied } from "./decode-body.ts";
import type { RestContext, RestResult, RestTarget, WriteOptions } from "./rest-context.ts";

/** PUT on an object or on its status. */
export function updateObject(
  context: RestContext,
  target: RestTarget,
  request: { readonly body: unknown; readonly options: WriteOptions },
): RestResult {
  const { definition, namespace, name } = target;
  const decoded = decodeBody(definition, request.body, request.options);
  const { metadata } = decoded.object;
  checkUrl(target, metadata);
  const current = context.store.collection(definition.storage).get(namespace, name);
  if (current === undefined) {
    if (!definition.createOnUpdate || target.subresource !== "") throw notFound(definition, name);
    return createMissing(context, target, { object: decoded.object, options: request.options });
  }
  const version = metadata.resourceVersion ?? "";
  if (version === "" && !definition.unconditionalUpdate) {
    const error = invalidField("metadata.resourceVersion", 0, "must be specified for an update");
    throw invalid({ ...definition, kind: definition.plural }, name, [error]);
  }
  checkUid(definition, metadata, current);
  const result = replaceObject(context, target, {
    current,
    object: decoded.object,
    options: request.options,
  });
  return { ...result, warnings: [...decoded.warnings, ...result.warnings] };
}

/** A PUT may create objects of some kinds; the revision that it names is of no meaning then, but a uid would have to fit. */
function createMissing(
  context: RestContext,
  target: RestTarget,
  { object, options }: { readonly object: UnstructuredObject; readonly options: WriteOptions },
): RestResult {
  const { definition, namespace, name } = target;
  const { resourceVersion: _version, uid = "", ...metadata } = object.metadata;
  if (uid !== "") throw wrongUid(definition, { namespace, name, asked: uid, found: "" });
  const presented = definition.convert?.fromStorage(object) ?? object;
  const body = { ...presented, apiVersion: groupVersionOf(definition), kind: definition.kind, metadata };
  return createObject(context, target, { body, options });
}

/** Checks that name and namespace of a body match the URL. Throws StatusError 400. */
export function checkUrl(target: RestTarget, metadata: ObjectMeta): void {
  const { name } = target;
  checkSentNamespace(target, metadata);
  if ((metadata.name ?? "") !== "" && metadata.name !== name) {
    throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
  }
  if ((metadata.name ?? "") === "") {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
}

function checkSentNamespace({ definition, namespace }: RestTarget, metadata: ObjectMeta): void {
  if (definition.namespaced && (metadata.namespace ?? "") !== "" && metadata.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

export interface Replacement {
  readonly current: StoredObject;
  /** In the storage version, defaults applied. */
  readonly object: UnstructuredObject;
  readonly options: WriteOptions;
  /** Of an apply; without them the writer owns what it changes. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** The common end of PUT and PATCH: guards, validation, admission, write. An update that changes nothing writes nothing. */
export function replaceObject(context: RestContext, target: RestTarget, replacement: Replacement): RestResult {
  const { definition, namespace, name, subresource } = target;
  const { current, options } = replacement;
  const old = current.object;
  checkPreconditions(definition, replacement.object.metadata, current);
  const writer = { definition, subresource, manager: options.manager };
  const entries = replacement.managedFields ?? trackWrite(context, writer, { current, object: replacement.object });
  const request = {
    operation: "UPDATE",
    definition,
    subresource,
    namespace,
    name,
    user: target.user,
    dryRun: options.dryRun,
    oldObject: old,
  } as const;
  const sent = keepSystemFields(withManagedFields(replacement.object, entries), old, namespace);
  const mutated = context.admitMutating({ ...request, object: sent });
  if (mutated.object !== sent) checkMutated(target, mutated.object.metadata, { current, sent });
  const merged = mutated.object === sent ? sent : keepSystemFields(mutated.object, old, namespace);
  const prepared =
    subresource === "status" ? onlyStatus(definition, merged, old) : withoutStatus(definition, merged, old);
  const shaped =
    subresource === ""
      ? context.mutate(definition, definition.strategy.prepareForUpdate?.(prepared, old) ?? prepared, old)
      : prepared;
  const object = bumpGeneration(definition, shaped, old);
  const errors = validateUpdate(target, object, old);
  if (errors.length > 0) throw invalid(definition, object.metadata.name ?? "", errors);
  const warnings = [...mutated.warnings, ...context.admit({ ...request, object })];
  const own = definition.strategy.warnings?.(object, old) ?? [];
  const settled = replacement.managedFields === undefined ? object : settleApplied(definition, object);
  const stored = writeUpdate(context, definition, { ...replacement, object: settled });
  return { code: 200, object: stored, warnings: [...own, ...warnings] };
}

/** Checks metadata that webhooks changed: namespace, uid and resourceVersion. Throws StatusError. */
function checkMutated(
  target: RestTarget,
  metadata: ObjectMeta,
  { current, sent }: { readonly current: StoredObject; readonly sent: UnstructuredObject },
): void {
  checkSentNamespace(target, metadata);
  if (metadata.resourceVersion !== sent.metadata.resourceVersion)
    checkPreconditions(target.definition, metadata, current);
}

/** Whether a write changes nothing, or nothing but the times at which managers wrote. */
function isSameWrite(object: UnstructuredObject, old: UnstructuredObject): boolean {
  if (!equalJson(withoutManagedFields(object), withoutManagedFields(old))) return false;
  const { managedFields: now } = object.metadata;
  const { managedFields: before } = old.metadata;
  return now === before || equalJson(withoutTimes(now), withoutTimes(before));
}

function withoutTimes(entries: readonly unknown[] | undefined): readonly unknown[] {
  return (entries ?? []).filter(isRecord).map(({ time: _time, ...entry }) => entry);
}

function writeUpdate(context: RestContext, definition: ResourceDefinition, replacement: Replacement): StoredObject {
  const { current, object, options } = replacement;
  const { metadata } = object;
  const finished =
    metadata.deletionTimestamp !== undefined &&
    (metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    (metadata.finalizers ?? []).length === 0 &&
    definition.strategy.isHeld?.(object) !== true;
  if (options.dryRun) return new StoredObject(object, current.revision);
  if (finished) {
    context.store.remove(definition.storage, current.object, current);
    return new StoredObject(object, current.revision);
  }
  if (isSameWrite(object, current.object)) return current;
  return context.store.put(definition.storage, object, current);
}

function checkPreconditions(definition: ResourceDefinition, metadata: ObjectMeta, current: StoredObject): void {
  const { name } = current;
  const version = metadata.resourceVersion ?? "";
  if (version !== "" && version !== "0" && version !== String(current.revision)) throw conflict(definition, name);
}

/** A PUT for another object of that name is a conflict; a patch of the uid is a change of an immutable field. */
function checkUid(definition: ResourceDefinition, { uid = "" }: ObjectMeta, current: StoredObject): void {
  const { name, namespace } = current;
  if (uid === "" || uid === current.uid) return;
  throw wrongUid(definition, { namespace, name, asked: uid, found: current.uid });
}

function wrongUid(
  definition: ResourceDefinition,
  { namespace, name, asked, found }: Readonly<Record<"namespace" | "name" | "asked" | "found", string>>,
): StatusError {
  const group = definition.custom ? `${definition.group}/` : "";
  const place = namespace === "" ? name : `${namespace}/${name}`;
  return conflict(
    definition,
    name,
    `StorageError: invalid object, Code: 4, Key: /registry/${group}${definition.plural}/${place}, ResourceVersion: 0, ` +
      `AdditionalErrorMsg: Precondition failed: UID in precondition: ${asked}, UID in object meta: ${found}`,
  );
}

/** What only the server sets is taken from the old object. */
function keepSystemFields(object: UnstructuredObject, old: UnstructuredObject, namespace: string): UnstructuredObject {
  const before = old.metadata;
  const { generation: _generation, ...metadata } = withoutSelfLink(object.metadata);
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(namespace === "" ? {} : { namespace }),
      ...(before.creationTimestamp === undefined ? {} : { creationTimestamp: before.creationTimestamp }),
      uid: metadata.uid === undefined || metadata.uid === "" ? (before.uid ?? "") : metadata.uid,
      ...(before.resourceVersion === undefined ? {} : { resourceVersion: before.resourceVersion }),
      ...(before.generation === undefined ? {} : { generation: before.generation }),
      ...(before.deletionTimestamp === undefined ? {} : { deletionTimestamp: before.deletionTimestamp }),
      ...(before.deletionGracePeriodSeconds === undefined
        ? {}
        : { deletionGracePeriodSeconds: before.deletionGracePeriodSeconds }),
    },
  };
}

/** A write to the status subresource changes no spec; of built-in kinds it changes the metadata, too. */
function onlyStatus(
  definition: ResourceDefinition,
  object: UnstructuredObject,
  old: UnstructuredObject,
): UnstructuredObject {
  const { status: _status, ...rest } = old;
  const metadata = definition.custom ? withFieldsOf(old.metadata, object.metadata) : object.metadata;
  const next: UnstructuredObject = { ...rest, apiVersion: old.apiVersion, kind: old.kind, metadata };
  return object["status"] === undefined ? next : { ...next, status: object["status"] };
}

/** Old metadata with the managed fields of this write. */
function withFieldsOf(old: ObjectMeta, { managedFields }: ObjectMeta): ObjectMeta {
  const { managedFields: _managedFields, ...metadata } = old;
  return managedFields === undefined ? metadata : { ...metadata, managedFields };
}

/** A write to the object itself leaves the status alone where that has its own subresource. */
function withoutStatus(
  definition: ResourceDefinition,
  object: UnstructuredObject,
  old: UnstructuredObject,
): UnstructuredObject {
  if (!hasStatusSubresource(definition)) return object;
  const { status: _status, ...rest } = object;
  const next: UnstructuredObject = {
    ...rest,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: object.metadata,
  };
  return old["status"] === undefined ? next : { ...next, status: old["status"] };
}

function bumpGeneration(
  definition: ResourceDefinition,
  object: UnstructuredObject,
  old: UnstructuredObject,
): UnstructuredObject {
  if (!isNewGeneration(definition, object, old)) return object;
  const generation = (old.metadata.generation ?? 0) + 1;
  return { ...object, metadata: { ...object.metadata, generation } };
}

function isNewGeneration(definition: ResourceDefinition, object: UnstructuredObject, old: UnstructuredObject): boolean {
  switch (definition.generation) {
    case "none":
      return false;
    case "spec":
      return !equalJson(object["spec"], old["spec"]);
    case "all-but-status":
      return !equalJson(content(definition, object), content(definition, old));
  }
}

/** All that is neither metadata nor, where that has its own subresource, status. */
function content(definition: ResourceDefinition, object: UnstructuredObject): Readonly<Record<string, unknown>> {
  const { metadata: _metadata, apiVersion: _apiVersion, status, ...rest } = object;
  return hasStatusSubresource(definition) ? rest : { ...rest, status };
}

function validateUpdate(
  target: RestTarget,
  object: UnstructuredObject,
  old: UnstructuredObject,
): readonly FieldError[] {
  const { definition, subresource } = target;
  const { strategy } = definition;
  if (subresource === "status") return strategy.validateStatus?.(object, old) ?? [];
  return [
    ...validateMetadata(object.metadata, definition),
    ...validateMetadataUpdate(object.metadata, old.metadata),
    ...(strategy.validate?.(object, old) ?? []),
  ];
}
