import { evaluateNode, type EvaluationOptions } from "./evaluate-node.ts";
import type { PathNode } from "./path-node.ts";

/** A field that an object does not have, and the names of the fields that the object has. */
export interface MissingField {
  readonly name: string;
  readonly siblings: readonly string[];
}

/** More fields are not compared. */
const maxSiblings = 1000;

/** Returns the first field of a path that its object does not have. Returns undefined for a path that has other steps than fields and indexes before it. */
export function findMissingField(
  nodes: readonly PathNode[],
  value: unknown,
  options: EvaluationOptions,
): MissingField | undefined {
  const [path, ...others] = nodes;
  if (path?.kind !== "list" || others.length > 0) return undefined;
  let current = value;
  for (const node of path.nodes) {
    if (node.kind !== "field" && !(node.kind === "slice" && node.isIndex)) return undefined;
    const found = evaluateNode([current], node, options);
    if (found.length === 0) return node.kind === "field" ? describeMissing(node.name, current) : undefined;
    current = found[0];
  }
  return undefined;
}

function describeMissing(name: string, parent: unknown): MissingField | undefined {
  if (typeof parent !== "object" || parent === null || Array.isArray(parent)) return undefined;
  const siblings: string[] = [];
  for (const key in parent) {
    if (siblings.length === maxSiblings) break;
    if (Object.hasOwn(parent, key)) siblings.push(key);
  }
  return { name, siblings };
}
