import type { Value } from "@landscaper/golang";
import type { ChartMetadata } from "../chart/chart.ts";
import type { KindOrder } from "../manifests/kind-order.ts";
import type { HelmVersion } from "./helm-version.ts";

/**
 * Differences between major versions of Helm, as data and functions for the one engine. Each field is a row of
 * docs/reference/helm-versions.md.
 */
export interface HelmDialect {
  readonly version: HelmVersion;
  readonly build: HelmBuild;
  /** Names of Go types that templates can print and errors show. */
  readonly types: HelmTypes;
  readonly values: ValueRules;
  readonly loading: LoadingRules;
  /** Whether charts that are used under several aliases share their dependencies, and what they import from them. */
  readonly sharesAliasedCharts: boolean;
  readonly installOrder: KindOrder;
  readonly uninstallOrder: KindOrder;
  /** Returns the documents of a rendered file or of a stored manifest. */
  readonly splitManifests: (text: string) => string[];
  /** Returns `.Chart`. */
  readonly chartObject: (metadata: ChartMetadata, isRoot: boolean) => Value;
  /** Whether a version of Kubernetes keeps its suffix, such as "-gke.1", in `.Capabilities.KubeVersion.Version`. */
  readonly keepsKubeVersionSuffix: boolean;
}

/** `.Capabilities.HelmVersion`. */
export interface HelmBuild {
  /** E.g. "v3.22.0". */
  readonly release: string;
  /** Version of the Kubernetes client; undefined if this version of Helm does not tell it. */
  readonly kubeClient?: string;
}

export interface HelmTypes {
  /** Package of values and capabilities, e.g. "chartutil" of "chartutil.Values". */
  readonly values: string;
  /** Package of the head of a manifest, e.g. "releaseutil" of "releaseutil.SimpleHead". */
  readonly manifests: string;
}

export interface ValueRules {
  /** Documents of a file of values that count. */
  readonly documents: "first" | "all";
  /** Whether null in a chart's values.yaml stays a value, or removes the key. */
  readonly keepsNullDefaults: boolean;
  /** Whether a text of --set-json that begins with "{" is an object of values. */
  readonly setsJsonObjects: boolean;
  /** Whether a text of --set may end within an index, such as "a=1,b[0". The unfinished part has no effect then. */
  readonly endsInIndex: boolean;
}

export interface LoadingRules {
  /** Values of `apiVersion` in the Chart.yaml of the chart that is released; undefined if all are accepted. */
  readonly apiVersions?: readonly string[];
  /** Whether an error names the packed chart in which a packed dependency has no valid gzip header. */
  readonly namesFileOfBadHeader: boolean;
  /** Largest file of a chart, in bytes. */
  readonly fileBytes: number;
}
