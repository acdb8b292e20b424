import type { Mark } from "../scan/cursor.ts";
import type { Token } from "../scan/token.ts";
import type { YamlAlias, YamlMapping, YamlNode, YamlScalar, YamlSequence } from "./node.ts";

/** What may stand before a node. */
export interface Properties {
  readonly anchor: string | undefined;
  readonly tag: string | undefined;
  /** Offset after them. */
  readonly end: number;
}

const none = { anchor: undefined, tag: undefined };

// Literals with the same keys in the same order: nodes are many, and engines make such objects and reach into them fast.

/** A scalar that begins with its properties, at `first`. */
export function makeScalar({ offset, line, column }: Mark, token: Token, { anchor, tag }: Properties): YamlScalar {
  const { end, text, style } = token;
  return { kind: "scalar", start: offset, end, line: line + 1, column: column + 1, tag, anchor, text, style };
}

/** A value that is left out, at a place of the text or after its properties. */
export function makeEmptyScalar({ offset, line, column }: Mark, properties?: Properties): YamlScalar {
  const { anchor, tag } = properties ?? none;
  const place = { start: offset, end: properties?.end ?? offset, line: line + 1, column: column + 1 };
  return { kind: "scalar", ...place, tag, anchor, text: "", style: "plain" };
}

/** An empty sequence; its end is set when it is known. */
export function makeSequence(at: Mark, { anchor, tag }: Properties, isFlow: boolean): YamlSequence {
  const { offset, line, column } = at;
  const place = { start: offset, end: offset, line: line + 1, column: column + 1 };
  return { kind: "sequence", ...place, tag, anchor, items: [], isFlow };
}

/** An empty mapping; its end is set when it is known. */
export function makeMapping(at: Mark, { anchor, tag }: Properties, isFlow: boolean): YamlMapping {
  const { offset, line, column } = at;
  const place = { start: offset, end: offset, line: line + 1, column: column + 1 };
  return { kind: "mapping", ...place, tag, anchor, entries: [], isFlow };
}

export function makeAlias({ offset, end, line, column, text }: Token, target: YamlNode): YamlAlias {
  const place = { start: offset, end, line: line + 1, column: column + 1 };
  return { kind: "alias", ...place, tag: undefined, anchor: undefined, name: text, target };
}
