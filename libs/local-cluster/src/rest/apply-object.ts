import type { AppliedResult } from "@landscaper/patch";
import { ApplyConflict, FieldVersionError, applyAsServer, formatTypeProblems, typeProblems } from "@landscaper/patch";
import { describeKind } from "../managed-fields/crd-field-schema.ts";
import { managedKindOf } from "../managed-fields/managed-kind.ts";
import { writerOf } from "../managed-fields/track-write.ts";
import { fieldAt, isRecord, stringAt } from "../objects/json.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import { invalidField } from "../status/field-error.ts";
import { StatusError, badRequest, invalid, notFound } from "../status/status-error.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { createDecoded } from "./create-object.ts";
import { decodeBody } from "./decode-body.ts";
import type { PatchRequest } from "./patch-object.ts";
import type { RestContext, RestResult, RestTarget, WriteOptions } from "./rest-context.ts";
import { checkUrl, replaceObject } from "./update-object.ts";

/** PATCH with a configuration to apply; what is not there is created, but never through a subresource. */
export function applyObject(context: RestContext, target: RestTarget, request: PatchRequest): RestResult {
  const { definition, namespace, name, subresource } = target;
  const config = checkConfig(definition, request.body());
  const current = context.store.collection(definition.storage).get(namespace, name);
  if (current === undefined && subresource !== "") throw notFound(definition, name);
  const applied = apply(context, target, { current, config, request });
  // What the schema does not know has been refused; what is left is for validation.
  const options: WriteOptions = { ...request.options, fieldValidation: "Ignore" };
  const decoded = decodeBody(definition, applied.object, { ...options, keepsNulls: true });
  checkUrl(target, decoded.object.metadata);
  const { managedFields } = applied;
  if (current !== undefined) {
    return replaceObject(context, target, { current, object: decoded.object, options, managedFields });
  }
  const { resourceVersion: _version, uid = "", ...metadata } = decoded.object.metadata;
  if (uid !== "") throw invalid(definition, name, [invalidField("metadata.uid", uid, "field is immutable")]);
  const object = { ...decoded.object, metadata };
  return createDecoded(context, target, { decoded: { ...decoded, object }, options, managedFields });
}

/** Throws 400 for another kind, and 500 for fields that do not fit the kind. */
function checkConfig(definition: ResourceDefinition, body: unknown): Readonly<Record<string, unknown>> {
  const config = isRecord(body) ? body : {};
  const isOwn =
    stringAt(config, "kind") === definition.kind && stringAt(config, "apiVersion") === groupVersionOf(definition);
  if (!isOwn) throw badRequest(`invalid object type: ${describeKind(config)}`);
  const managedFields = fieldAt(config, "metadata", "managedFields");
  if (managedFields !== undefined && managedFields !== null) throw badRequest("metadata.managedFields must be nil");
  return config;
}

interface ApplyRequest {
  readonly current: StoredObject | undefined;
  readonly config: Readonly<Record<string, unknown>>;
  readonly request: PatchRequest;
}

function apply(context: RestContext, target: RestTarget, { current, config, request }: ApplyRequest): AppliedResult {
  const { definition, subresource } = target;
  const kind = managedKindOf(context.resources, definition, subresource);
  const problems = typeProblems(kind.version.schema, config);
  if (problems.length > 0) throw untyped(config, formatTypeProblems(problems));
  const { manager, force } = request.options;
  try {
    return applyAsServer({
      kind,
      writer: writerOf(context, { definition, subresource, manager }, "Apply"),
      live: current === undefined ? undefined : { ...current.in(definition) },
      config: { ...config },
      force,
    });
  } catch (error) {
    if (error instanceof ApplyConflict) throw conflictOf(error);
    if (error instanceof FieldVersionError) throw new StatusError({ code: 500, message: error.message });
    throw error;
  }
}

function untyped(config: Readonly<Record<string, unknown>>, problems: string): StatusError {
  const place = `${stringAt(config, "metadata", "namespace")}/${stringAt(config, "metadata", "name")}`;
  return new StatusError({
    code: 500,
    message: `failed to create typed patch object (${place}; ${describeKind(config)}): ${problems}`,
  });
}

function conflictOf({ message, causes }: ApplyConflict): StatusError {
  return new StatusError({ code: 409, reason: "Conflict", message, details: { causes } });
}
