import type { Value } from "@landscaper/golang";
import type { ChartMetadata } from "../chart/chart.ts";
import type { KindOrder } from "../manifests/kind-order.ts";
import type { HelmVersion } from "./helm-version.ts";

/**
 * Differences between major versions of Helm, as data and functions for the engine. docs/reference/helm-versions.md lists them for users.
 */
export interface HelmDialect {
  readonly version: HelmVersion;
  readonly build: HelmBuild;
  readonly goPackages: GoPackages;
  readonly values: ValueRules;
  readonly loading: LoadingRules;
  /** Whether the copies of a chart under several aliases share their dependencies and imported values. */
  readonly sharesAliasedCharts: boolean;
  readonly installOrder: KindOrder;
  readonly uninstallOrder: KindOrder;
  /** Splits a rendered file or a stored manifest into documents. */
  readonly splitManifests: (text: string) => string[];
  /** Returns `.Chart`. */
  readonly chartObject: (metadata: ChartMetadata, isRoot: boolean) => Value;
  /** Whether a version of Kubernetes keeps its suffix, such as "-gke.1", in `.Capabilities.KubeVersion.Version`. */
  readonly keepsKubeVersionSuffix: boolean;
}

/** Content of `.Capabilities.HelmVersion`. */
export interface HelmBuild {
  /** E.g. "v3.22.0". */
  readonly release: string;
  /** Version of the Kubernetes client; undefined if this version of Helm lacks the field. */
  readonly kubeClient?: string;
}

/** Packages of Go types whose names templates can print and errors show. */
export interface GoPackages {
  /** Package of values and capabilities, e.g. "chartutil" of "chartutil.Values". */
  readonly values: string;
  /** Package of the head of a manifest, e.g. "releaseutil" of "releaseutil.SimpleHead". */
  readonly manifests: string;
}

export interface ValueRules {
  /** YAML documents that count in a file of values. */
  readonly documents: "first" | "all";
  /** Whether null in a chart's values.yaml is kept as a value. If false, null removes the key. */
  readonly keepsNullDefaults: boolean;
  /** Whether --set-json accepts a JSON object, which is merged into the values. */
  readonly setsJsonObjects: boolean;
  /** Whether a text of --set may end within an index, such as "a=1,b[0". The unfinished part then has no effect. */
  readonly mayEndInIndex: boolean;
}

export interface LoadingRules {
  /** Accepted values of `apiVersion` in the Chart.yaml of the root chart; undefined if every value is accepted. */
  readonly apiVersions?: readonly string[];
  /** Whether an error names the packed chart in which a packed dependency has no valid gzip header. */
  readonly namesFileOfBadHeader: boolean;
  /** Maximum size of a file of a chart, in bytes. */
  readonly fileBytes: number;
}
