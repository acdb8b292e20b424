import { type GoMap, type Value, RegExpSyntaxError, decodeUtf8, fromPlain, isMap } from "@landscaper/golang";
import { JsonError, readGoJson } from "@landscaper/goyaml";
import type { Chart } from "../../chart/chart.ts";
import { ChartError } from "../../chart/chart-error.ts";
import { metaSchema, metaSchemaUrl } from "./meta-schemas.ts";
import type { RemoteSchemas } from "./remote-schemas.ts";
import { checkReferences } from "./check-references.ts";
import { SchemaDocuments, SchemaError, draftOf, loadProblem } from "./schema-documents.ts";
import type { Draft } from "./schema-positions.ts";
import { failureLines } from "./schema-failure.ts";
import { Validator } from "./validate-value.ts";

const documentUrl = "file:///values.schema.json";

export interface CheckSchemasOptions {
  readonly warn?: ((text: string) => void) | undefined;
  /** Schemas of other hosts. Default: a reference to one is a mistake. */
  readonly remote?: RemoteSchemas | undefined;
}

/** The chart's name before what its schema says of the values. */
interface ChartProblem {
  readonly chart: string;
  readonly text: string;
}

/**
 * Checks values by the values.schema.json of a chart and of its dependencies, as Helm's ValidateAgainstSchema. Throws
 * ChartError with all that does not fit; its message may quote values.
 */
export function checkSchemas(chart: Chart, values: GoMap, options: CheckSchemasOptions = {}): void {
  const problems = problemsOf(chart, values, options);
  if (problems.length === 0) return;
  throw new ChartError(problems.map(({ chart: name, text }) => `${name}:\n${text}`).join(""), {
    chart: problems[0]?.chart,
    file: "values.schema.json",
  });
}

function problemsOf(
  { metadata, schema, dependencies }: Chart,
  values: GoMap,
  options: CheckSchemasOptions,
): ChartProblem[] {
  const text = schema === undefined ? undefined : schemaProblem(decodeUtf8(schema), values, options);
  const own = text === undefined ? [] : [{ chart: metadata.name, text }];
  const below = dependencies.flatMap((dependency) => {
    const table = values.get(dependency.metadata.name);
    return isMap(table) ? problemsOf(dependency, table, options) : [];
  });
  return [...own, ...below];
}

/** What is wrong with a schema, or with values by it; undefined if nothing is. */
function schemaProblem(text: string, values: GoMap, { warn, remote }: CheckSchemasOptions): string | undefined {
  try {
    const schema = parseSchema(text);
    const load = remote === undefined ? undefined : (url: string) => readSchema(remote(url), url);
    const documents = new SchemaDocuments({ warn, load, checkPart: checkSchema });
    const draft = declaredDraft(schema);
    checkSchema(schema, { draft, url: `${documentUrl}#` });
    const resource = documents.add(documentUrl, schema, draft);
    checkReferences(documents, { schema, resource });
    const failures = new Validator({ documents }).validate(values, { schema, resource });
    return failures.length === 0 ? undefined : `${failureLines(failures).join("\n")}\n`;
  } catch (error) {
    if (error instanceof SchemaError || error instanceof JsonError || error instanceof RegExpSyntaxError) {
      return error.message;
    }
    throw error;
  }
}

/** Another document than the chart's own. */
function readSchema(text: string, url: string): { schema: Value; draft: Draft } {
  const schema = parseSchema(text);
  const draft = declaredDraft(schema);
  checkSchema(schema, { draft, url: `${url}#` });
  return { schema, draft };
}

function parseSchema(text: string): Value {
  const json = text.replace(/^\ufeff/, "");
  const first = readGoJson(json);
  if (first === undefined) throw new SchemaError("EOF");
  if (json.slice(first.end).trim() !== "") throw new SchemaError("invalid character after top-level value");
  return fromPlain(first.value);
}

function declaredDraft(schema: Value): Draft {
  const declared = isMap(schema) ? schema.get("$schema") : undefined;
  if (typeof declared !== "string") return 2020;
  const draft = draftOf(declared);
  if (draft === undefined) throw new SchemaError(loadProblem(declared.replace(/#$/, "")));
  return draft;
}

/** Throws SchemaError for a value that is not a schema of its draft. `url` includes the fragment. */
function checkSchema(schema: Value, { draft, url }: { readonly draft: Draft; readonly url: string }): void {
  const metaUrl = metaSchemaUrl(draft);
  const meta = metaSchema(metaUrl);
  if (meta === undefined) return;
  const documents = new SchemaDocuments();
  const resource = documents.add(metaUrl, meta.schema, draft);
  const failures = new Validator({ documents, assertsFormats: true }).validate(schema, {
    schema: meta.schema,
    resource,
  });
  if (failures.length === 0) return;
  throw new SchemaError(
    [
      `"${url}" is not valid against metaschema: jsonschema validation failed with '${metaUrl}#'`,
      ...failureLines(failures),
    ].join("\n"),
  );
}
