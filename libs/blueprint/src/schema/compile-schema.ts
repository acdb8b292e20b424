import { GoRegExp } from "@landscaper/golang";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Ajv, type ErrorObject } from "ajv";
import addFormatsModule from "ajv-formats";
import { blueprintError } from "../blueprint-error.ts";
import { modernizeSchema } from "./modernize-schema.ts";
import type { JsonSchema } from "./resolve-schema-refs.ts";

/** Gives the problems of a value, none if it fits. */
export type CompiledSchema = (value: unknown) => readonly ErrorObject[];

// The package is CommonJS: its function is the module's default under Node and bundlers alike, which its types do not say.
const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;

type Draft = "draft-04" | "draft-06" | "draft-07" | "2019-09" | "2020-12";

/** Draft of a `$schema` or `jsonSchemaVersion` address. */
function draftOf(address: string): Draft | undefined {
  return /(?:json-schema\.org\/)(?:draft\/)?(draft-04|draft-06|draft-07|2019-09|2020-12)\/schema/.exec(address)?.[1] as
    | Draft
    | undefined;
}

/**
 * Compiles a schema by the draft that it declares, else by `draft`, the blueprint's jsonSchemaVersion (core.md §1.5
 * D15). Patterns are matched in linear time. Throws LandscaperError for a schema that is none.
 */
export function compileSchema(schema: JsonSchema, draft: string, path: string): CompiledSchema {
  const declared = typeof schema === "object" && typeof schema["$schema"] === "string" ? schema["$schema"] : draft;
  const known = draftOf(declared);
  if (known === undefined) {
    throw blueprintError("InvalidInput", `${path}: the schema's draft ${JSON.stringify(declared)} is not known`, {
      hint: 'use "https://json-schema.org/draft/2019-09/schema" or draft-04, draft-06, draft-07 or 2020-12',
    });
  }
  const ajv = createAjv(known);
  try {
    const validate = ajv.compile(modernizeSchema(schema));
    return (value) => (validate(value) ? [] : (validate.errors ?? []));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw blueprintError("InvalidInput", `${path}: the schema is not valid: ${problem}`, { cause: error });
  }
}

const ajvOptions = {
  strict: false,
  allErrors: true,
  // Types are all that errors may show of the value.
  verbose: true,
  logger: false,
  code: { regExp: Object.assign(compilePattern, { code: "compilePattern" }) },
} as const;

function createAjv(draft: Draft): Ajv {
  const ajv = newAjv(draft);
  addFormats(ajv);
  return ajv;
}

/** Draft-07 contains its predecessors; what draft-04 said otherwise has been modernized. */
function newAjv(draft: Draft): Ajv {
  if (draft === "2019-09") return new Ajv2019(ajvOptions);
  return draft === "2020-12" ? new Ajv2020(ajvOptions) : new Ajv(ajvOptions);
}

function compilePattern(pattern: string): { test(text: string): boolean; toString(): string } {
  const compiled = GoRegExp.compile(pattern);
  // ajv keeps patterns apart by their texts: without one of its own each would be taken for the first.
  return { test: (text) => compiled.test(text), toString: () => pattern };
}
