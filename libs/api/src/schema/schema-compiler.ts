import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormatsModule from "ajv-formats";

// The package is CommonJS: its function is the module's default under Node and bundlers alike, which its types do not say.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;

/** Returns a compiler of our schemas. With `source`, it keeps the generated code. With `allErrors`, the generated code does not stop at the first error. */
export function createSchemaCompiler({ source = false, allErrors = false } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    useDefaults: true,
    allErrors,
    verbose: true,
    // The schemas are ours: to check them against that of all schemas, which has to be compiled first, takes three times as long as to compile them.
    meta: false,
    validateSchema: false,
    code: { source },
  });
  addFormats(ajv);
  return ajv;
}

/** Compiles a JSON Schema to a function that finds all errors, not just the first one. */
export function compileAllErrorsSchema(schema: object): ValidateFunction {
  return createSchemaCompiler({ allErrors: true }).compile(schema);
}

/** Compiles a JSON Schema. Bundles contain a few schemas already compiled, see scripts/bundle/compiled-schemas.ts. */
export function compileSchema(schema: object): ValidateFunction {
  return createSchemaCompiler().compile(schema);
}
