import { ChartError } from "../../chart/chart-error.ts";
import { SchemaError } from "./schema-documents.ts";

/** A schema of another host, or why it cannot be had, in words for the chart's user. */
export type RemoteSchema = { readonly text: string } | { readonly problem: string };

/** Fetches the schema behind an http URL. What it throws ends the check, and is no mistake of the chart. */
export type FetchSchema = (url: string, signal?: AbortSignal) => Promise<RemoteSchema>;

/** The text behind an http URL. Throws SchemaError where there is none. */
export type RemoteSchemas = (url: string) => string;

/** Documents that the values of one chart with its dependencies may need. */
const maxSchemas = 32;

/** Ends a check until the document is there. */
class SchemaMissing extends Error {
  override readonly name = "SchemaMissing";
  readonly url: string;

  constructor(url: string) {
    super(`${url} has not been fetched`);
    this.url = url;
  }
}

/**
 * Checks values although checks run without waiting: a check ends at the first document that is not there, which is fetched, and begins anew.
 * Throws what the last one throws.
 */
export async function withRemoteSchemas<T>(
  check: (remote: RemoteSchemas) => T,
  { fetch, signal }: { readonly fetch: FetchSchema; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  const known = new Map<string, RemoteSchema>();
  for (;;) {
    try {
      return check((url) => textOf(url, known.get(url)));
    } catch (error) {
      if (!(error instanceof SchemaMissing)) throw error;
      if (known.size >= maxSchemas) {
        const found = `values.schema.json needs more than ${maxSchemas} schemas of other hosts`;
        throw new ChartError(found, { file: "values.schema.json", cause: error });
      }
      known.set(error.url, await fetch(error.url, signal));
    }
  }
}

function textOf(url: string, schema: RemoteSchema | undefined): string {
  if (schema === undefined) throw new SchemaMissing(url);
  if ("problem" in schema) throw new SchemaError(`failing loading ${JSON.stringify(url)}: ${schema.problem}`);
  return schema.text;
}
