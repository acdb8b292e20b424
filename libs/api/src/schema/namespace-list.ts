import { Type } from "typebox";
import type { ValidationRule } from "../objects/foreign-kinds.ts";

const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

/** The entry that means all namespaces. It must be the only one of its list. */
export const everyNamespace = "*";

const aloneRule: ValidationRule = {
  rule: `size(self) == 1 || !('${everyNamespace}' in self)`,
  message: `"${everyNamespace}" means all namespaces and must be the only entry of the list`,
};

function uniqueNames(pattern: string, options: { readonly description: string }) {
  const name = Type.String({ pattern, maxLength: 63 });
  // A CRD cannot have uniqueItems: there the type of the list says the same.
  const isSet = { uniqueItems: true, "x-kubernetes-list-type": "set" };
  return Type.Array(name, { ...options, minItems: 1, maxItems: 1000, ...isSet });
}

/** Names of namespaces, each once, at least one: an empty list could mean all or none. */
export function namespaceList(description: string) {
  return uniqueNames(`^${dnsLabel}$`, { description });
}

/** A list like `namespaceList`, or `["*"]` for all namespaces. Only the API server evaluates the rule, so other readers must check it themselves. */
export function namespaceListOrAll(description: string) {
  const rules = { "x-kubernetes-validations": [aloneRule] };
  return uniqueNames(`^([*]|${dnsLabel})$`, { description, ...rules });
}
