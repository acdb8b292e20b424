/** Bound or step of a slice; `undefined` when the expression leaves it out. */
export interface SliceNode {
  readonly kind: "slice";
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number | undefined;
  /** The end was derived from a single index: `[-1]` means the last item and not nothing. */
  readonly isIndex: boolean;
}

export interface FilterNode {
  readonly kind: "filter";
  readonly left: ListNode;
  readonly right: ListNode;
  /** "exists" or what the user wrote: unknown operators are an error of the evaluation. */
  readonly operator: string;
}

/** A sequence of steps: each works on the results of the one before. */
export interface ListNode {
  readonly kind: "list";
  readonly nodes: PathNode[];
}

export type PathNode =
  | ListNode
  | SliceNode
  | FilterNode
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "constant"; readonly value: number | bigint | boolean }
  | { readonly kind: "wildcard" }
  | { readonly kind: "recursive" }
  | { readonly kind: "union"; readonly lists: readonly ListNode[] }
  | { readonly kind: "identifier"; readonly name: string };
