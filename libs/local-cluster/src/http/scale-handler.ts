import { applyJsonPatch, applyMergePatch } from "@landscaper/patch";
import type { UnstructuredObject } from "@landscaper/api";
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
  const options = parseWriteOptions(request.query, request.method === "PUT" ? "UpdateOptions" : "PatchOptions");
  const result = replaceObject(context, { ...target, subresource: "" }, { current, object, options });
  return jsonAnswer(scaleOf(result.object));
}

function scaleOf({ object }: StoredObject): UnstructuredObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = numberAt(object, "spec", "replicas") ?? 0;
  const metadata = JSON.parse(
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
