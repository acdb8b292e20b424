/** A chart archive and where it came from. */
export interface FetchedChart {
  /** The packed chart, gzipped tar. */
  readonly archive: Uint8Array;
  /** sha256 of `archive`. */
  readonly digest: string;
  /** What it was fetched by, for people: no credentials, no query. */
  readonly origin: string;
  /** The version that was asked for or that a range came to; undefined where only the chart itself knows it. */
  readonly version?: string | undefined;
}
