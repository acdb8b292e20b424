import type { YamlNode } from "./nodes/node.ts";

/** Whether a key is `<<` without a tag; with the tag `!` it may be quoted. */
export function isMergeKey(key: YamlNode): boolean {
  if (key.kind !== "scalar" || key.text !== "<<") return false;
  return key.tag === undefined ? key.style === "plain" : key.tag === "!";
}
