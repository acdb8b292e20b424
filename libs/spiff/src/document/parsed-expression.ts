import { parseExpression } from "../syntax/parse-expression.ts";
import { printExpression } from "../syntax/print-expression.ts";
import { SyntaxFailure } from "../syntax/scanner.ts";
import type { Expression } from "../syntax/expression.ts";
import { parseMarkers, type Markers } from "./markers.ts";

/** The text between (( and )), read once for all nodes that have it. */
export interface ParsedExpression {
  readonly text: string;
  /** With its markers; undefined when it could not be parsed. */
  readonly whole: Expression | undefined;
  /** Without its markers; undefined for markers alone, or when it could not be parsed. */
  readonly expression: Expression | undefined;
  readonly markers: Markers | undefined;
  /** `merge` or `prefer` stands in it: stubs do not replace the whole. */
  readonly isMerging: boolean;
  /** A merge with a path, or `merge none`, stands in it. */
  readonly isRedirecting: boolean;
  /** Its value or its evaluation can define tags. */
  readonly definesTags: boolean;
  /** The whole text as the document has it, where expressions stand within text. */
  readonly written?: string;
  /** Why it could not be parsed. */
  readonly problem: string | undefined;
}

/** Parses an expression; mistakes are kept as its problem. */
export function readExpression(text: string): ParsedExpression {
  try {
    const whole = parseExpression(text);
    const isMarked = whole.kind === "marked";
    const markers = isMarked ? parseMarkers(whole.markers) : undefined;
    return {
      text,
      whole,
      expression: isMarked ? whole.inner : whole,
      markers,
      isMerging: whole.kind === "prefer" || (text.includes("merge") && mentions(whole, ["merge"])),
      isRedirecting: text.includes("merge") && redirects(whole),
      definesTags: text.includes("tagdef") || (markers !== undefined && markers.tags.length > 0),
      problem: undefined,
    };
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    const nothing = { whole: undefined, expression: undefined, markers: undefined } as const;
    return { text, ...nothing, isMerging: false, isRedirecting: false, definesTags: false, problem: error.message };
  }
}

/** An expression with its brackets, as messages print it. */
export function printParsed({ whole, text }: ParsedExpression): string {
  return whole === undefined ? `((${text}))` : `(( ${printExpression(whole)} ))`;
}

/** An expression with its brackets, as a document can have it: what prints in another form than it is read stays as written. */
export function documentText(parsed: ParsedExpression): string {
  return mentions(parsed.whole, ["projection", "sync"]) ? `((${parsed.text}))` : printParsed(parsed);
}

/** An expression as it stands in the document. */
export function writtenText({ written, text }: ParsedExpression): string {
  return written ?? `((${text}))`;
}

/** Looks through the parts of an expression, whatever they are called. */
function mentions(part: unknown, kinds: readonly string[]): boolean {
  if (typeof part !== "object" || part === null) return false;
  if (Array.isArray(part)) return part.some((item) => mentions(item, kinds));
  if ("kind" in part && typeof part.kind === "string" && kinds.includes(part.kind)) return true;
  return Object.values(part).some((item) => mentions(item, kinds));
}

function redirects(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return false;
  if ("kind" in part && part.kind === "merge" && "path" in part && Array.isArray(part.path))
    return part.path.length > 0 || ("mode" in part && part.mode === "none");
  return Object.values(part).some(redirects);
}
