import { compareStrings } from "@landscaper/goyaml";
import type { FailureTag, Issue } from "./evaluate/failure.ts";

/** A node without a value (spiff.md §7). */
export interface UnresolvedNode {
  /** The expression as printed, with its brackets; `<map>` or `<list>` for a container. */
  readonly expression: string;
  readonly document: string;
  readonly path: string;
  readonly stubPath: string;
  readonly tag: FailureTag | "";
  readonly issue: Issue;
}

/**
 * A document that could not be read or evaluated. Messages may quote values, as `error()` and failing lambdas do: redact
 * the values of imports before showing them.
 */
export class SpiffError extends Error {
  readonly nodes: readonly UnresolvedNode[];

  constructor(message: string, nodes: readonly UnresolvedNode[] = []) {
    super(message);
    this.name = "SpiffError";
    this.nodes = nodes;
  }
}

/** The error of nodes without a value: local mistakes first, then pending ones, then those that depend on others. */
export function unresolvedError(nodes: readonly UnresolvedNode[]): SpiffError {
  const sorted = nodes.toSorted((a, b) => rank(a.tag) - rank(b.tag) || compareStrings(a.path, b.path));
  return new SpiffError(["unresolved nodes:", ...sorted.map(printNode)].join("\n"), sorted);
}

function rank(tag: FailureTag | ""): number {
  return ["*", "", "@", "-"].indexOf(tag);
}

function printNode({ expression, document, path, stubPath, tag, issue }: UnresolvedNode): string {
  const line = `\t${expression}\tin ${document}\t${path}\t(${stubPath})\t${tag}${issue.text}`;
  return [line, ...printNested(issue.nested, "\t\t")].join("\n");
}

function printNested(issues: readonly Issue[], indent: string): string[] {
  return issues.flatMap((issue) => [`${indent}... ${issue.text}`, ...printNested(issue.nested, `${indent}  `)]);
}
