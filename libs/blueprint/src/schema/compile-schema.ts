import { explainSchemaError, findTellingError } from "@landscaper/api";
import { BudgetError, type ContentBudget } from "@landscaper/budget";
import { toFloat64 } from "@landscaper/json";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import addFormatsModule from "ajv-formats";
import { blueprintError } from "../blueprint-error.ts";
import { explainCompileError } from "./explain-compile-error.ts";
import { normalizeLocalRefs } from "./local-refs.ts";
import { modernizeSchema } from "./modernize-schema.ts";
import { schemaPlace, type JsonSchema } from "./resolve-schema-refs.ts";
import { addBoundedKeywords, boundUrlFormat, patternCompiler, type RunningCheck } from "./schema-keywords.ts";
import { weighSchema } from "./weigh-schema.ts";

// The package is CommonJS: its function is the module's default under Node and bundlers alike, which its types do not say.
const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;

type Draft = "draft-04" | "draft-06" | "draft-07" | "2019-09" | "2020-12";

/** Draft of a `$schema` or `jsonSchemaVersion` address. */
function draftOf(address: string): Draft | undefined {
  return /(?:json-schema\.org\/)(?:draft\/)?(draft-04|draft-06|draft-07|2019-09|2020-12)\/schema/.exec(address)?.[1] as
    | Draft
    | undefined;
}

export interface CompileOptions {
  /** The blueprint's jsonSchemaVersion, for a schema that declares no draft. */
  readonly draft: string;
  /** Begins messages. */
  readonly path: string;
  readonly budget: ContentBudget;
}

/** A compiled schema, of any number of paths and budgets. */
export interface CompiledSchema {
  /** How much it is, for caches. */
  readonly subschemas: number;
  /** The problems of a value, none if it fits. Throws BudgetError. */
  readonly check: (value: unknown, running: RunningCheck) => readonly ErrorObject[];
}

/** What ajv takes to compile a subschema, about. */
const msPerSubschema = 0.2;
const bytesPerSubschema = 16 * 1024;

/**
 * Compiles a schema by the draft that it declares, else by that of the blueprint (core.md §1.5 D15). Patterns are matched in linear
 * time. Throws LandscaperError for a schema that is not valid, and BudgetError.
 */
export function compileSchema(given: JsonSchema, { draft, path, budget }: CompileOptions): CompiledSchema {
  const schema = toFloat64(given) as JsonSchema; // the same schema; ajv knows no bigint
  const declared = typeof schema === "object" && typeof schema["$schema"] === "string" ? schema["$schema"] : draft;
  const known = draftOf(declared);
  if (known === undefined) {
    throw blueprintError("InvalidInput", `${path}: the schema's draft ${JSON.stringify(declared)} is not known`, {
      hint: 'use "https://json-schema.org/draft/2019-09/schema" or draft-04, draft-06, draft-07 or 2020-12',
    });
  }
  const keyword = known === "2019-09" || known === "2020-12" ? "$anchor" : "$id";
  const weighed = weighSchema(modernizeSchema(normalizeLocalRefs(schema, { keyword, path })));
  const { subschemas } = weighed;
  const place = schemaPlace(path);
  budget.take(place, subschemas * bytesPerSubschema);
  budget.announce(place, subschemas * msPerSubschema);
  const check: RunningCheck = { place, budget };
  const validate = compile(weighed.schema, createAjv(known, check), path);
  return {
    subschemas,
    check: (value, running) => {
      Object.assign(check, running);
      return validate(toFloat64(value)) ? [] : (validate.errors ?? []);
    },
  };
}

function compile(schema: JsonSchema, ajv: Ajv, path: string): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (error) {
    if (error instanceof BudgetError) throw error;
    const errors = ajv.errors ?? [];
    // Each type is checked by a union of a word and a list: the word is what people misspell.
    const telling = errors.find(({ keyword }) => keyword === "enum") ?? findTellingError(errors);
    const problem =
      telling === undefined ? explainCompileError(error) : explainSchemaError(telling, { isPublic: true });
    throw blueprintError("InvalidInput", `${path}: the schema is not valid: ${problem}`);
  }
}

const ajvOptions = {
  strict: false,
  allErrors: true,
  // Types are all that errors may show of the value.
  verbose: true,
  logger: false,
} as const;

function createAjv(draft: Draft, check: RunningCheck): Ajv {
  const regExp = Object.assign(patternCompiler(check), { code: "compilePattern" });
  const ajv = newAjv(draft, { ...ajvOptions, code: { regExp } });
  addFormats(ajv);
  boundUrlFormat(ajv, check);
  addBoundedKeywords(ajv, check);
  return ajv;
}

/** Draft-07 contains its predecessors; what draft-04 said otherwise has been modernized. */
function newAjv(draft: Draft, options: Options): Ajv {
  if (draft === "2019-09") return new Ajv2019(options);
  return draft === "2020-12" ? new Ajv2020(options) : new Ajv(options);
}
