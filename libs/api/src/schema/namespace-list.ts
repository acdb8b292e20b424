import { Type } from "typebox";

/** Names of namespaces, each once, at least one: an empty list could mean all or none. */
export function namespaceList(description: string) {
  const name = Type.String({ pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 63 });
  // A CRD cannot have uniqueItems: there the type of the list says the same.
  const isSet = { uniqueItems: true, "x-kubernetes-list-type": "set" };
  return Type.Array(name, { description, minItems: 1, maxItems: 1000, ...isSet });
}
