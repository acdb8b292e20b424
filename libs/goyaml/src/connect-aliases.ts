import { isAlias, isCollection, isPair, isScalar, type Alias, type Node } from "yaml";

/** Each alias of a document with the node that had its anchor last before it. Aliases without an anchor are absent. */
export function connectAliases(contents: unknown): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const connected = new Map<Alias, Node>();
  // A stack instead of recursion: documents may be nested as deeply as they like here.
  const waiting: unknown[] = [contents];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) connected.set(node, target);
    } else if (isPair(node)) waiting.push(node.value, node.key);
    else if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
      if (isCollection(node)) for (const item of node.items.toReversed()) waiting.push(item);
    }
  }
  return connected;
}
