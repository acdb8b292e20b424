import type { KeyKind } from "@landscaper/x509";
import type { GoInt } from "./go-int.ts";

/**
 * A value as templates see it.
 *
 * | Go | here |
 * |---|---|
 * | float64 | number |
 * | other numbers | GoInt |
 * | string (bytes) | string; a byte that is no UTF-8 is a lone surrogate U+DC80 + byte - 0x80, see utf8.ts |
 * | []byte | Uint8Array |
 * | slice, array | Array, with a type tag unless it is []interface {} |
 * | map | Map, with a type tag unless it is map[string]interface {} |
 * | struct, pointer, anything with methods | GoObject |
 * | func | GoFunction |
 * | nil interface | null |
 * | no value at all (invalid reflect.Value) | undefined |
 */
export type Value =
  | undefined
  | null
  | boolean
  | number
  | string
  | GoInt
  | Uint8Array
  | GoSlice
  | GoMap
  | GoObject
  | GoFunction;

/** Type of a slice, array or map that is not the usual []interface {} or map[string]interface {}. */
export interface CollectionType {
  /** As `%T` prints it. */
  readonly name: string;
  /** Element type as `%T` prints it; "interface {}" for any. */
  readonly element: string;
  /** A Go array: other kind name, same behaviour. */
  readonly isArray?: boolean;
  /** A nil slice or map of this type. */
  readonly isNil?: boolean;
  /** Methods of a named type. */
  readonly methods?: Readonly<Record<string, (receiver: Value) => GoFunction>>;
}

/** Key of the type tag of arrays and maps. */
export const collectionType: unique symbol = Symbol("goType");

export interface GoSlice extends Array<Value> {
  [collectionType]?: CollectionType;
}

export interface GoMap extends Map<string, Value> {
  [collectionType]?: CollectionType;
}

/** Templates by name; the engine that runs them knows what they are. */
export interface TemplateLookup {
  lookup(name: string): unknown;
}

/** What functions know about the execution that calls them. */
export interface CallContext {
  /** Counts work that is not proportional to the template, so that budgets hold; `units` is about one byte or item. */
  charge(units: number): void;
  /** Counts work on all that a value contains. */
  chargeValue(value: Value): void;
  /** Ends the execution if a value of this many characters would be too large. */
  checkSize(length: number): void;
  /** Counts work that is slow by itself, in steps of the budget (about 10 million are a second). */
  spend(steps: number): void;
  /** Executes an associated template (Helm's include). */
  executeTemplate(name: string, data: Value): string;
  /** Executes a template of another set, within the same budget. */
  executeIn(templates: TemplateLookup, name: string, data: Value): string;
  /** The time that the caller of execute() gave; an error without one. */
  now(): Date;
  /** Random bytes from the source that the caller of execute() gave; an error without one. */
  random(bytes: number): Uint8Array;
  /** A new private key, as PEM, from the source that the caller of execute() gave. */
  createKey(kind: KeyKind): string;
  /** What the caller of execute() gave for its own functions. */
  readonly environment: unknown;
}

/** A function or bound method with Go's parameter types, by which arguments are checked. */
export interface GoFunction {
  readonly kind: "function";
  readonly params: readonly ParamType[];
  /** Type of the variadic parameter, if any. */
  readonly rest: ParamType | undefined;
  /** See shallow() of define-function.ts. */
  readonly isShallow?: boolean;
  /** See costly() of define-function.ts. Default 1. */
  readonly costFactor?: number;
  /** Arguments are checked and converted: see ParamType. */
  call(args: readonly Value[], context: CallContext): Value;
}

/**
 * Parameter types. "any" takes everything, nil as null; "value" is reflect.Value and also tells nil from no value;
 * the others demand exactly that Go type ("int" is given to the function as GoInt).
 */
export type ParamType =
  | "any"
  | "value"
  | "string"
  | "bool"
  | "int"
  | "int64"
  | "uint32"
  | "float64"
  | "map"
  | "list"
  | "strings"
  | "bytes"
  | "time.Time"
  | "sprig.certificate";

/** A Go struct, pointer or other value whose fields and methods are code. */
export abstract class GoObject {
  /** As `%T` prints it. */
  abstract readonly typeName: string;
  readonly goKind: string = "struct";
  /** Value of a field; undefined when the type has no such field. */
  field(_name: string): Value {
    return undefined;
  }
  method(_name: string): GoFunction | undefined {
    return undefined;
  }
  /** Result of String() or Error(), if the type has one. */
  text(): string | undefined {
    return undefined;
  }
  /** What an action prints: there the value can be addressed, so that methods of its pointer type count, too. */
  printedText(): string | undefined {
    return this.text();
  }
  /** Whether two values of this type are the same to reflect.DeepEqual. */
  isEqual(other: GoObject): boolean {
    return this === other;
  }
  /** What JSON and YAML writers are given. */
  toJSON(): unknown {
    return this.text() ?? {};
  }
  /** Name and value of each exported field, for `%v`. */
  fields(): readonly (readonly [name: string, value: Value])[] {
    return [];
  }
}

/** A nil pointer in a field of a struct. */
export class GoNilPointer extends GoObject {
  readonly typeName: string;
  override readonly goKind = "ptr";

  constructor(typeName: string) {
    super();
    this.typeName = typeName;
  }
}

export function isMap(value: Value): value is GoMap {
  return value instanceof Map;
}

export function isSlice(value: Value): value is GoSlice {
  return Array.isArray(value);
}

export function isFunction(value: Value): value is GoFunction {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "function";
}

/** Tags an array or map with its Go type and returns it. */
export function withType<T extends GoSlice | GoMap>(collection: T, type: CollectionType): T {
  collection[collectionType] = type;
  // Nil lists and maps are null in JSON and YAML.
  if (type.isNil === true) Object.defineProperty(collection, "toJSON", { value: () => null });
  return collection;
}

export const stringSlice: CollectionType = { name: "[]string", element: "string" };
export const intSlice: CollectionType = { name: "[]int", element: "int" };
export const stringMap: CollectionType = { name: "map[string]string", element: "string" };

/** A nil []interface {}: what a Go function returns for "no list". */
export function nilList(): GoSlice {
  const slice: GoSlice = [];
  return withType(slice, { name: "[]interface {}", element: "interface {}", isNil: true });
}

/** A Go []string. */
export function strings(items: readonly string[]): GoSlice {
  const slice: GoSlice = [...items];
  return withType(slice, stringSlice);
}
