import type { GoMap } from "@landscaper/golang";
import { ChartError } from "../chart/chart-error.ts";
import type { Chart } from "../chart/chart.ts";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";
import { type CoalesceOptions, coalesceValues } from "./coalesce-values.ts";
import { checkSchemas } from "./schema/check-schemas.ts";
import type { RemoteSchemas } from "./schema/remote-schemas.ts";

export interface RenderValuesOptions {
  readonly warn?: CoalesceOptions["warn"];
  /** --skip-schema-validation */
  readonly skipsSchemas?: boolean;
  /** Schemas of other hosts, see withRemoteSchemas. */
  readonly remoteSchemas?: RemoteSchemas | undefined;
  /** Default: Helm 3. */
  readonly dialect?: HelmDialect | undefined;
}

/**
 * `.Values` of a chart that processDependencies gave: what is given over the defaults, checked against the schemas of the
 * chart and its dependencies. As the part of Helm's ToRenderValues that is about values. Throws ChartError.
 */
export function renderValues(
  chart: Chart,
  given: GoMap,
  { warn, skipsSchemas = false, remoteSchemas, dialect = helm3 }: RenderValuesOptions = {},
): GoMap {
  const values = coalesceValues(chart, given, { warn, ...dialect.values });
  if (skipsSchemas) return values;
  try {
    checkSchemas(chart, values, { warn, remote: remoteSchemas });
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    const prefix = "values don't meet the specifications of the schema(s) in the following chart(s):\n";
    throw new ChartError(prefix + error.message, { chart: error.chart, file: error.file, cause: error });
  }
  return values;
}
