import type { Mark } from "./cursor.ts";

export type TokenKind =
  | "stream-end"
  | "version-directive"
  | "tag-directive"
  | "document-start"
  | "document-end"
  | "block-sequence-start"
  | "block-mapping-start"
  | "block-end"
  | "flow-sequence-start"
  | "flow-sequence-end"
  | "flow-mapping-start"
  | "flow-mapping-end"
  | "block-entry"
  | "flow-entry"
  | "key"
  | "value"
  | "alias"
  | "anchor"
  | "tag"
  | "scalar";

/** How a scalar is written. */
export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

/** What a token says besides its kind. */
export interface TokenContent {
  /** The value of a scalar, the name of an anchor or alias, the suffix of a tag, the prefix of %TAG, the version. */
  readonly text: string;
  /** The handle of a tag or of %TAG. */
  readonly handle: string;
  readonly style: ScalarStyle;
}

export interface Token extends Mark, TokenContent {
  readonly kind: TokenKind;
  /** Offset after the token, and line and column of it. */
  readonly end: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export const noContent: TokenContent = { text: "", handle: "", style: "plain" };
