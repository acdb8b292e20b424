import standaloneModule from "ajv/dist/standalone/index.js";
import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";
import { createSchemaCompiler } from "./schema-compiler.ts";
import { acceptWithoutEffect } from "./without-effect.ts";

// The package is CommonJS: its function is the module's default under Node and bundlers alike, which its types do not say.
const standaloneCode = standaloneModule as unknown as (ajv: Ajv2020, validate: ValidateFunction) => string;

export interface StandaloneSchema {
  /** The schema that a parser gives to `compileSchema`, as JSON. */
  readonly json: string;
  /** A CommonJS module whose export is the function that `compileSchema` would return. */
  readonly code: string;
}

/** Compiles the schema of a parser when the programs are built, not when they run. */
export function compileStandalone(schema: TSchema): StandaloneSchema {
  const accepting = acceptWithoutEffect({ ...schema });
  const compiler = createSchemaCompiler({ source: true });
  return { json: JSON.stringify(accepting), code: standaloneCode(compiler, compiler.compile(accepting)) };
}
