import { createHash } from "node:crypto";
import { isRecord } from "../objects/json.ts";

/** Characters of Kubernetes' hashes in names: no vowels, so that no words come out. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** A short name part that is the same for equal values. Kubernetes hashes Go's memory layout, so that its hashes are other ones. */
export function hashOf(value: unknown): string {
  const bytes = createHash("sha256").update(canonicalText(value)).digest();
  return [...bytes.subarray(0, 10)].map((byte) => alphabet[byte % alphabet.length]).join("");
}

/** JSON with the keys of all objects in order. */
function canonicalText(value: unknown): string {
  return JSON.stringify(withSortedKeys(value));
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isRecord(value)) return value;
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, field]) => [key, withSortedKeys(field)]));
}
