import type {
  ChartSource,
  ContinuousReconcile,
  DeletionGroup,
  DriftMode,
  HelmProviderConfiguration,
  JsonPath,
  ServerSideApply,
  UpdateStrategy,
} from "@landscaper/api";
import type { HelmVersion } from "@landscaper/helm";
import type { Float64Object } from "@landscaper/json";
import type { PostRender } from "./post-render/post-render-config.ts";
import type { Remediations } from "./remediation/remediation-config.ts";
import type { ValuesReference } from "./values/values-reference.ts";
import type { Export, IgnoreRule, ReadinessChecks } from "@landscaper/resources";

/** The configuration of a helm item in the form that the deployer works with. */
export interface HelmConfig {
  readonly name: string;
  readonly namespace: string;
  /** Version of Helm that the item sets. Undefined if the release keeps its version. */
  readonly helmVersion: HelmVersion | undefined;
  /** Version of Helm for new releases, from the configuration of the deployer. */
  readonly defaultHelmVersion?: HelmVersion | undefined;
  readonly chart: ChartSource;
  readonly createNamespace: boolean;
  /** Plain JSON, an object; with what `valuesFrom` gives once that has been read (`withValues`). */
  readonly values: Float64Object;
  /** The same for templates: what `--set` would make an integer is a bigint. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly valuesFrom: readonly ValuesReference[];
  /** What `valuesFrom` has given, and tokens that were sealed: no message or log may tell it. */
  readonly secrets: readonly unknown[];
  /** JSON Pointers into `values` of what derives from secrets; undefined where the core does not say it. */
  readonly secretPaths: readonly JsonPath[] | undefined;
  /** Whether names, namespaces and kinds of objects may derive from secrets. Default false. */
  readonly allowSecretNames?: boolean | undefined;
  /** Of the release. The value "null" removes a label. */
  readonly labels: Readonly<Record<string, string>>;
  readonly postRender: PostRender | undefined;
  /** A Helm release; otherwise rendered manifests. */
  readonly isRelease: boolean;
  readonly options: NonNullable<HelmProviderConfiguration["helmDeploymentConfig"]>;
  readonly remediations: Remediations;
  readonly hooks: "refuse" | "run" | "apply" | "skip";
  /**
   * A release knows "apply"; every other strategy is the three-way merge for it. Undefined: the item sets none. A release then keeps the method
   * of its previous revision, and manifests are updated.
   */
  readonly updateStrategy: UpdateStrategy | undefined;
  readonly serverSideApply: ServerSideApply | undefined;
  /** Jobs wait until what they would change is approved. */
  readonly requireApproval: boolean;
  readonly driftDetection: DriftMode;
  /** Of the item and of the deployer. */
  readonly ignoreFields: readonly IgnoreRule[];
  readonly readinessChecks: ReadinessChecks | undefined;
  /** From objects of the target. */
  readonly exports: readonly Export[];
  /** From what the templates are rendered with. */
  readonly valueExports: readonly ValueExport[];
  readonly deletionGroups: readonly DeletionGroup[] | undefined;
  readonly deletionGroupsDuringUpdate: readonly DeletionGroup[] | undefined;
  readonly continuousReconcile: ContinuousReconcile | undefined;
}

export interface ValueExport {
  readonly key: string;
  readonly jsonPath: string;
}
