import type { YamlNode } from "../nodes/node.ts";

const mergeTags: ReadonlySet<string> = new Set(["!", "tag:yaml.org,2002:merge"]);

/** Whether a key is `<<` without quotes, or with a tag that says that quotes do not matter. */
export function isMergeKey(key: YamlNode): boolean {
  if (key.kind !== "scalar" || key.text !== "<<") return false;
  return key.tag === undefined ? key.style === "plain" : mergeTags.has(key.tag);
}
