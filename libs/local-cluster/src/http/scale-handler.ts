import { parseJson } from "@landscaper/json";
import type { ManagedFieldsEntry } from "@landscaper/patch";
import { applyJsonPatch, applyMergePatch, hasPath } from "@landscaper/patch";
import type { UnstructuredObject } from "@landscaper/api";
import { trackWrite } from "../managed-fields/track-write.ts";
import { fieldAt, isRecord, numberAt, recordAt, stringAt } from "../objects/json.ts";
import type { RestContext, RestTarget } from "../rest/rest-context.ts";
import { replaceObject } from "../rest/update-object.ts";
import { badRequest, methodNotAllowed, notFound } from "../status/status-error.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { formatSelector } from "../table/service-columns.ts";
import type { Answer } from "./answer.ts";
import { jsonAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { parseBody } from "./api-request.ts";
import { parseWriteOptions } from "./parse-options.ts";
import type { SubresourceHandler } from "./resource-handler.ts";

/** GET, PUT and PATCH of <workload>/scale. */
export function createScaleHandler(context: RestContext): SubresourceHandler {
  return (request, target) => {
    const { definition, namespace, name } = target;
    const current = context.store.collection(definition.storage).get(namespace, name);
    if (current === undefined) throw notFound(definition, name);
    const scale = scaleOf(current);
    switch (request.method) {
      case "GET":
        return jsonAnswer(scale);
      case "PUT":
        return write(context, { request, target, current, scale: parseBody(request, "Scale") });
      case "PATCH": {
        const patch = parseBody(request, "Scale");
        const patched = Array.isArray(patch) ? applyJsonPatch(scale, patch) : applyMergePatch(scale, patch);
        return write(context, { request, target, current, scale: patched });
      }
      default:
        throw methodNotAllowed();
    }
  };
}

interface ScaleWrite {
  readonly request: ApiRequest;
  readonly target: RestTarget;
  readonly current: StoredObject;
  readonly scale: unknown;
}

function write(context: RestContext, { request, target, current, scale }: ScaleWrite): Answer {
  if (!isRecord(scale)) throw badRequest("the object provided is unrecognized (must be of type Scale)");
  const replicas = numberAt(scale, "spec", "replicas") ?? 0;
  const resourceVersion = stringAt(scale, "metadata", "resourceVersion") || String(current.revision);
  const object: UnstructuredObject = {
    ...current.object,
    metadata: { ...current.object.metadata, resourceVersion },
    spec: { ...recordAt(current.object, "spec"), replicas },
  };
  const options = parseWriteOptions(request, request.method === "PUT" ? "UpdateOptions" : "PatchOptions");
  const managedFields = scaledFields(context, { target, manager: options.manager }, { current, object });
  const result = replaceObject(context, { ...target, subresource: "" }, { current, object, options, managedFields });
  return jsonAnswer(scaleOf(result.object));
}

/** A scale is tracked only where somebody owns the replicas already. */
function scaledFields(
  context: RestContext,
  { target, manager }: { readonly target: RestTarget; readonly manager: string },
  change: { readonly current: StoredObject; readonly object: UnstructuredObject },
): readonly ManagedFieldsEntry[] {
  const { managedFields = [] } = change.current.object.metadata;
  const entries = managedFields as readonly ManagedFieldsEntry[]; // stored ones
  if (!entries.some(({ fieldsV1 }) => hasPath(fieldsV1, ["f:spec", "f:replicas"]))) return entries;
  const tracked = trackWrite(context, { definition: target.definition, subresource: "scale", manager }, change);
  return tracked.map((entry) => (entry.subresource === "scale" ? withoutTime(entry) : entry));
}

/** As the real server writes them. */
function withoutTime({ time: _time, ...entry }: ManagedFieldsEntry): ManagedFieldsEntry {
  return entry;
}

function scaleOf({ object }: StoredObject): UnstructuredObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = numberAt(object, "spec", "replicas") ?? 0;
  const metadata = parseJson(
    JSON.stringify({ name, namespace, uid, resourceVersion, creationTimestamp }),
  ) as UnstructuredObject["metadata"]; // drops what is undefined
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata,
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberAt(object, "status", "replicas") ?? 0,
      selector: selectorText(fieldAt(object, "spec", "selector")),
    },
  };
}

/** A ReplicationController's selector is a plain map of labels. */
function selectorText(selector: unknown): string {
  const isSelector = isRecord(selector) && ("matchLabels" in selector || "matchExpressions" in selector);
  return formatSelector(isSelector ? selector : { matchLabels: selector });
}
