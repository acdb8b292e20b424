import { EvaluationFailure, evaluateNode } from "./evaluate-node.ts";
import type { EvaluationOptions } from "./evaluate-node.ts";
import type { PathNode } from "./path-node.ts";

/**
 * The results of every node of a template, in order; nodes between `{range}` and `{end}` are evaluated once per value of the range.
 * A range without `{end}` goes to the end of the template, which then goes on behind its last `{end}`, or behind the `{range}`
 * itself: so does kubectl.
 */
export function evaluateTemplate(
  nodes: readonly PathNode[],
  value: unknown,
  options: EvaluationOptions,
): (readonly unknown[])[] {
  const groups: (readonly unknown[])[] = [];
  options.budget.takeEntries("", nodes.length);
  let index = 0;
  while (index < nodes.length) {
    const node = nodes[index];
    const control = node === undefined ? undefined : controlOf(node);
    index += 1;
    if (control?.keyword === "end") {
      throw new EvaluationFailure("not in range, nothing to end");
    }
    if (control?.keyword === "range") {
      const end = endOfRange(nodes, index);
      const body = nodes.slice(index, end ?? nodes.length);
      for (const item of evaluateNode([value], control.path, options)) {
        for (const group of evaluateTemplate(body, item, options)) groups.push(group);
      }
      index = end === undefined ? afterLastEnd(nodes, index) : end + 1;
    } else if (node !== undefined) {
      groups.push(evaluateNode([value], node, options));
    }
  }
  return groups;
}

function afterLastEnd(nodes: readonly PathNode[], start: number): number {
  const last = nodes.findLastIndex((node, index) => index >= start && controlOf(node)?.keyword === "end");
  return last < 0 ? start : last + 1;
}

/** Index of the `{end}` that closes the range whose body starts at `start`; undefined when nothing does. */
function endOfRange(nodes: readonly PathNode[], start: number): number | undefined {
  let depth = 1;
  for (const [offset, node] of nodes.slice(start).entries()) {
    const keyword = controlOf(node)?.keyword;
    depth += keyword === "range" ? 1 : keyword === "end" ? -1 : 0;
    if (depth === 0) {
      return start + offset;
    }
  }
  return undefined;
}

type Control = { readonly keyword: "end" } | { readonly keyword: "range"; readonly path: PathNode };

/** `{end}`, or `{range path}` with the path behind the keyword. */
function controlOf(node: PathNode): Control | undefined {
  if (node.kind !== "list") {
    return undefined;
  }
  const [first, ...rest] = node.nodes;
  if (first?.kind !== "identifier") {
    return undefined;
  }
  if (first.name === "end") {
    return { keyword: "end" };
  }
  return first.name === "range" ? { keyword: "range", path: { kind: "list", nodes: rest } } : undefined;
}
