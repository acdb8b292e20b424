import type { KubeObject, ObjectKey, ResourceType } from "@landscaper/api";
import { isNotFound, isNotServed } from "./api-error.ts";
import { callFor, sendingOf } from "./call.ts";
import type { DeleteOptions, Patch, PatchOptions, WriteOptions } from "./client-interface.ts";
import { presentFieldValidation } from "./field-validation.ts";
import { isObjectGone } from "./object-lifetime.ts";
import { parseObject } from "./parse-answer.ts";
import type { RequestRunner } from "./request-runner.ts";
import { queryString, resourcePath } from "./resource-path.ts";

export interface WriteContext {
  readonly runner: RequestRunner;
  /** Of writes that name none. */
  readonly fieldManager: string;
}

export interface ObjectWrite<T extends KubeObject> {
  readonly verb: string;
  readonly method: "POST" | "PUT";
  readonly type: ResourceType<T>;
  readonly object: T;
  readonly subresource?: string;
}

/** POST or PUT. */
export async function writeObject<T extends KubeObject>(
  { runner, fieldManager }: WriteContext,
  write: ObjectWrite<T>,
  options: WriteOptions = {},
): Promise<T> {
  const { type, object, subresource, method } = write;
  const { namespace, name } = object.metadata;
  const at = method === "POST" ? { namespace } : { namespace, name, subresource };
  if (type.namespaced && namespace === undefined) throw new TypeError(`${type.kind} ${name}: the namespace is missing`);
  const answer = await runner.run({
    ...callFor(write.verb, type, subresource),
    method,
    path: resourcePath(type, at),
    query: writeQuery(runner, options, fieldManager),
    body: JSON.stringify(subresource === "status" ? statusBody(type, object) : object),
    ...sendingOf(options),
  });
  return parseObject(answer, type);
}

/** Groups of Kubernetes' own kinds have no dot or end so. */
const kubernetesGroup = /^[^.]*$|\.k8s\.io$/;

/**
 * What a write of the status has to say. API servers keep everything else of a custom resource as it is, so that sending it would
 * only cost them time; the status of some built-in kinds brings metadata along.
 */
function statusBody<T extends KubeObject>(type: ResourceType<T>, object: T): unknown {
  if (kubernetesGroup.test(type.group) || !("status" in object)) return object;
  const { apiVersion, kind, metadata, status } = object;
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, status };
}

const patchContentTypes: Readonly<Record<Patch["type"], string>> = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

export interface ObjectPatch<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly key: ObjectKey;
  readonly patch: Patch & PatchOptions;
}

export async function patchObject<T extends KubeObject>(
  { runner, fieldManager }: WriteContext,
  { type, key, patch }: ObjectPatch<T>,
): Promise<T> {
  const answer = await runner.run({
    ...callFor(patch.type === "apply" ? "apply" : "patch", type, patch.subresource),
    method: "PATCH",
    path: resourcePath(type, { ...key, subresource: patch.subresource }),
    query: writeQuery(runner, patch, fieldManager),
    contentType: patchContentTypes[patch.type],
    body: JSON.stringify(patch.body),
    ...sendingOf(patch),
  });
  return parseObject(answer, type);
}

/** Like `Client.delete`. */
export async function deleteObject<T extends KubeObject>(
  runner: RequestRunner,
  { type, key }: { type: ResourceType<T>; key: ObjectKey },
  options: DeleteOptions,
): Promise<T | undefined> {
  const { uid, resourceVersion, propagationPolicy, gracePeriodSeconds } = options;
  const preconditions = uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
  const body = { kind: "DeleteOptions", apiVersion: "v1", preconditions, propagationPolicy, gracePeriodSeconds };
  const call = { ...callFor("delete", type), path: resourcePath(type, key), body: JSON.stringify(body) };
  try {
    const answer = await runner.run({ ...call, method: "DELETE", ...sendingOf(options) });
    if (typeof answer !== "object" || answer === null || !("kind" in answer) || answer.kind !== type.kind)
      return undefined;
    const object = parseObject(answer, type);
    return object.metadata.deletionTimestamp === undefined || isObjectGone(object) ? undefined : object;
  } catch (error) {
    if (isNotFound(error) && !isNotServed(error)) return undefined;
    throw error;
  }
}

function writeQuery({ limits }: RequestRunner, options: PatchOptions, fieldManager: string): string {
  const isForeign = limits !== undefined;
  return queryString({
    fieldManager: options.fieldManager ?? fieldManager,
    fieldValidation: isForeign ? presentFieldValidation() : "Ignore",
    dryRun: options.dryRun === true ? "All" : undefined,
    force: options.force === true ? true : undefined,
  });
}
