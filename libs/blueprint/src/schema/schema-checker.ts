import { defaultJsonSchemaVersion } from "@landscaper/api";
import { toGoJson } from "@landscaper/goyaml";
import { blueprintError } from "../blueprint-error.ts";
import type { BlueprintSource } from "../blueprint-source.ts";
import type { RenderCaches } from "../render-caches.ts";
import { compileSchema, type CompiledSchema } from "./compile-schema.ts";
import { explainSchemaErrors } from "./explain-schema-errors.ts";
import { resolveSchemaRefs, type JsonSchema, type SchemaSource } from "./resolve-schema-refs.ts";

export interface SchemaCheckerOptions {
  readonly source: BlueprintSource;
  /** Documents behind cd:// references; without it such a reference is an error. */
  readonly readComponentSchema?: ((ref: string) => SchemaSource) | undefined;
  readonly caches?: RenderCaches | undefined;
}

/** Checks values against the schemas of one blueprint. */
export interface SchemaChecker {
  /** Throws a LandscaperError that names `path`, what was expected and the type of what was found. */
  check(schema: JsonSchema, value: unknown, path: string): void;
}

export function createSchemaChecker(options: SchemaCheckerOptions): SchemaChecker {
  const { definition, files } = options.source;
  const draft = definition.jsonSchemaVersion ?? defaultJsonSchemaVersion;
  const origin: SchemaSource = {
    component: "",
    localTypes: definition.localTypes ?? {},
    files,
    document: undefined,
    readComponentSchema: options.readComponentSchema,
  };
  return {
    check(schema, value, path) {
      const resolved = resolveSchemaRefs(schema, origin, path);
      const compiled = compileCached(resolved, draft, { path, caches: options.caches });
      const problems = compiled(value);
      if (problems.length > 0) {
        throw blueprintError("SchemaValidationFailed", explainSchemaErrors(problems, path));
      }
    },
  };
}

function compileCached(
  schema: JsonSchema,
  draft: string,
  { path, caches }: { path: string; caches: RenderCaches | undefined },
): CompiledSchema {
  if (caches === undefined) return compileSchema(schema, draft, path);
  const key = `${draft}\0${toGoJson(schema)}`;
  const known = caches.schemas.get(key);
  if (known !== undefined) return known;
  const compiled = compileSchema(schema, draft, path);
  caches.schemas.set(key, compiled);
  return compiled;
}
