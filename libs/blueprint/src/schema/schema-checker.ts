import { defaultJsonSchemaVersion, type LandscaperError } from "@landscaper/api";
import { BudgetError, ContentBudget } from "@landscaper/budget";
import { toGoJson } from "@landscaper/goyaml";
import { blueprintError } from "../blueprint-error.ts";
import type { BlueprintSource } from "../blueprint-source.ts";
import type { RenderCaches } from "../render-caches.ts";
import { compileSchema, type CompiledSchema, type CompileOptions } from "./compile-schema.ts";
import { explainSchemaErrors } from "./explain-schema-errors.ts";
import { resolveSchemaRefs, type JsonSchema, type SchemaSource } from "./resolve-schema-refs.ts";

export interface SchemaCheckerOptions {
  readonly source: BlueprintSource;
  /** Documents behind cd:// references; without it such a reference is an error. */
  readonly readComponentSchema?: ((ref: string) => SchemaSource) | undefined;
  readonly caches?: RenderCaches | undefined;
  /** In a rendering with other values in place of secrets, which need not fit. */
  readonly isSkipped?: boolean | undefined;
  /** See RenderContext. */
  readonly onStep?: ((step: string) => void) | undefined;
  /** Of all checks. Default: one of its own, without a clock. */
  readonly budget?: ContentBudget | undefined;
}

/** Checks values against the schemas of one blueprint. */
export interface SchemaChecker {
  /** Throws a LandscaperError that names `path`, what was expected and the type of what was found. */
  check(schema: JsonSchema, value: unknown, path: string): void;
}

export function createSchemaChecker(options: SchemaCheckerOptions): SchemaChecker {
  const { definition, files } = options.source;
  const { caches, budget = new ContentBudget() } = options;
  const draft = definition.jsonSchemaVersion ?? defaultJsonSchemaVersion;
  const origin: SchemaSource = {
    component: "",
    localTypes: definition.localTypes ?? {},
    files,
    document: undefined,
    readComponentSchema: options.readComponentSchema,
  };
  const check = (schema: JsonSchema, value: unknown, path: string): void => {
    options.onStep?.(`schema of ${path}`);
    const resolved = resolveSchemaRefs(schema, origin, { path, budget });
    const compiled = compileCached(resolved, { draft, path, budget }, caches);
    const problems = compiled.check(value, { place: `${path}: checking it against its schema`, budget });
    if (problems.length === 0) return;
    throw blueprintError("SchemaValidationFailed", explainSchemaErrors(problems, path));
  };
  return {
    check: (...args) => {
      if (options.isSkipped === true) return;
      try {
        budget.measure(() => check(...args));
      } catch (error) {
        throw error instanceof BudgetError ? budgetError(error) : error;
      }
    },
  };
}

function budgetError(error: BudgetError): LandscaperError {
  return blueprintError("ContentLimitExceeded", error.message, { cause: error });
}

/** Larger ones would fill the memory of the cache: they are compiled each time. */
const maxCachedSubschemas = 1000;

function compileCached(schema: JsonSchema, options: CompileOptions, caches: RenderCaches | undefined): CompiledSchema {
  if (caches === undefined) return compileSchema(schema, options);
  const key = `${options.draft}\0${toGoJson(schema)}`;
  const known = caches.schemas.get(key);
  if (known !== undefined) return known;
  const compiled = compileSchema(schema, options);
  if (compiled.subschemas <= maxCachedSubschemas) caches.schemas.set(key, compiled);
  return compiled;
}
