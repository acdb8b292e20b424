export {
  compareRevisions,
  emptyRevision,
  type ComparedRevision,
  type HookChange,
  type RevisionComparison,
} from "./compare-revisions.ts";
export { createNamespace, type CreateNamespaceOptions } from "./create-namespace.ts";
export { currentRevision, decideRelease, isPending, lastGood, type ReleaseDecision } from "./decide-release.ts";
export { createRollback, type RollbackPlan } from "./create-rollback.ts";
export { createUninstall } from "./create-uninstall.ts";
export { Deployment, type DeploymentContent, type DeploymentOptions } from "./deployment.ts";
export type { CrdPolicy } from "./install-crds.ts";
export { readCapabilities } from "./live-capabilities.ts";
export { liveLookup } from "./live-lookup.ts";
export { Patience } from "./patience.ts";
export { recordAbandoned, type Abandoned } from "./record-abandoned.ts";
export type { RevisionContent } from "./new-revision.ts";
export type { ReleaseContext, ReleaseWait } from "./release-context.ts";
export { checkOwned, isKept, markOwned, type ReleaseName } from "./ownership.ts";
export { previewRevision, type PreviewOptions } from "./preview-revision.ts";
export { inventoryOfRelease } from "./release-inventory.ts";
export { locateObjects, parseManifest, type ReleaseObject } from "./release-objects.ts";
export type { HookRecord, ReleaseInfo, ReleaseRecord, ReleaseStatus } from "./release-record.ts";
export { ReleaseStore, type ReleaseDriver, type ReleaseStoreOptions } from "./release-store.ts";
export { ReleaseTest } from "./release-test.ts";
export type { RollOut, RollOutOptions } from "./roll-out.ts";
export { type HookOperation, type StandaloneContext, StandaloneHooks } from "./standalone-hooks.ts";
export type { Uninstall, UninstallOptions } from "./uninstall.ts";
