import type { UnstructuredObject } from "@landscaper/api";
import { jsonTypeName } from "../builtin-types/go-scalars.ts";
import { isRecord, stringAt } from "../objects/json.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import type { StatusError } from "../status/status-error.ts";
import { invalidField } from "../status/field-error.ts";
import { badRequest, invalid } from "../status/status-error.ts";
import type { WriteOptions } from "./rest-context.ts";
import { typeMetaProblem } from "./type-meta.ts";

export interface DecodedBody {
  /** In the storage version, defaults applied. */
  readonly object: UnstructuredObject;
  readonly warnings: readonly string[];
}

export type DecodeOptions = Pick<WriteOptions, "fieldValidation"> & {
  /** Leaves nulls where they may not be to the validation. */
  readonly keepsNulls?: boolean;
};

/** Turns a parsed request body into an object of `definition`. Throws a 400 StatusError. */
export function decodeBody(definition: ResourceDefinition, body: unknown, options: DecodeOptions): DecodedBody {
  if (!isRecord(body)) throw notAnObject(definition, body);
  const apiVersion = groupVersionOf(definition);
  checkTypeMeta(definition, body);
  const metadata = body["metadata"] ?? {};
  if (!isRecord(metadata)) {
    throw badRequest(
      `${definition.kind} in version "${definition.version}" cannot be handled as a ${definition.kind}: json: cannot ` +
        `unmarshal ${jsonTypeName(metadata)} into Go struct field ${definition.kind}.metadata of type v1.ObjectMeta`,
    );
  }
  const { managedFields, ...rest } = metadata;
  // Read by those who track the fields; decoding would be work for nothing, and drop an empty list, which says that nobody owns anything.
  const isList = Array.isArray(managedFields) && managedFields.every(isRecord);
  const given: UnstructuredObject = { ...body, apiVersion, kind: definition.kind, metadata: isList ? rest : metadata };
  const decoded = definition.strategy.decode?.(given) ?? { object: given, strictErrors: [] };
  const warnings = reportStrictErrors(definition, decoded.strictErrors, options);
  const kept: UnstructuredObject = isList
    ? { ...decoded.object, metadata: { ...decoded.object.metadata, managedFields } }
    : decoded.object;
  const stored = definition.convert?.toStorage(kept) ?? kept;
  return { object: definition.strategy.applyDefaults?.(stored, options.keepsNulls) ?? stored, warnings };
}

/**
 * Drops the nulls that an apply left to the validation, as the real server does each time that it reads an object from its storage. Call with
 * an object that has passed the validation.
 */
export function settleApplied({ strategy }: ResourceDefinition, object: UnstructuredObject): UnstructuredObject {
  return strategy.applyDefaults?.(object) ?? object;
}

function notAnObject({ kind }: ResourceDefinition, body: unknown): StatusError {
  const text = JSON.stringify(body);
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${typeMetaProblem(body) ?? ""}` +
      ` (${Buffer.from(text).toString("hex").slice(0, 200)})`,
  );
}

function checkTypeMeta(definition: ResourceDefinition, body: Readonly<Record<string, unknown>>): void {
  const { kind, version } = definition;
  const apiVersion = groupVersionOf(definition);
  const bodyKind = stringAt(body, "kind") || (definition.custom ? "" : kind);
  const bodyVersion = stringAt(body, "apiVersion") || (definition.custom ? "" : apiVersion);
  if (bodyKind === kind && bodyVersion === apiVersion) return;
  if (definition.custom) throw customTypeError(definition, body, { bodyKind, bodyVersion });
  const refused = `${bodyKind} in version ${JSON.stringify(bodyVersion.split("/").at(-1))} cannot be handled as a ${kind}`;
  throw badRequest(
    bodyVersion === apiVersion
      ? `${refused}: converting (${version}.${bodyKind}) to (${internalPackage(definition)}.${kind}): unknown conversion`
      : `${refused}: no kind ${JSON.stringify(bodyKind)} is registered for version ${JSON.stringify(bodyVersion)} in scheme "pkg/runtime/scheme.go:110"`,
  );
}

function customTypeError(
  definition: ResourceDefinition,
  body: Readonly<Record<string, unknown>>,
  { bodyKind, bodyVersion }: { readonly bodyKind: string; readonly bodyVersion: string },
): StatusError {
  const { kind, group } = definition;
  const expected = groupVersionOf(definition);
  if (bodyKind === "") {
    const text = JSON.stringify(body);
    const start = text.length > 30 ? `${text.slice(0, 30)} ...` : text;
    return badRequest(
      `the object provided is unrecognized (must be of type ${kind}): Object 'Kind' is missing in '${text}' (${start})`,
    );
  }
  if (bodyVersion !== expected) {
    return badRequest(
      `the API version in the data (${bodyVersion}) does not match the expected API version (${expected})`,
    );
  }
  const name = stringAt(body, "metadata", "name");
  return invalid({ group, kind: bodyKind, plural: "" }, name, [invalidField("kind", bodyKind, `must be ${kind}`)]);
}

/** "core", "apps", "rbac" ...: the Go package of the internal types, which some messages name. */
function internalPackage({ group }: ResourceDefinition): string {
  return group === "" ? "core" : (group.split(".")[0] ?? group);
}

function reportStrictErrors(
  definition: ResourceDefinition,
  problems: readonly string[],
  options: DecodeOptions,
): readonly string[] {
  if (problems.length === 0 || options.fieldValidation === "Ignore") return [];
  if (options.fieldValidation === "Warn") return problems;
  const { kind, version } = definition;
  throw badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${problems.join(", ")}`,
  );
}
