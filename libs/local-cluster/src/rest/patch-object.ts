import { PatchError, applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from "@landscaper/patch";
import { withoutManagedFields } from "../managed-fields/track-write.ts";
import { fieldAt, isRecord, stringAt } from "../objects/json.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import { invalidField } from "../status/field-error.ts";
import { StatusError, badRequest, invalid, notFound } from "../status/status-error.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { applyObject } from "./apply-object.ts";
import type { DecodedBody } from "./decode-body.ts";
import { decodeBody } from "./decode-body.ts";
import type { RestContext, RestResult, RestTarget, WriteOptions } from "./rest-context.ts";
import { checkUrl, replaceObject } from "./update-object.ts";

export interface PatchRequest {
  readonly contentType: string;
  /** Parses the body; called when the media type is known to be right. */
  body(): unknown;
  readonly options: WriteOptions & {
    /** Of an apply. */
    readonly force: boolean;
  };
}

/** PATCH on an object or on its status: reads, patches and writes in one step, so that it meets no conflict of its own. */
export function patchObject(context: RestContext, target: RestTarget, request: PatchRequest): RestResult {
  const { definition, namespace, name } = target;
  checkMediaType(definition, request.contentType);
  if (request.contentType === applyPatch) return applyObject(context, target, request);
  const current = context.store.collection(definition.storage).get(namespace, name);
  if (current === undefined) throw notFound(definition, name);
  const patched = patchedObject(definition, current, request);
  const decoded = decodePatched(definition, patched, request.options);
  checkUrl(target, decoded.object.metadata);
  const result = replaceObject(context, target, { current, object: decoded.object, options: request.options });
  return { ...result, warnings: [...decoded.warnings, ...result.warnings] };
}

/** The real server quotes the whole patched object when it cannot read it. */
function decodePatched(definition: ResourceDefinition, patched: unknown, options: WriteOptions): DecodedBody {
  try {
    return decodeBody(definition, patched, options);
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.code !== 400 || !isRecord(patched)) throw error;
    const detail = error.message.replace(/^.* cannot be handled as a \w+: /, "");
    throw invalid({ group: "", plural: "", kind: "" }, "", [invalidField("patch", JSON.stringify(patched), detail)]);
  }
}

/** Server-side apply. */
const applyPatch = "application/apply-patch+yaml";
const jsonPatches = ["application/json-patch+json", "application/merge-patch+json"];

function checkMediaType(definition: ResourceDefinition, contentType: string): void {
  if (contentType === applyPatch || jsonPatches.includes(contentType)) return;
  const reason = { code: 415, reason: "UnsupportedMediaType" } as const;
  if (definition.custom) {
    const accepted = [...jsonPatches, applyPatch].join(", ");
    const message = `the body of the request was in an unknown format - accepted media types include: ${accepted}`;
    throw new StatusError({ ...reason, message });
  }
  if (contentType === "application/strategic-merge-patch+json") return;
  throw new StatusError({ ...reason, message: "415: Unsupported Media Type", details: {} });
}

function patchedObject(definition: ResourceDefinition, current: StoredObject, request: PatchRequest): unknown {
  const body = request.body();
  const before = isAboutManagedFields(body) ? current.in(definition) : withoutManagedFields(current.in(definition));
  try {
    switch (request.contentType) {
      case "application/json-patch+json":
        return applyJsonPatch(before, body);
      case "application/merge-patch+json":
        if (!isRecord(body))
          throw badRequest(
            "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
          );
        return applyMergePatch(before, body);
      default: {
        const { kind } = definition;
        return applyStrategicMergePatch(before, body, { apiVersion: groupVersionOf(definition), kind });
      }
    }
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw refusedPatch(error);
  }
}

/** Most patches say nothing of the managed fields, and need not carry them through. */
function isAboutManagedFields(patch: unknown): boolean {
  if (!Array.isArray(patch)) return fieldAt(patch, "metadata", "managedFields") !== undefined;
  return patch.some((operation) =>
    [stringAt(operation, "path"), stringAt(operation, "from")].some(
      (path) => path.startsWith("/metadata/managedFields") || "/metadata/managedFields".startsWith(`${path}/`),
    ),
  );
}

const reasons = {
  400: "BadRequest",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
} as const;

function refusedPatch({ status, statusMessage }: PatchError): StatusError {
  if (status === 400) return badRequest(statusMessage);
  const reason = status === 500 ? {} : { reason: reasons[status] };
  return new StatusError({ code: status, ...reason, message: statusMessage, details: {} });
}
