import type { Expression } from "../syntax/expression.ts";
import type { ListValue, MapValue, Value } from "../value/value.ts";
import type { Markers } from "./markers.ts";

/** A parsed document: what cells are made of. Immutable, and shared by all instances of a template. */
export type Source = ScalarSource | ExpressionSource | MapSource | ListSource | ControlSource;

export interface ScalarSource {
  readonly kind: "scalar";
  /** Data of a text; any value where a document is made of values. */
  readonly value: Value;
  readonly markers: Markers | undefined;
}

export interface ExpressionSource {
  readonly kind: "expression";
  /** Text between the brackets. */
  readonly text: string;
  /** The expression without its markers; undefined for markers alone, or when it could not be parsed. */
  readonly expression: Expression | undefined;
  /** `merge` or `prefer` stands in it: stubs do not replace the whole. */
  readonly isMerging: boolean;
  /** The whole, as messages print it. */
  readonly printed: string;
  readonly markers: Markers | undefined;
  /** Why it could not be parsed. */
  readonly problem: string | undefined;
}

export interface MapSource {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, Source>;
  /** Value of `<<` or `<<<`, where it is more than markers. */
  readonly insert: Source | undefined;
  /** The key as written. */
  readonly insertKey: string;
  readonly markers: Markers | undefined;
  /** A mistake that makes the whole map unusable. */
  readonly problem: string | undefined;
  /** The value of a map without expressions below. */
  readonly constant: MapValue | undefined;
}

export type ControlName = "if" | "switch" | "type" | "for" | "merge";

/** A map with control fields (spiff.md §3.10): it stands for the value that its control gives. */
export interface ControlSource {
  readonly kind: "control";
  readonly control: ControlName;
  /** Fields that begin with "<<", without that. */
  readonly options: ReadonlyMap<string, Source>;
  /** All other fields. */
  readonly entries: ReadonlyMap<string, Source>;
  readonly markers: Markers | undefined;
  readonly problem: string | undefined;
}

export interface ListSource {
  readonly kind: "list";
  readonly items: readonly ListItem[];
  readonly keyField: string | undefined;
  readonly markers: Markers | undefined;
  readonly constant: ListValue | undefined;
}

export interface ListItem {
  readonly source: Source;
  /** `- <<: E`: the elements of E stand here. */
  readonly isInsert: boolean;
}
