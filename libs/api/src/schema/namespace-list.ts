import { Type } from "typebox";

/** Names of namespaces, at least one: an empty list could mean all or none. */
export function namespaceList(description: string) {
  const name = Type.String({ pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", maxLength: 63 });
  return Type.Array(name, { description, minItems: 1, maxItems: 1000 });
}
