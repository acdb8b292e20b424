import { stringAt } from "../objects/json.ts";
import { StatusError, forbidden, notFound } from "../status/status-error.ts";
import type { RestContext, RestTarget } from "./rest-context.ts";

const namespaces = { group: "", plural: "namespaces", kind: "Namespace" };

/** Objects are created only in namespaces that exist and are not being deleted. Throws 404 or 403. */
export function checkNamespace(context: RestContext, target: RestTarget, name: string): void {
  const { definition, namespace } = target;
  if (!definition.namespaced) return;
  const found = context.store.collection("namespaces").get("", namespace);
  if (found === undefined) throw notFound(namespaces, namespace);
  if (stringAt(found.object, "status", "phase") !== "Terminating") return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbidden(definition, name, why);
  const message = `namespace ${namespace} is being terminated`;
  const cause = { reason: "NamespaceTerminating", message, field: "metadata.namespace" };
  throw new StatusError({ ...status, details: { ...status.details, causes: [cause] } });
}
