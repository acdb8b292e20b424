import type { UnstructuredObject } from "@landscaper/api";
import type { BoundObject, ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { apiAudience } from "../auth/service-account-tokens.ts";
import { fieldAt, isRecord, listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import type { RestContext, RestTarget } from "../rest/rest-context.ts";
import { formatTime } from "../rest/rest-context.ts";
import { invalidField } from "../status/field-error.ts";
import { badRequest, conflict, invalid, methodNotAllowed, notFound } from "../status/status-error.ts";
import { jsonAnswer } from "./answer.ts";
import { parseBody } from "./api-request.ts";
import type { SubresourceHandler } from "./resource-handler.ts";

const tokenRequest = { group: "authentication.k8s.io", plural: "tokenrequests", kind: "TokenRequest" };
const defaultSeconds = 3600;
const leastSeconds = 600;

/** POST serviceaccounts/<name>/token */
export function createTokenRequestHandler(context: RestContext, tokens: ServiceAccountTokens): SubresourceHandler {
  return (request, target) => {
    if (request.method !== "POST") throw methodNotAllowed();
    const { namespace, name, definition } = target;
    const serviceAccount = context.store.collection("serviceaccounts").get(namespace, name);
    if (serviceAccount === undefined) throw notFound(definition, name);
    const body = parseBody(request, tokenRequest.kind);
    if (!isRecord(body)) throw badRequest("the object provided is unrecognized (must be of type TokenRequest)");
    const spec = recordAt(body, "spec");
    const expirationSeconds = numberAt(spec, "expirationSeconds") ?? defaultSeconds;
    if (expirationSeconds < leastSeconds) {
      const text = "may not specify a duration less than 10 minutes";
      throw invalid(tokenRequest, "", [invalidField("spec.expirationSeconds", expirationSeconds, text)]);
    }
    const given = listAt(spec, "audiences").filter((audience) => typeof audience === "string");
    const audiences = given.length === 0 ? [apiAudience] : given;
    const boundObjectRef = fieldAt(spec, "boundObjectRef") ?? null;
    const boundTo = findBound(context, target, boundObjectRef);
    context.admit({
      operation: "CREATE",
      // What policies match is the subresource; its objects are of a group of their own.
      definition: { ...definition, kind: tokenRequest.kind },
      subresource: "token",
      namespace,
      name,
      user: target.user,
      dryRun: request.query.get("dryRun") === "All",
      object: {
        apiVersion: "authentication.k8s.io/v1",
        kind: tokenRequest.kind,
        metadata: { name, namespace },
        spec: { audiences, expirationSeconds, boundObjectRef },
      },
      oldObject: undefined,
    });
    const token = tokens.issue({ serviceAccount, audiences, expirationSeconds, boundTo });
    const now = context.now();
    const answer: UnstructuredObject = {
      apiVersion: "authentication.k8s.io/v1",
      kind: tokenRequest.kind,
      metadata: { name, namespace, uid: serviceAccount.uid, creationTimestamp: formatTime(now) },
      spec: { audiences, expirationSeconds, boundObjectRef },
      status: { token, expirationTimestamp: formatTime(now + expirationSeconds * 1000) },
    };
    return jsonAnswer(answer, 201);
  };
}

function findBound(context: RestContext, target: RestTarget, reference: unknown): BoundObject | undefined {
  if (!isRecord(reference)) return undefined;
  const kind = stringAt(reference, "kind");
  if (kind !== "Pod" && kind !== "Secret") {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(target.name)} to kind ${JSON.stringify(kind)}`,
    );
  }
  const resource = { group: "", kind, plural: kind === "Pod" ? "pods" : "secrets" };
  const name = stringAt(reference, "name");
  const found = context.store.collection(resource.plural).get(target.namespace, name);
  if (found === undefined) throw notFound(resource, name);
  const uid = stringAt(reference, "uid");
  if (uid !== "" && uid !== found.uid) {
    throw conflict(
      resource,
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted ` +
        "and then recreated",
    );
  }
  return { kind, name, uid: found.uid };
}
