import { isMergeKey } from "../decode/merge-key.ts";
import { keyName } from "../decode/key-name.ts";
import { resolveScalar } from "../scalars/tagged-scalar.ts";
import type { YamlMapping, YamlNode } from "./node.ts";

/** A key that a mapping has more than once. The last occurrence wins. */
export interface RepeatedKey {
  readonly key: string;
  readonly times: number;
  /** Line of the last occurrence, from 1. */
  readonly line: number;
}

/**
 * Yields the repeated keys of a document in the order of their mappings. Keys count as equal if they are equal in JSON. A key that also comes from a merge key is
 * not repeated. Takes linear time: the content of an alias is read once, where its anchor is. Recurses, so the depth of the document must be bounded.
 */
export function* findRepeatedKeys(node: YamlNode): Generator<RepeatedKey, void> {
  if (node.kind === "sequence") for (const item of node.items) yield* findRepeatedKeys(item);
  if (node.kind !== "mapping") return;
  yield* repeatedKeysOf(node);
  for (const { value } of node.entries) yield* findRepeatedKeys(value);
}

function repeatedKeysOf({ entries }: YamlMapping): readonly RepeatedKey[] {
  const keys = new Map<string, RepeatedKey>();
  for (const { key: node } of entries) {
    const scalar = node.kind === "alias" ? node.target : node;
    if (scalar.kind !== "scalar" || isMergeKey(node)) continue;
    const key = keyName(resolveScalar(scalar));
    if (key !== undefined) keys.set(key, { key, times: (keys.get(key)?.times ?? 0) + 1, line: node.line });
  }
  return [...keys.values()].filter(({ times }) => times > 1);
}
