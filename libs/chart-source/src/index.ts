export {
  createChartFetcher,
  type ChartFetcher,
  type ChartFetcherOptions,
  type FetchContext,
  type RepositoryChart,
} from "./chart-fetcher.ts";
export type { FetchedChart } from "./fetched-chart.ts";
export {
  parseRepositoryCredentials,
  warnOfRepositoryCredentials,
  type RepositoryCredential,
} from "./repository-credentials.ts";
export { findInIndex, type IndexEntry, type IndexQuery } from "./repository-index.ts";
export {
  createSchemaFetcher,
  type FetchedSchema,
  type SchemaFetcher,
  type SchemaFetcherOptions,
} from "./schema-fetcher.ts";
