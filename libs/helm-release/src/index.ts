export {
  compareRevisions,
  emptyRevision,
  type ComparedRevision,
  type HookChange,
  type RevisionComparison,
} from "./objects/compare-revisions.ts";
export { createNamespace, type CreateNamespaceOptions } from "./objects/create-namespace.ts";
export { currentRevision, decideRelease, isPending, lastGood, type ReleaseDecision } from "./records/decide-release.ts";
export { createRollback, type RollbackPlan } from "./create-rollback.ts";
export { createUninstall } from "./create-uninstall.ts";
export { Deployment, type DeploymentContent, type DeploymentOptions } from "./deployment.ts";
export type { CrdPolicy } from "./objects/install-crds.ts";
export { readCapabilities } from "./objects/live-capabilities.ts";
export { liveLookup } from "./objects/live-lookup.ts";
export { Patience } from "./records/patience.ts";
export { applyMethodOf, inheritedMethod, type ApplyMethod } from "./records/apply-method.ts";
export { recordAbandoned, type Abandoned } from "./records/record-abandoned.ts";
export type { RevisionContent } from "./records/new-revision.ts";
export type { ReleaseContext, ReleaseWait } from "./release-context.ts";
export { checkOwned, isKept, isMarked, isOfAnotherRelease, markOwned, type ReleaseName } from "./objects/ownership.ts";
export { previewRevision, type PreviewOptions } from "./objects/preview-revision.ts";
export { inventoryOfRelease } from "./objects/release-inventory.ts";
export { definitionIds, isDefinition, parseCrdFiles, storedCrds } from "./objects/crd-files.ts";
export {
  locateObjects,
  parseManifest,
  parseManifests,
  parsePlacedManifest,
  type ReleaseObject,
} from "./objects/release-objects.ts";
export { systemLabels, type LabelChanges } from "./records/release-labels.ts";
export type { HookRecord, ReleaseInfo, ReleaseRecord, ReleaseStatus } from "./records/release-record.ts";
export { ReleaseStore, type ReleaseDriver, type ReleaseStoreOptions } from "./records/release-store.ts";
export { ReleaseTest } from "./hooks/release-test.ts";
export { previewRestoration, Restoration, type RestorationOptions } from "./restoration.ts";
export type { RollOut, RollOutOptions } from "./roll-out.ts";
export { placeObjects } from "./objects/place-objects.ts";
export { isSameContent, type RevisionTexts } from "./objects/same-content.ts";
export { helmVersionOf } from "./records/helm-version-of.ts";
export { type HookOperation, type StandaloneContext, StandaloneHooks } from "./hooks/standalone-hooks.ts";
export type { Uninstall, UninstallOptions } from "./uninstall.ts";
