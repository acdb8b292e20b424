export { approvalPauseMs, describeApproval, isApproved } from "./approval.ts";
export { conditionsAfterJob, driftCondition } from "./drift-condition.ts";
export { isTakenOver, warnOfEmptyStatuses } from "./empty-status.ts";
export { checkManifestDrift, planManifests } from "./inspect-target.ts";
export type { Inspection, ManifestDrift } from "./inspect-target.ts";
export { withHeldBack } from "./held-back-preview.ts";
export { listBriefly } from "./list-briefly.ts";
export type { ManifestConfig } from "./manifest-config.ts";
export { troubleOf } from "./trouble-of.ts";
export {
  createManifestDeployer,
  checkManifestRemovals,
  deployManifests,
  leaveObjects,
  manifestDeployItemType,
  scheduleOf,
  uninstallManifests,
} from "./manifest-deployer.ts";
export { ownerOf } from "./owner-of.ts";
export {
  addDeployerRules,
  configError,
  joinIgnoreFields,
  parseExports,
  parseReadiness,
} from "./parse-manifest-config.ts";
export { readInventory } from "./provider-status.ts";
export { checkSecretFields, secretNameError } from "./secret-names.ts";
export { applyManagerOf } from "./server-side.ts";
export { settleDeletion } from "./settle-deletion.ts";
export { takenOver, takeOverOf } from "./take-over-of.ts";
