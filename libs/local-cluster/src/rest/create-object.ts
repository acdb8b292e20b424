import type { ManagedFieldsEntry } from "@landscaper/patch";
import type { ObjectMeta, UnstructuredObject } from "@landscaper/api";
import { validateMetadata } from "../objects/validate-metadata.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { hasStatusSubresource } from "../resources/resource-definition.ts";
import { StoredObject } from "../storage/stored-object.ts";
import { StatusError, alreadyExists, badRequest, forbidden, invalid } from "../status/status-error.ts";
import { checkNamespace } from "./check-namespace.ts";
import type { DecodedBody } from "./decode-body.ts";
import { decodeBody, settleApplied } from "./decode-body.ts";
import { trackWrite, withManagedFields } from "../managed-fields/track-write.ts";
import type { RestContext, RestResult, RestTarget, WriteOptions } from "./rest-context.ts";
import { formatTime } from "./rest-context.ts";

/** POST. `body` is the parsed request body; the created object is answered with code 201. */
export function createObject(
  context: RestContext,
  target: RestTarget,
  request: { readonly body: unknown; readonly options: WriteOptions },
): RestResult {
  const decoded = decodeBody(target.definition, request.body, request.options);
  return createDecoded(context, target, { decoded, options: request.options });
}

export interface DecodedCreate {
  readonly decoded: DecodedBody;
  readonly options: WriteOptions;
  /** Of an apply; without them the writer owns all that the object says. */
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** The end of POST and of an apply that creates. */
export function createDecoded(
  context: RestContext,
  target: RestTarget,
  { decoded, options, managedFields }: DecodedCreate,
): RestResult {
  const { definition, subresource } = target;
  const named = nameObject(context, target, decoded.object);
  if (definition.createForbidden !== undefined) {
    throw forbidden(definition, named.metadata.name ?? "", definition.createForbidden);
  }
  checkNamespace(context, target, named.metadata.name ?? "");
  const writer = { definition, subresource, manager: options.manager };
  const entries = managedFields ?? trackWrite(context, writer, { current: undefined, object: named });
  const request = {
    operation: "CREATE",
    definition,
    subresource: "",
    namespace: target.namespace,
    name: named.metadata.name ?? "",
    user: target.user,
    dryRun: options.dryRun,
    oldObject: undefined,
  } as const;
  const sent = withManagedFields(named, entries);
  const mutated = context.admitMutating({ ...request, object: sent });
  const placed = mutated.object === sent ? sent : placeObject(target, mutated.object);
  const prepared = prepare(context, definition, placed);
  const object = context.mutate(definition, prepared);
  const name = object.metadata.name ?? "";
  const errors = [
    ...validateMetadata(object.metadata, definition),
    ...(definition.strategy.validate?.(object, undefined) ?? []),
  ];
  if (errors.length > 0) throw invalid(definition, name, errors);
  const { namespace } = target;
  const warnings = [...mutated.warnings, ...context.admit({ ...request, object })];
  if (context.store.collection(definition.storage).get(namespace, name) !== undefined) {
    throw alreadyExists(definition, name);
  }
  const settled = managedFields === undefined ? object : settleApplied(definition, object);
  const stored = options.dryRun
    ? new StoredObject(settled, context.store.revision)
    : context.store.put(definition.storage, settled, undefined);
  const own = definition.strategy.warnings?.(object, undefined) ?? [];
  return { code: 201, object: stored, warnings: [...decoded.warnings, ...own, ...warnings] };
}

/** Puts an object into the namespace of the request. Throws StatusError. */
function placeObject(target: RestTarget, object: UnstructuredObject): UnstructuredObject {
  const { metadata } = object;
  if (target.definition.namespaced) {
    if ((metadata.namespace ?? target.namespace) !== target.namespace && metadata.namespace !== "") {
      throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
    }
  } else if ((metadata.namespace ?? "") !== "") {
    throw badRequest("namespace must be empty for cluster-scoped resources");
  }
  if ((metadata.resourceVersion ?? "") !== "") {
    throw new StatusError({ code: 500, message: "resourceVersion should not be set on objects to be created" });
  }
  const { namespace: _namespace, ...rest } = metadata;
  return { ...object, metadata: target.definition.namespaced ? { ...rest, namespace: target.namespace } : rest };
}

function nameObject(context: RestContext, target: RestTarget, object: UnstructuredObject): UnstructuredObject {
  const placed = placeObject(target, object);
  const { metadata } = placed;
  if ((metadata.name ?? "") !== "" || (metadata.generateName ?? "") === "") return placed;
  // As the real server: the base is cut so that the name fits a label value.
  const name = `${(metadata.generateName ?? "").slice(0, 58)}${context.newNameSuffix()}`;
  return { ...placed, metadata: { ...metadata, name } };
}

/** Sets the fields that belong to the server; status is dropped where it has its own subresource. */
function prepare(context: RestContext, definition: ResourceDefinition, object: UnstructuredObject): UnstructuredObject {
  const { resourceVersion: _r, deletionTimestamp: _d, deletionGracePeriodSeconds: _g, ...given } = object.metadata;
  const metadata: ObjectMeta = {
    ...withoutSelfLink(given),
    uid: context.newUid(),
    ...(definition.generation === "none" ? {} : { generation: 1 }),
    creationTimestamp: formatTime(context.now()),
  };
  const { status: _status, ...withoutStatus } = object;
  const base = hasStatusSubresource(definition) && !definition.createsStatus ? withoutStatus : object;
  const created: UnstructuredObject = {
    ...base,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata,
  };
  return definition.strategy.prepareForCreate?.(created) ?? created;
}

/** The server sets no such link, whatever clients send. */
export function withoutSelfLink(metadata: ObjectMeta & { readonly selfLink?: unknown }): ObjectMeta {
  const { selfLink: _selfLink, ...rest } = metadata;
  return rest;
}
