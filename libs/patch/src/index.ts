export { isDeepEqual } from "./is-deep-equal.ts";
export { cloneJson, cloneObject } from "./json-object.ts";
export { applyJsonPatch } from "./json-patch.ts";
export type { JsonPatchOperation } from "./json-patch.ts";
export { applyMergePatch, createMergePatch } from "./merge-patch.ts";
export { PatchError } from "./patch-error.ts";
export type { PatchErrorStatus } from "./patch-error.ts";
export { createThreeWayPatch } from "./three-way/create-three-way-patch.ts";
export type { ThreeStates, ThreeWayPatch } from "./three-way/create-three-way-patch.ts";
export { applyStrategicMergePatch } from "./strategic-merge-patch.ts";
export { hasStrategicSchema } from "./strategic-schema.ts";
export { applyConfig } from "./managed-fields/apply-config.ts";
export type { AppliedConfig, AppliedResult } from "./managed-fields/apply-config.ts";
export { applyAsServer } from "./managed-fields/apply-for-kubectl.ts";
export { ApplyConflict } from "./managed-fields/apply-conflict.ts";
export type { ConflictCause, ManagerConflict } from "./managed-fields/apply-conflict.ts";
export { FieldVersionError } from "./managed-fields/field-ownership.ts";
export type { ManagedKind, ManagedVersion } from "./managed-fields/field-ownership.ts";
export { deducedSchema } from "./managed-fields/field-schema.ts";
export type { FieldSchema, ListKey, ListSchema, MapSchema } from "./managed-fields/field-schema.ts";
export {
  emptyFieldSet,
  fieldPath,
  formatFieldPaths,
  hasPath,
  intersectSets,
  parseFieldsV1,
  subtractSets,
  unionSets,
} from "./managed-fields/field-set.ts";
export type { FieldSet } from "./managed-fields/field-set.ts";
export { readManagedFields } from "./managed-fields/managed-entries.ts";
export type { ManagedFieldsEntry, Writer } from "./managed-fields/managed-entries.ts";
export { takeFields } from "./managed-fields/take-fields.ts";
export { trackUpdate } from "./managed-fields/track-update.ts";
export type { TrackedWrite } from "./managed-fields/track-update.ts";
export { formatTypeProblems, typeProblems } from "./managed-fields/validate-typed.ts";
