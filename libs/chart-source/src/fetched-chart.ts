import type { ImageReference } from "@landscaper/oci";

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
  /** Of a chart in an OCI registry: where it is, with the digest of its manifest. */
  readonly reference?: ImageReference | undefined;
}
