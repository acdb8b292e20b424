import {
  didYouMean,
  findNearestName,
  formatKey,
  type ImportDefinition,
  keyOf,
  LandscaperError,
  type Target,
} from "@landscaper/api";
import { blueprintError } from "../blueprint-error.ts";
import type { BlueprintSource } from "../blueprint-source.ts";
import { parameterType, qualifyTargetType } from "../parameter/parameter-type.ts";
import type { ImportedValues, ParameterValue } from "../parameter/parameter-value.ts";
import { createSchemaChecker, type SchemaChecker, type SchemaCheckerOptions } from "../schema/schema-checker.ts";

export interface CheckImportsOptions extends SchemaCheckerOptions {
  readonly source: BlueprintSource;
  /** What the Installation gives, by import name; names that the blueprint does not declare are ignored. */
  readonly values: ImportedValues;
}

export interface CheckedImports {
  /** Declared imports that have a value, defaults included. */
  readonly values: ImportedValues;
  /**
   * Declared imports without a value, with all conditional imports below them. Subinstallation imports of these are
   * pruned (core.md §4.19).
   */
  readonly unsatisfied: ReadonlySet<string>;
}

/**
 * Fills in defaults and checks types and schemas (core.md §1.2 no. 33-35, §4.17-4.21). Errors name the import, the
 * path in it, what was expected and the type of what was found.
 */
export function checkImports(options: CheckImportsOptions): CheckedImports {
  const values: Record<string, ParameterValue> = {};
  const unsatisfied = new Set<string>();
  const { imports = [] } = options.source.definition;
  const declared = new Set(namesOf(imports));
  const walk: Walk = { given: options.values, declared, schemas: createSchemaChecker(options), values, unsatisfied };
  for (const definition of imports) checkImport(definition, walk);
  return { values, unsatisfied };
}

interface Walk {
  readonly given: ImportedValues;
  /** Names that the blueprint declares. */
  readonly declared: ReadonlySet<string>;
  readonly schemas: SchemaChecker;
  readonly values: Record<string, ParameterValue>;
  readonly unsatisfied: Set<string>;
}

function checkImport(definition: ImportDefinition, walk: Walk): void {
  const given = Object.hasOwn(walk.given, definition.name) ? walk.given[definition.name] : undefined;
  const value = given ?? defaultValue(definition);
  if (value === undefined) {
    if (definition.required !== false) throw notSatisfied(definition, walk);
    skipImport(definition, walk.unsatisfied);
    return;
  }
  if (given === undefined) checkDefault(definition, value, walk.schemas);
  else checkValue(definition, value, walk.schemas);
  walk.values[definition.name] = value;
  for (const nested of definition.imports ?? []) checkImport(nested, walk);
}

/** The default of an optional data import (core.md §4.21). */
function defaultValue(definition: ImportDefinition): ParameterValue | undefined {
  if (definition.required !== false || definition.default === undefined) return undefined;
  if (parameterType(definition, importPath(definition.name)) !== "data") return undefined;
  return { type: "data", value: definition.default.value };
}

/** A default that does not fit is a mistake of the blueprint, not of the Installation. */
function checkDefault(definition: ImportDefinition, value: ParameterValue, schemas: SchemaChecker): void {
  try {
    checkValue(definition, value, schemas);
  } catch (error) {
    if (!isMisfit(error)) throw error;
    throw blueprintError("InvalidDefaultValue", `the default does not fit the schema: ${error.message}`);
  }
}

/** Whether a value does not fit its schema. */
function isMisfit(error: unknown): error is LandscaperError {
  return error instanceof LandscaperError && error.reason === "SchemaValidationFailed";
}

function skipImport(definition: ImportDefinition, unsatisfied: Set<string>): void {
  unsatisfied.add(definition.name);
  for (const nested of definition.imports ?? []) skipImport(nested, unsatisfied);
}

function notSatisfied(definition: ImportDefinition, { given, declared }: Walk): Error {
  const { name } = definition;
  const type = parameterType(definition, importPath(name));
  const undeclared = Object.keys(given).filter((each) => !declared.has(each));
  const misspelt = undeclared.find((each) => findNearestName(each, [name]) !== undefined);
  const found =
    misspelt === undefined
      ? "the installation does not give it"
      : `the installation gives ${JSON.stringify(misspelt)}${didYouMean(name)}`;
  return blueprintError(
    "ImportNotSatisfied",
    `${importPath(name)}: the blueprint requires this ${type} import, but ${found}`,
    misspelt === undefined ? { hint: "add it to spec.imports or spec.importDataMappings" } : {},
  );
}

/** All names in the tree of conditional imports. */
function namesOf(definitions: readonly ImportDefinition[] = []): readonly string[] {
  return definitions.flatMap(({ name, imports }) => [name, ...namesOf(imports)]);
}

/** How messages name an import. */
export function importPath(name: string): string {
  return `imports.${name}`;
}

function checkValue(definition: ImportDefinition, value: ParameterValue, schemas: SchemaChecker): void {
  const where = importPath(definition.name);
  const type = parameterType(definition, where);
  if (value.type !== type) {
    const isMisplaced = (type === "data") !== (value.type === "data");
    const [wanted, found] = type === "data" ? ["data", "targets"] : ["targets", "data"];
    const hint = `import it under spec.imports.${wanted} instead of spec.imports.${found}`;
    throw blueprintError(
      "ImportTypeMismatch",
      `${where}: expected ${wordOf(type)}, found ${wordOf(value.type)}`,
      isMisplaced ? { hint } : {},
    );
  }
  switch (value.type) {
    case "data":
      return checkData(definition, value, schemas);
    case "target":
      return checkTargetType(definition, value.target, where);
    case "targetList":
      for (const [i, target] of value.targets.entries()) checkTargetType(definition, target, `${where}[${i}]`);
      return;
    case "targetMap":
      for (const [key, target] of Object.entries(value.targets)) {
        checkTargetType(definition, target, `${where}[${key}]`);
      }
  }
}

/** Checks a value against its schema. The error names the object that the value comes from, because the user has to correct it. */
function checkData(
  { name, schema }: ImportDefinition,
  { value, origin }: Extract<ParameterValue, { type: "data" }>,
  schemas: SchemaChecker,
): void {
  if (schema === undefined) return;
  try {
    schemas.check(schema, value, importPath(name));
  } catch (error) {
    if (origin === undefined || !isMisfit(error)) throw error;
    throw blueprintError("SchemaValidationFailed", `${error.message}; the value comes from ${origin}`);
  }
}

function wordOf(type: ParameterValue["type"]): string {
  switch (type) {
    case "data":
      return "data";
    case "target":
      return "a target";
    case "targetList":
      return "a list of targets";
    case "targetMap":
      return "a map of targets";
  }
}

function checkTargetType(definition: ImportDefinition, target: Target, where: string): void {
  const expected = qualifyTargetType(definition.targetType ?? "");
  if (qualifyTargetType(target.spec.type) === expected) return;
  throw blueprintError(
    "ImportTypeMismatch",
    `${where}: expected a Target of type ${expected}, found Target ${formatKey(keyOf(target))} of type ${target.spec.type}`,
  );
}
