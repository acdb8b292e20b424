export { decideRelease, type ReleaseDecision } from "./decide-release.ts";
export {
  createRollback,
  createUninstall,
  Deployment,
  type DeploymentContent,
  type DeploymentOptions,
} from "./deployment.ts";
export type { CrdPolicy } from "./install-crds.ts";
export type { RevisionContent } from "./new-revision.ts";
export type { ReleaseContext, ReleaseWait } from "./release-context.ts";
export { checkOwned, isKept, markOwned, type ReleaseName } from "./ownership.ts";
export { locateObjects, parseManifest, type ReleaseObject } from "./release-objects.ts";
export type { HookRecord, ReleaseInfo, ReleaseRecord, ReleaseStatus } from "./release-record.ts";
export { ReleaseStore, type ReleaseDriver, type ReleaseStoreOptions } from "./release-store.ts";
export { ReleaseTest } from "./release-test.ts";
export type { RollOut, RollOutOptions } from "./roll-out.ts";
export type { Uninstall, UninstallOptions } from "./uninstall.ts";
