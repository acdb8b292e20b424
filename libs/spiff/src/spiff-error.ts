import { compareStrings } from "@landscaper/goyaml";
import type { Place } from "./document/document-form.ts";
import type { FailureTag, Issue } from "./evaluate/failure.ts";

/** A node without a value. */
export interface UnresolvedNode {
  /** The expression as printed, with its brackets; `<map>` or `<list>` for a container. */
  readonly expression: string;
  readonly document: string;
  readonly path: string;
  readonly stubPath: string;
  readonly tag: FailureTag | "";
  readonly issue: Issue;
  /** Why, in one or more lines; may quote values of the inputs. */
  readonly message: string;
  /** The same with `[...]` in place of values. */
  readonly safeMessage: string;
  /** Where the node stands in the text of its document, from 1; undefined for documents that were given as data. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

interface SpiffErrorDetails {
  readonly safeMessage?: string;
  readonly place?: Place | undefined;
  readonly documentNumber?: number;
}

/**
 * A document that could not be read or evaluated. `message` may quote values of the inputs, as `error()` and failing
 * lambdas do: show `safeMessage` where imports can be secrets.
 */
export class SpiffError extends Error {
  readonly nodes: readonly UnresolvedNode[];
  readonly safeMessage: string;
  /** Where a text is no YAML, or evaluation came to a limit; nodes have places of their own. */
  readonly place: Place | undefined;
  /** Which document of a template with several it is about, from 1; undefined for all other errors. */
  readonly documentNumber: number | undefined;

  constructor(
    message: string,
    nodes: readonly UnresolvedNode[] = [],
    { safeMessage = message, place, documentNumber }: SpiffErrorDetails = {},
  ) {
    super(message);
    this.name = "SpiffError";
    this.nodes = nodes;
    this.safeMessage = safeMessage;
    this.place = place;
    this.documentNumber = documentNumber;
  }
}

/** Runs the evaluation of one of several documents; its error tells which one. */
export function inDocument<T>(documentNumber: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    const { message, nodes, safeMessage, place } = error;
    throw new SpiffError(message, nodes, { safeMessage, place, documentNumber });
  }
}

/** The error of nodes without a value: local mistakes first, then pending ones, then those that depend on others. */
export function unresolvedError(nodes: readonly UnresolvedNode[]): SpiffError {
  const sorted = sortUnresolved(nodes);
  const print = (form: "message" | "safeMessage"): string =>
    ["unresolved nodes:", ...sorted.map((node) => printNode(node, form))].join("\n");
  return new SpiffError(print("message"), sorted, { safeMessage: print("safeMessage") });
}

export function sortUnresolved(nodes: readonly UnresolvedNode[]): UnresolvedNode[] {
  return nodes.toSorted((a, b) => rank(a.tag) - rank(b.tag) || compareStrings(a.path, b.path));
}

function rank(tag: FailureTag | ""): number {
  return ["*", "", "@", "-"].indexOf(tag);
}

function printNode(node: UnresolvedNode, form: "message" | "safeMessage"): string {
  const { expression, document, path, stubPath, tag } = node;
  return `\t${expression}\tin ${document}\t${path}\t(${stubPath})\t${tag}${node[form]}`;
}

/** An issue with those below it, indented. */
export function printIssue(issue: Issue, form: "text" | "safeText"): string {
  return [issue[form], ...printNested(issue.nested, form, { base: "", indent: "\t\t" })].join("\n");
}

interface Indent {
  /** Of the node that the issues are about. */
  readonly base: string;
  readonly indent: string;
}

function printNested(issues: readonly Issue[], form: "text" | "safeText", { base, indent }: Indent): string[] {
  return issues.flatMap((issue) => {
    const inner = `${base}\t\t\t`;
    if (issue.isNode === true) {
      return [`${inner}${issue[form]}`, ...printNested(issue.nested, form, { base: inner, indent: `${inner}\t\t` })];
    }
    return [`${indent}... ${issue[form]}`, ...printNested(issue.nested, form, { base, indent: `${indent}  ` })];
  });
}
