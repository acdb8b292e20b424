export { applyManifests } from "./apply/apply-manifests.ts";
export { findAddressable } from "./apply/find-addressable.ts";
export type { ApplyOptions, ApplyResult, ServerSideOptions } from "./apply/apply-manifests.ts";
export { awaitObject } from "./readiness/awaited-objects.ts";
export type { AwaitedObjects } from "./readiness/awaited-objects.ts";
export { describeTextProblems, findTextProblems } from "./manifests/find-text-problems.ts";
export { checkManifest } from "./manifests/check-manifest.ts";
export { groupByKind } from "./manifests/group-by-kind.ts";
export { encodeStringData } from "./apply/string-data.ts";
export { isCustomResourceDefinition, isNamespace } from "./manifests/group-manifests.ts";
export type { ManifestProblem } from "./manifests/check-manifest.ts";
export { checkReadiness, compileChecks } from "./readiness/check-readiness.ts";
export type { ReadinessChecks, ReadinessOptions, ReadinessReport } from "./readiness/check-readiness.ts";
export { collectExports, collectValues } from "./collect-exports.ts";
export type { Export, ExportOptions, ExportResult } from "./collect-exports.ts";
export type { CheckedResource, CustomCheck } from "./readiness/custom-check.ts";
export { checkRemovals } from "./deletion/check-removals.ts";
export type { PlannedRemoval } from "./deletion/check-removals.ts";
export { planRemovals } from "./deletion/plan-removals.ts";
export { compareObjects } from "./comparison/compare-objects.ts";
export { deleteResources } from "./deletion/delete-resources.ts";
export type { DeletionOptions, DeletionResult } from "./deletion/delete-resources.ts";
export { correctDrift, describeDrifts, detectDrift } from "./comparison/detect-drift.ts";
export type { Drift, DriftReport } from "./comparison/detect-drift.ts";
export { isExpiring } from "./comparison/expiring-objects.ts";
export { mergeExports } from "./exported-values.ts";
export { leaveKeptFields } from "./fields/find-kept-fields.ts";
export type { IgnoreRule } from "./fields/ignore-rules.ts";
export { nothingSecret, secretsAt, secretsBut, type SentSecrets } from "./cluster/sent-secrets.ts";
export { createDryRunCluster } from "./comparison/dry-run-client.ts";
export { expandManifests } from "./manifests/expand-manifests.ts";
export { findDuplicates, warnOfDuplicates, type PlacedObject } from "./manifests/duplicates.ts";
export { warnOfManifests } from "./manifests/warn-of-manifests.ts";
export type { FieldChange } from "./comparison/field-diff.ts";
export { formatPlan, summarizePlan } from "./comparison/format-plan.ts";
export { confirmInventory, findOrphans, planInventory, surelyAddressable } from "./manifests/inventory.ts";
export { crdTypes, isEstablished } from "./apply/custom-resource-definitions.ts";
export { HealthChecker } from "./health/health-checker.ts";
export { EmptyStatuses, type EmptyStatusRules, type ReadyWithoutStatus } from "./readiness/empty-statuses.ts";
export { diagnoseWorkload } from "./readiness/diagnose-workload.ts";
export type { UnstructuredType } from "./cluster/discovery.ts";
export { mapBounded } from "./map-bounded.ts";
export { fieldAt, isJsonObject } from "./json-value.ts";
export { compileFieldPath } from "./kube-json-path.ts";
export { handOverFields, originalManagers } from "./apply/managed-fields.ts";
export type { FieldManagers } from "./apply/managed-fields.ts";
export type { AppliedObject, ManagedResource, Manifest } from "./manifests/manifest.ts";
export {
  isOwnedBy,
  namePattern,
  judgeOwnership,
  ownerAnnotations,
  ownerLabelValue,
  withoutOwnerMark,
} from "./cluster/owner-label.ts";
export type { ItemIdentity, OwnerLabel, Ownership } from "./cluster/owner-label.ts";
export { judgeTakeOver, ownedByOther } from "./cluster/take-over.ts";
export type { OwnerState, TakeOver } from "./cluster/take-over.ts";
export { patchAfterDeployment } from "./apply/patch-after-deployment.ts";
export { planDiff } from "./comparison/plan-diff.ts";
export { unknownSecrets, type PlanSecrets } from "./comparison/plan-secrets.ts";
export type { ObjectChange, PlanOptions } from "./comparison/plan-diff.ts";
export { pauseFor } from "./apply/pause-for.ts";
export { combineFailures, lostAgain, resourceFailure } from "./cluster/resource-failure.ts";
export { formatResource, idsOf, keyOfReference, referenceTo, resourceId } from "./cluster/resource-reference.ts";
export type { ResourceReference } from "./cluster/resource-reference.ts";
export { settleServerApply } from "./apply/settle-server-apply.ts";
export { settleObject } from "./apply/settle-object.ts";
export type { SettleOptions } from "./apply/settle-object.ts";
export {
  createTargetCluster,
  findLive,
  findType,
  locateType,
  locateTypeOrNone,
  workWhereServed,
} from "./cluster/target-cluster.ts";
export type { TargetCluster } from "./cluster/target-cluster.ts";
export { checkForHelm, type HelmWait } from "./readiness/helm-wait.ts";
export { checkWorkload } from "./readiness/workload-readiness.ts";
export { selectorOf } from "./readiness/workload-pods.ts";
export { WorkloadTroubles } from "./readiness/workload-troubles.ts";
export type { ObjectWrite } from "./apply/write-object.ts";
