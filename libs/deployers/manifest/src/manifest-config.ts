import type {
  ContinuousReconcile,
  DeletionGroup,
  DriftMode,
  KubeObject,
  ServerSideApply,
  UpdateStrategy,
} from "@landscaper/api";
import type { Export, IgnoreRule, Manifest, PlanSecrets, ReadinessChecks } from "@landscaper/resources";

/** The configuration of a manifest item in the form that the deployer works with, whatever version it was written in. */
export interface ManifestConfig {
  readonly updateStrategy: UpdateStrategy;
  readonly serverSideApply: ServerSideApply | undefined;
  /** Jobs wait until what they would change is approved. */
  readonly requireApproval: boolean;
  readonly driftDetection: DriftMode;
  /** Of the item and of the deployer. */
  readonly ignoreFields: readonly IgnoreRule[];
  /** Lists are expanded. */
  readonly manifests: readonly Manifest[];
  readonly readinessChecks: ReadinessChecks | undefined;
  readonly exports: readonly Export[];
  readonly deletionGroups: readonly DeletionGroup[] | undefined;
  readonly deletionGroupsDuringUpdate: readonly DeletionGroup[] | undefined;
  readonly continuousReconcile: ContinuousReconcile | undefined;
  /** Whether names, namespaces and kinds of objects may derive from secrets. Default false. */
  readonly allowSecretNames?: boolean | undefined;
  /** What plans must not show; for deployers that make manifests of something else. Default: what the item says. */
  readonly planSecrets?: PlanSecrets | undefined;
  /** Names under which the objects may have been written or applied before; for deployers that make manifests of something else. */
  readonly formerManagers?: readonly string[] | undefined;
  /** Whether an object that no item has marked is the item's by another mark; for deployers that make manifests of something else. */
  readonly formerMark?: ((object: KubeObject) => boolean) | undefined;
  /** Labels that every object gets beside that of the item; for deployers that make manifests of something else. */
  readonly extraLabels?: Readonly<Record<string, string>> | undefined;
}
