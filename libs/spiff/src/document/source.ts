import type { ListValue, MapValue, Value } from "../value/value.ts";
import type { Place } from "./document-form.ts";
import type { Markers } from "./markers.ts";
import type { ParsedExpression } from "./parsed-expression.ts";

/** A parsed document: what cells are made of. Immutable, and shared by all instances of a template. */
export type Source = ScalarSource | ExpressionSource | MapSource | ListSource | ControlSource;

export interface ScalarSource {
  readonly kind: "scalar";
  /** Data of a text; any value where a document is made of values. */
  readonly value: Value;
  readonly markers: Markers | undefined;
  /** The text as the document has it, where that is escaped. */
  readonly written?: string;
}

export interface ExpressionSource {
  readonly kind: "expression";
  readonly parsed: ParsedExpression;
  /** Those of the expression, unless they belong to the container around. */
  readonly markers: Markers | undefined;
  readonly at: Place | undefined;
}

/** What containers have. */
interface ContainerSource {
  readonly markers: Markers | undefined;
  readonly at: Place | undefined;
  /** Nodes below can define tags. */
  readonly definesTags: boolean;
}

/** The insert key of a map or control. */
export interface InsertKey {
  /** The key as written: `<<` or `<<<`; empty for none. */
  readonly insertKey: string;
  /** Its expression as written; undefined for none, and for a map in place of an expression. */
  readonly insertText: string | undefined;
}

export interface MapSource extends ContainerSource, InsertKey {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, Source>;
  /** Fields whose keys are escaped, with these keys; undefined without any. */
  readonly writtenKeys: ReadonlyMap<string, string> | undefined;
  /** Value of `<<` or `<<<`, where it is more than markers. */
  readonly insert: Source | undefined;
  /** A mistake that makes the whole map unusable. */
  readonly problem: string | undefined;
  /** The value of a map without expressions below. */
  readonly constant: MapValue | undefined;
}

export type ControlName = "if" | "switch" | "type" | "for" | "merge";

/** A map with control fields: it stands for the value that its control gives. */
export interface ControlSource extends ContainerSource, InsertKey {
  readonly kind: "control";
  readonly control: ControlName;
  /** Fields that begin with "<<", without that. */
  readonly options: ReadonlyMap<string, Source>;
  /** All other fields. */
  readonly entries: ReadonlyMap<string, Source>;
  readonly problem: string | undefined;
}

export interface ListSource extends ContainerSource {
  readonly kind: "list";
  readonly items: readonly ListItem[];
  readonly keyField: string | undefined;
  readonly constant: ListValue | undefined;
  /** All entries as written, where `items` are not: with insert keys and tags of key fields. */
  readonly written: readonly Source[] | undefined;
}

export interface ListItem {
  readonly source: Source;
  /** `- <<: E`: the elements of E stand here. */
  readonly isInsert: boolean;
  /** That of an insertion, as written. */
  readonly insertKey?: string;
}

export function definesTags(source: Source): boolean {
  switch (source.kind) {
    case "scalar":
      return false;
    case "expression":
      return source.parsed.definesTags;
    case "map":
    case "list":
    case "control":
      return source.definesTags;
  }
}
