import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";
import { copyWithoutAbsent } from "./absent-fields.ts";
import { compileAllErrorsSchema, compileSchema } from "./schema-compiler.ts";
import { createErrorCollector } from "../errors/error-collector.ts";
import { LandscaperError } from "../errors/error.ts";
import { explainSchemaError, findTellingError, findTellingErrors } from "./schema-error.ts";
import { findIgnoredFields, type IgnoredField } from "./ignored-fields.ts";
import { acceptWithoutEffect } from "./without-effect.ts";

/** A value of unknown shape becomes a `T`, or a LandscaperError that names the field; `where` says where it was read. */
export interface Parser<T> {
  (value: unknown, where: string): T;
  /** What it passes over, as `findIgnoredFields` has it. */
  readonly findIgnored: (value: unknown) => readonly IgnoredField[];
}

/** Returns a parser whose `findIgnored` includes what `finders` find. */
export function withFindings<T>(
  parse: Parser<T>,
  ...finders: readonly ((value: unknown) => readonly IgnoredField[])[]
): Parser<T> {
  return Object.assign((value: unknown, where: string) => parse(value, where), {
    findIgnored: (value: unknown) => [parse.findIgnored, ...finders].flatMap((find) => find(value)),
  });
}

/**
 * Parser of one shape. Unknown fields are kept and accepted, null stands for an absent field, defaults of the schema are filled
 * in, and a field without effect may hold anything. The given value is not changed, and shares what the schema says nothing about. The error names the place, the field, what was expected and the type of what was found,
 * never the value itself.
 */
export function createParser<T>(schema: TSchema, kind: string): Parser<T> {
  let validate: ValidateFunction | undefined;
  const parse = (value: unknown, where: string): T => {
    validate ??= compileSchema(acceptWithoutEffect({ ...schema }));
    const copy = copyWithoutAbsent(value, { ...schema });
    if (validate(copy)) return copy as T;
    throw invalid(`${where}: not a valid ${kind}`, findTellingError(validate.errors ?? []), { root: schema });
  };
  return Object.assign(parse, { findIgnored: (value: unknown) => findIgnoredFields({ ...schema }, value) });
}

/** Parser that reports all problems of a value at once. */
export type AllErrorsParser<T> = (value: unknown, where: string) => T;

/**
 * Like `createParser`, but its parser throws all problems of the value, joined by an error collector. For values without secrets: messages quote words that are not
 * allowed.
 */
export function createAllErrorsParser<T>(schema: TSchema, kind: string): AllErrorsParser<T> {
  let validate: ValidateFunction | undefined;
  return (value, where) => {
    validate ??= compileAllErrorsSchema(acceptWithoutEffect({ ...schema }));
    const copy = copyWithoutAbsent(value, { ...schema });
    if (validate(copy)) return copy as T;
    const errors = createErrorCollector();
    for (const error of findTellingErrors(validate.errors ?? [])) {
      errors.add(invalid(`${where}: not a valid ${kind}`, error, { isPublic: true, root: schema }));
    }
    errors.throwAll();
    throw invalid(`${where}: not a valid ${kind}`, undefined);
  };
}

function invalid(
  what: string,
  error: ErrorObject | undefined,
  options: Parameters<typeof explainSchemaError>[1] = {},
): LandscaperError {
  return new LandscaperError({
    message: `${what}: ${error === undefined ? "it does not fit the schema" : explainSchemaError(error, options)}`,
    reason: "InvalidInput",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
