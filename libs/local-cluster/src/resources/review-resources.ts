import { defineResource } from "./define-resource.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

const review = { version: "v1", verbs: ["create"] } as const;
const authentication = { ...review, group: "authentication.k8s.io", namespaced: false } as const;
const authorization = { ...review, group: "authorization.k8s.io" } as const;

/** Questions that are answered and not stored. */
export const reviewResources: readonly ResourceDefinition[] = [
  defineResource({ ...authentication, kind: "SelfSubjectReview", plural: "selfsubjectreviews" }),
  defineResource({ ...authentication, kind: "TokenReview", plural: "tokenreviews" }),
  defineResource({
    ...authorization,
    kind: "LocalSubjectAccessReview",
    plural: "localsubjectaccessreviews",
    namespaced: true,
  }),
  defineResource({
    ...authorization,
    kind: "SelfSubjectAccessReview",
    plural: "selfsubjectaccessreviews",
    namespaced: false,
  }),
  defineResource({
    ...authorization,
    kind: "SelfSubjectRulesReview",
    plural: "selfsubjectrulesreviews",
    namespaced: false,
  }),
  defineResource({
    ...authorization,
    kind: "SubjectAccessReview",
    plural: "subjectaccessreviews",
    namespaced: false,
  }),
];
