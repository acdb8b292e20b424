import { fieldAt, listAt } from "../../../src/objects/json.ts";

export const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

export const isEstablished = (body: unknown): boolean =>
  listAt(body, "status", "conditions").some(
    (condition) => fieldAt(condition, "type") === "Established" && fieldAt(condition, "status") === "True",
  );

export const isGone = (body: unknown): boolean => fieldAt(body, "code") === 404;
