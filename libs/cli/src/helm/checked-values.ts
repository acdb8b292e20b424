import { LandscaperError, productVersion } from "@landscaper/api";
import type { SchemaFetcher } from "@landscaper/chart-source";
import type { GoMap } from "@landscaper/golang";
import { type Chart, type HelmDialect, renderValues, withRemoteSchemas } from "@landscaper/helm";
import type { CommandContext } from "../command.ts";
import type { ParsedFlags } from "../flags/parse-flags.ts";
import { readCsv } from "../flags/read-csv.ts";
import { startRegistryWait, type RegistryWait } from "../registries/registry-wait.ts";
import { InvocationError } from "../usage-error.ts";

interface CheckOptions {
  readonly parsed: ParsedFlags;
  readonly context: CommandContext;
  readonly warn: (text: string) => void;
  readonly dialect: HelmDialect;
}

/**
 * `.Values` of a chart, checked against its schemas unless a flag says not to; --allow-remote-schemas names the hosts that schemas are fetched
 * from. Throws ChartError, LandscaperError where such a host does not answer, and InvocationError for what is no host.
 */
export async function checkedValues(
  chart: Chart,
  given: GoMap,
  { parsed, context, warn, dialect }: CheckOptions,
): Promise<GoMap> {
  const skipsSchemas = parsed.isSet("skip-schema-validation");
  const hosts = parsed.list("allow-remote-schemas").flatMap(readCsv);
  const { signal } = context;
  const wait = startRegistryWait(parsed.text("registry-timeout"), context);
  let fetcher: SchemaFetcher | undefined;
  const started = async (): Promise<SchemaFetcher> => (fetcher ??= await startFetcher(hosts, wait));
  // What is no host is told also when no schema refers to it.
  if (hosts.length > 0) await started();
  let warnings: string[] = [];
  try {
    return await withRemoteSchemas(
      (remoteSchemas) => {
        // Only the last check counts.
        warnings = [];
        return renderValues(chart, given, {
          warn: (text) => warnings.push(text),
          skipsSchemas,
          remoteSchemas,
          dialect,
        });
      },
      { fetch: async (url) => (await started()).fetch(url, signal), signal },
    );
  } finally {
    for (const warning of warnings) warn(warning);
    wait.close();
    await fetcher?.close();
  }
}

async function startFetcher(hosts: readonly string[], { limit, watch }: RegistryWait): Promise<SchemaFetcher> {
  const { createSchemaFetcher } = await import("@landscaper/chart-source");
  const setting = "--allow-remote-schemas";
  const advice = (host: string): string =>
    `use ${setting} ${host} to fetch them, put them into values.schema.json, or use --skip-schema-validation`;
  try {
    return createSchemaFetcher({ userAgent: `landscaper/${productVersion}`, hosts, setting, advice, limit, watch });
  } catch (error) {
    throw error instanceof LandscaperError ? new InvocationError(error.message) : error;
  }
}
