import { fieldAt, isJsonObject } from "../json-value.ts";

/** What names an object: never a secret, and needed in messages. */
const identityPaths: readonly (readonly string[])[] = [
  ["apiVersion"],
  ["kind"],
  ["metadata", "name"],
  ["metadata", "namespace"],
];

/** All scalar values of an object that was sent to a target, but those that name it: what a message may not repeat. */
export function secretLeaves(object: unknown): unknown[] {
  const identity = new Set(identityPaths.map((path) => fieldAt(object, ...path)));
  return collectLeaves(object).filter((leaf) => !identity.has(leaf));
}

function collectLeaves(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(collectLeaves);
  if (isJsonObject(value)) return Object.values(value).flatMap(collectLeaves);
  return value === null || value === undefined ? [] : [value];
}
