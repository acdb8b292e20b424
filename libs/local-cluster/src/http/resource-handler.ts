import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { deleteObject } from "../rest/delete-object.ts";
import { createObject } from "../rest/create-object.ts";
import type { ListSnapshots } from "../rest/list-objects.ts";
import { listObjects, selectObjects } from "../rest/list-objects.ts";
import { patchObject } from "../rest/patch-object.ts";
import type { RestContext, RestResult, RestTarget } from "../rest/rest-context.ts";
import { parseSelection } from "../rest/selection.ts";
import { updateObject } from "../rest/update-object.ts";
import { StatusError, methodNotAllowed, notFound, resourceNotServed } from "../status/status-error.ts";
import type { Answer, StreamAnswer } from "./answer.ts";
import { jsonAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { parseBody } from "./api-request.ts";
import type { MediaForm } from "./negotiate.ts";
import { negotiate } from "./negotiate.ts";
import { parseApplyBody } from "./parse-apply-body.ts";
import { parseDeleteOptions, parsePatchOptions, parseWriteOptions } from "./parse-options.ts";
import type { Presentation } from "./present.ts";
import { parseIncludeObject, presentList, presentObject } from "./present.ts";
import type { ResourceRequest } from "./request-info.ts";
import type { Schedule } from "./serve-watch.ts";
import { serveWatch } from "./serve-watch.ts";

/** Serves one subresource that is no view of the object itself, e.g. serviceaccounts/token. */
export type SubresourceHandler = (request: ApiRequest, target: RestTarget) => Answer | StreamAnswer;

export interface ResourceHandling {
  readonly context: RestContext & { readonly snapshots: ListSnapshots };
  readonly schedule: Schedule;
  /** By "storage/subresource". */
  readonly subresources: ReadonlyMap<string, SubresourceHandler>;
  /** Resources that are answered and not stored, by storage. */
  readonly reviews: ReadonlyMap<string, SubresourceHandler>;
}

/** Answers a request to a stored resource. Throws StatusError. */
export function handleResource(
  handling: ResourceHandling,
  request: ApiRequest,
  info: ResourceRequest,
): Answer | StreamAnswer {
  const definition = findDefinition(handling.context, info);
  const { namespace, name, subresource } = info;
  const target: RestTarget = {
    definition,
    namespace: definition.namespaced ? namespace : "",
    name,
    subresource,
    user: request.user,
  };
  return withDeprecation(definition, () =>
    subresource === ""
      ? handleObject(handling, request, { target, verb: info.verb })
      : handleSubresource(handling, request, target),
  );
}

/** Adds the warning of a deprecated version to the answer, even to an error. */
function withDeprecation(
  { deprecation }: ResourceDefinition,
  handle: () => Answer | StreamAnswer,
): Answer | StreamAnswer {
  if (deprecation === undefined) return handle();
  try {
    const answer = handle();
    return { ...answer, warnings: [deprecation, ...(answer.warnings ?? [])] };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new StatusError(error.status, [deprecation, ...error.warnings]);
  }
}

function findDefinition(context: RestContext, info: ResourceRequest): ResourceDefinition {
  const groupVersion = info.group === "" ? info.version : `${info.group}/${info.version}`;
  const definition = context.resources.find(groupVersion, info.resource);
  if (definition === undefined) throw resourceNotServed();
  const isInNamespace = info.namespace !== "" && info.resource !== "namespaces";
  if (!definition.namespaced && isInNamespace) throw resourceNotServed();
  return definition;
}

interface ObjectRequest {
  readonly target: RestTarget;
  readonly verb: string;
}

function handleObject(
  handling: ResourceHandling,
  request: ApiRequest,
  { target, verb }: ObjectRequest,
): Answer | StreamAnswer {
  const { context } = handling;
  const { definition, name } = target;
  if (!(definition.verbs as readonly string[]).includes(verb)) throw methodNotAllowed(); // widened: verb is any string
  if (definition.namespaced && target.namespace === "" && (name !== "" || !["list", "watch"].includes(verb))) {
    throw name === "" ? methodNotAllowed() : resourceNotServed();
  }
  const needsName = verb === "update" || verb === "patch";
  if ((verb === "create" && name !== "") || (needsName && name === "")) throw methodNotAllowed();
  const review = handling.reviews.get(definition.storage);
  if (review !== undefined) return review(request, target);
  const form = negotiate(request.accept);
  switch (verb) {
    case "get":
      return getOne(handling, request, { target, form });
    case "list":
      return {
        code: 200,
        body: presentList(
          presentationOf(request, { target, form, now: context.now() }),
          listObjects(context, target, request.query),
        ),
      };
    case "watch":
      return serveWatch({ context, target, query: request.query, form, schedule: handling.schedule });
    case "create":
      return writeAnswer(handling, request, {
        target,
        form,
        result: createObject(context, target, {
          body: parseBody(request, definition.kind),
          options: parseWriteOptions(request, "CreateOptions"),
        }),
      });
    case "update":
      return writeAnswer(handling, request, {
        target,
        form,
        result: update(context, request, target),
      });
    case "patch":
      return writeAnswer(handling, request, { target, form, result: patch(context, request, target) });
    case "delete":
      return deleteOne(handling, request, { target, form });
    case "deletecollection":
      return deleteCollection(handling, request, { target, form });
    default:
      throw methodNotAllowed();
  }
}

interface Formed {
  readonly target: RestTarget;
  readonly form: MediaForm;
}

function getOne(handling: ResourceHandling, request: ApiRequest, { target, form }: Formed): Answer {
  const { definition, namespace, name } = target;
  const stored = handling.context.store.collection(definition.storage).get(namespace, name);
  if (stored === undefined) throw notFound(definition, name);
  const presentation = presentationOf(request, { target, form, now: handling.context.now() });
  return { code: 200, body: presentObject(presentation, stored) };
}

function patch(context: RestContext, request: ApiRequest, target: RestTarget): RestResult {
  return patchObject(context, target, {
    contentType: request.contentType,
    body: () =>
      request.contentType === "application/apply-patch+yaml"
        ? parseApplyBody(request.body)
        : parseBody(request, target.definition.kind),
    options: parsePatchOptions(request),
  });
}

function update(context: RestContext, request: ApiRequest, target: RestTarget): RestResult {
  return updateObject(context, target, {
    body: parseBody(request, target.definition.kind),
    options: parseWriteOptions(request, "UpdateOptions"),
  });
}

function deleteOne(handling: ResourceHandling, request: ApiRequest, { target, form }: Formed): Answer {
  const { context } = handling;
  const { definition, name } = target;
  const options = parseDeleteOptions(request.query, parseBody(request, "DeleteOptions", true));
  const { removed, object, warnings } = deleteObject(context, target, options);
  if (!removed || definition.returnsDeleted) {
    const presentation = presentationOf(request, { target, form, now: context.now() });
    return { code: 200, body: presentObject(presentation, object), warnings };
  }
  const { group, plural } = definition;
  const details = { name, ...(group === "" ? {} : { group }), kind: plural, uid: object.uid };
  const answer = jsonAnswer({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details });
  return { ...answer, warnings };
}

function deleteCollection(handling: ResourceHandling, request: ApiRequest, { target, form }: Formed): Answer {
  const { context } = handling;
  const options = parseDeleteOptions(request.query, parseBody(request, "DeleteOptions", true));
  const selected = selectObjects(context, target, parseSelection(target.definition, request.query));
  for (const { namespace, name } of selected) deleteObject(context, { ...target, namespace, name }, options);
  const list = { revision: context.store.revision, objects: selected, continueToken: "", remaining: undefined };
  return { code: 200, body: presentList(presentationOf(request, { target, form, now: context.now() }), list) };
}

function handleSubresource(handling: ResourceHandling, request: ApiRequest, target: RestTarget): Answer | StreamAnswer {
  const { context, subresources } = handling;
  const { definition, subresource } = target;
  if (!definition.subresources.some(({ name }) => name === subresource)) {
    throw definition.custom ? notFound(definition, target.name) : resourceNotServed();
  }
  const special = subresources.get(`${definition.storage}/${subresource}`) ?? subresources.get(`*/${subresource}`);
  if (special !== undefined) return special(request, target);
  const form = negotiate(request.accept);
  switch (request.method) {
    case "GET":
      return getOne(handling, request, { target, form });
    case "PUT":
      return writeAnswer(handling, request, { target, form, result: update(context, request, target) });
    case "PATCH":
      return writeAnswer(handling, request, { target, form, result: patch(context, request, target) });
    default:
      throw methodNotAllowed();
  }
}

function writeAnswer(
  handling: ResourceHandling,
  request: ApiRequest,
  { target, form, result }: Formed & { readonly result: RestResult },
): Answer {
  const presentation = presentationOf(request, { target, form, now: handling.context.now() });
  return { code: result.code, body: presentObject(presentation, result.object), warnings: result.warnings };
}

function presentationOf(request: ApiRequest, { target, form, now }: Formed & { readonly now: number }): Presentation {
  return { definition: target.definition, form, includeObject: parseIncludeObject(request.query), now };
}
