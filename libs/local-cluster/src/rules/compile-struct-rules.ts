import type { GoField, GoStruct, GoType } from "../builtin-types/parse-builtin-types.ts";
import { isRecord } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import type { FieldRule, Owner } from "./field-rules.ts";

/** Rules of one Go struct, at any path. */
export interface StructRules {
  /** By JSON name. */
  readonly fields?: Readonly<Record<string, FieldRule>>;
  /** Checks combinations of fields. `at` is the path of the struct, `found` has the errors of its fields. */
  readonly whole?: (owner: Owner, at: string, found: readonly FieldError[]) => readonly FieldError[];
}

/** By the Go name of the struct. */
export type RuleTable = ReadonlyMap<string, StructRules>;

export type StructCheck = (value: Owner, at: string) => readonly FieldError[];

type ValueCheck = (value: unknown, at: string) => readonly FieldError[];

const nothing: readonly FieldError[] = [];

/** Compiles the rules of a struct and of all structs in it. Returns undefined if there are none. Compiles each struct once. */
export function createRuleCompiler(table: RuleTable): (struct: GoStruct) => StructCheck | undefined {
  const known = new Map<GoStruct, StructCheck | undefined>();
  const compile = (struct: GoStruct): StructCheck | undefined => {
    if (known.has(struct)) return known.get(struct);
    const compiled: { check?: StructCheck | undefined } = {};
    // A struct that contains itself finds this one.
    known.set(struct, (value, at) => compiled.check?.(value, at) ?? nothing);
    compiled.check = compileStruct(table, struct, (inner) => compileType(inner, compile));
    known.set(struct, compiled.check);
    return compiled.check;
  };
  return compile;
}

function compileStruct(
  table: RuleTable,
  struct: GoStruct,
  compileInner: (type: GoType) => ValueCheck | undefined,
): StructCheck | undefined {
  const own = [struct, ...embeddedOf(struct)].map(({ name }) => table.get(name)).filter((rules) => rules !== undefined);
  const ruleOf = (field: GoField): FieldRule | undefined =>
    own.find(({ fields }) => fields?.[field.json])?.fields?.[field.json];
  const steps = [...struct.byName.values()].flatMap((field) => {
    const rule = ruleOf(field);
    const inner = compileInner(field.type);
    return rule === undefined && inner === undefined ? [] : [{ name: field.json, rule, inner }];
  });
  const wholes = own.flatMap(({ whole }) => (whole === undefined ? [] : [whole]));
  if (steps.length === 0 && wholes.length === 0) return undefined;
  return (value, at) => {
    const errors: FieldError[] = [];
    for (const { name, rule, inner } of steps) {
      const field = value[name];
      const place = at === "" ? name : `${at}.${name}`;
      if (rule !== undefined) append(errors, rule(field, place, value));
      if (inner !== undefined && field !== undefined && field !== null) append(errors, inner(field, place));
    }
    for (const whole of wholes) append(errors, whole(value, at, errors));
    return errors;
  };
}

function embeddedOf(struct: GoStruct): readonly GoStruct[] {
  return struct.fields.flatMap(({ json, type }) =>
    json === "" && type.kind === "struct" ? [type.struct, ...embeddedOf(type.struct)] : [],
  );
}

function compileType(type: GoType, compile: (struct: GoStruct) => StructCheck | undefined): ValueCheck | undefined {
  switch (type.kind) {
    case "scalar":
      return undefined;
    case "struct": {
      const check = compile(type.struct);
      return check && ((value, at) => (isRecord(value) ? check(value, at) : nothing));
    }
    case "list": {
      const check = compileType(type.item, compile);
      return (
        check &&
        ((value, at) =>
          Array.isArray(value) ? value.flatMap((item: unknown, i) => check(item, `${at}[${i}]`)) : nothing)
      );
    }
    case "map": {
      const check = compileType(type.value, compile);
      return (
        check &&
        ((value, at) =>
          isRecord(value) ? Object.entries(value).flatMap(([key, item]) => check(item, `${at}[${key}]`)) : nothing)
      );
    }
  }
}

/** Appends one by one: a call has room for fewer arguments than a large list has errors. */
function append(errors: FieldError[], more: readonly FieldError[]): void {
  for (const error of more) errors.push(error);
}
