import type { UnstructuredObject } from "@landscaper/api";
import type { AccessRequest, Authorizer, PolicyRule } from "../auth/authorizer.ts";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { apiAudience } from "../auth/service-account-tokens.ts";
import type { User } from "../auth/user.ts";
import { fieldAt, isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import { decodeBody } from "../rest/decode-body.ts";
import type { RestTarget } from "../rest/rest-context.ts";
import { formatTime, systemWrite } from "../rest/rest-context.ts";
import { invalidField } from "../status/field-error.ts";
import { badRequest, invalid } from "../status/status-error.ts";
import { jsonAnswer } from "./answer.ts";
import { parseBody } from "./api-request.ts";
import type { SubresourceHandler } from "./resource-handler.ts";

export interface ReviewOptions {
  readonly authorizer: Authorizer;
  readonly tokens: ServiceAccountTokens;
  /** Any kind of token, for the audience of the API itself. */
  authenticate(token: string): User | undefined;
  now(): number;
}

/** Answers the review resources, by their storage key. */
export function createReviewHandlers(options: ReviewOptions): ReadonlyMap<string, SubresourceHandler> {
  const review =
    (
      answer: (object: UnstructuredObject, target: RestTarget) => Readonly<Record<string, unknown>>,
    ): SubresourceHandler =>
    (request, target) => {
      const { object } = decodeBody(target.definition, parseBody(request, target.definition.kind), systemWrite);
      return jsonAnswer({ ...object, ...answer(object, target) }, 201);
    };
  const access = (object: UnstructuredObject, target: RestTarget): Readonly<Record<string, unknown>> => {
    const user = subjectOf(object) ?? target.user;
    return { status: { allowed: options.authorizer.isAllowed(user, parseAccess(target, object)) } };
  };
  return new Map([
    [
      "selfsubjectreviews.authentication.k8s.io",
      review((_object, { user }) => ({
        metadata: { creationTimestamp: formatTime(options.now()) },
        status: { userInfo: describeUser(user) },
      })),
    ],
    ["tokenreviews.authentication.k8s.io", review((object) => ({ status: reviewToken(options, object) }))],
    ["selfsubjectaccessreviews.authorization.k8s.io", review(access)],
    ["subjectaccessreviews.authorization.k8s.io", review(access)],
    ["localsubjectaccessreviews.authorization.k8s.io", review(access)],
    [
      "selfsubjectrulesreviews.authorization.k8s.io",
      review((object, { user }) => ({
        spec: {},
        status: describeRules(options.authorizer.rulesFor(user, rulesNamespace(object))),
      })),
    ],
  ]);
}

function rulesNamespace(object: UnstructuredObject): string {
  const namespace = stringAt(object, "spec", "namespace");
  if (namespace === "") throw badRequest("no namespace on request");
  return namespace;
}

function reviewToken(options: ReviewOptions, object: UnstructuredObject): Readonly<Record<string, unknown>> {
  const token = stringAt(object, "spec", "token");
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const wanted = listAt(object, "spec", "audiences").filter((audience) => typeof audience === "string");
  const audiences = wanted.length === 0 ? [apiAudience] : wanted;
  for (const audience of audiences) {
    const user = audience === apiAudience ? options.authenticate(token) : options.tokens.check(token, audience);
    if (user !== undefined) return { authenticated: true, user: describeUser(user), audiences: [audience] };
  }
  return { user: {}, error: "invalid bearer token" };
}

/** Whom a SubjectAccessReview is about; undefined in one about oneself. */
function subjectOf(object: UnstructuredObject): User | undefined {
  const name = stringAt(object, "spec", "user");
  const groups = listAt(object, "spec", "groups").filter((group) => typeof group === "string");
  return name === "" && groups.length === 0 ? undefined : { name, groups };
}

function parseAccess({ definition }: RestTarget, object: UnstructuredObject): AccessRequest {
  const resource = fieldAt(object, "spec", "resourceAttributes");
  const path = fieldAt(object, "spec", "nonResourceAttributes");
  if (isRecord(resource) === isRecord(path)) {
    const text = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    throw invalid({ ...definition, kind: "" }, "", [invalidField("spec.resourceAttributes", resource ?? null, text)]);
  }
  if (!isRecord(resource)) return { type: "path", verb: stringAt(path, "verb"), path: stringAt(path, "path") };
  return {
    type: "resource",
    verb: stringAt(resource, "verb"),
    group: stringAt(resource, "group"),
    resource: stringAt(resource, "resource"),
    subresource: stringAt(resource, "subresource"),
    namespace: stringAt(resource, "namespace"),
    name: stringAt(resource, "name"),
  };
}

function describeUser({ name, uid, groups, extra }: User): Readonly<Record<string, unknown>> {
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    groups,
    ...(extra === undefined ? {} : { extra: recordAt({ extra }, "extra") }),
  };
}

function describeRules(rules: readonly PolicyRule[]): Readonly<Record<string, unknown>> {
  return {
    resourceRules: rules
      .filter((rule) => rule.resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames.length === 0 ? {} : { resourceNames }),
      })),
    nonResourceRules: rules
      .filter((rule) => rule.nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
  };
}
