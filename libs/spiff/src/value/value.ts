import type { Cell } from "./cell.ts";
import type { Expression, Parameter } from "../syntax/expression.ts";
import type { Source } from "../document/source.ts";
import type { Definition } from "../evaluate/environment.ts";

/** A value of the language: int is bigint (64 bit), float is number. Values never change once complete. */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | UndefinedValue
  | ListValue
  | MapValue
  | TemplateValue
  | LambdaValue;

/** `~~`: removes its entry. */
export class UndefinedValue {
  readonly kind = "undefined";
}
export const undefinedValue = new UndefinedValue();

export class ListValue {
  readonly kind = "list";
  items: Cell[];
  /** Field that names the entries; "name" when undefined; "" switches naming off. */
  keyField: string | undefined;
  /** Splices insertions in; present until that is done. */
  pendingShape: Shape | undefined;
  isDeep = false;

  constructor(items: Cell[], keyField?: string) {
    this.items = items;
    this.keyField = keyField;
  }
}

export class MapValue {
  readonly kind = "map";
  readonly cells: Map<string, Cell>;
  /** Adds the entries of an insert key; present until that is done. */
  pendingShape: Shape | undefined;
  isDeep = false;
  /** An undefined value was inserted: the node of the map goes away. */
  isRemoved = false;
  /** Local fields that are gone: nothing is injected in their place. */
  localKeys: ReadonlySet<string> | undefined;
  /** Where a merge beside its fields has them look into stubs, also in a document that takes the map over; empty for nowhere. */
  stubPath: readonly string[] | undefined;

  constructor(cells: Map<string, Cell>) {
    this.cells = cells;
  }
}

/** What completes a container whose insert keys are not evaluated yet. */
export interface Shape {
  /** The insertions, to be evaluated before `complete`. */
  readonly cells: readonly Cell[];
  readonly complete: () => void;
  /** What was to be inserted has the wrong type. */
  isFailed?: boolean;
}

/** A part of a document that is evaluated where it is used. */
export class TemplateValue {
  readonly kind = "template";
  readonly source: Source;
  /** Where it was defined: what `_.x` means in its instances. */
  readonly definition: Definition;
  /** Its document says that it is one, or it is a node without a value in partial output: it prints as written. */
  readonly isMarked: boolean;

  constructor(source: Source, definition: Definition, isMarked = true) {
    this.source = source;
    this.definition = definition;
    this.isMarked = isMarked;
  }
}

export interface LambdaParameter extends Parameter {
  /** The evaluated default. */
  readonly defaultValue?: Value;
}

type LambdaParts = Pick<LambdaValue, "parameters" | "body" | "captured" | "definition"> &
  Partial<Pick<LambdaValue, "isInline" | "holdsData">>;

export class LambdaValue {
  readonly kind = "lambda";
  readonly parameters: readonly LambdaParameter[];
  readonly body: Expression;
  /** Bindings around the definition, outermost first. */
  readonly captured: readonly ReadonlyMap<string, Cell>[];
  /** What `_.x` means in the body. */
  readonly definition: Definition;
  /** Written where it is called, as in `map[..]`: `_` in it is that of the surroundings. */
  readonly isInline: boolean;
  /** The body holds values of arguments, not only what a template says. */
  readonly holdsData: boolean;

  constructor(parts: LambdaParts) {
    this.parameters = parts.parameters;
    this.body = parts.body;
    this.captured = parts.captured;
    this.definition = parts.definition;
    this.isInline = parts.isInline ?? false;
    this.holdsData = parts.holdsData ?? false;
  }

  /** The same lambda but for some parts. */
  changed(changes: Partial<LambdaParts>): LambdaValue {
    const { parameters, body, captured, definition, isInline, holdsData } = this;
    return new LambdaValue({ parameters, body, captured, definition, isInline, holdsData, ...changes });
  }
}

/** The name of a type as `type()` and messages give it. */
export function typeName(value: Value): string {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a value has no other types
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "float";
    case "string":
      return "string";
    case "object":
      if (value === null) return "nil";
      return value.kind === "undefined" ? "undef" : value.kind;
  }
}

/** Truth: floats are always true. */
export function isTrue(value: Value): boolean {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a value has no other types
  switch (typeof value) {
    case "boolean":
      return value;
    case "bigint":
      return value !== 0n;
    case "number":
      return true;
    case "string":
      return value !== "";
    case "object":
      if (value === null || value.kind === "undefined") return false;
      if (value.kind === "list") return value.items.length > 0;
      return value.kind !== "map" || value.cells.size > 0;
  }
}

/** Undefined, or a map whose insertion gave undefined: the node goes away. */
export function isGone(value: Value): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value.kind === "undefined" || (value.kind === "map" && value.isRemoved);
}
