import type { Value } from "../value/value.ts";

/** Where a node stands in the text of its document, from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Deeper nesting is an error: whatever goes through documents recurses. */
export const maxDocumentDepth = 1000;

/** How documents of one kind are taken apart: YAML nodes, or plain data. */
export interface DocumentForm<T> {
  read(node: T): Shape<T>;
  /** Undefined for data that has no text. */
  placeOf(node: T): Place | undefined;
  /** Ends the reading of a document that nests too deep. */
  failDeep(node: T): never;
}

export type Shape<T> =
  | { readonly kind: "scalar"; readonly value: Exclude<Value, object> | null }
  | { readonly kind: "list"; readonly items: readonly T[] }
  | { readonly kind: "map"; readonly entries: readonly Entry<T>[] };

export interface Entry<T> {
  readonly key: string;
  readonly value: T;
}
