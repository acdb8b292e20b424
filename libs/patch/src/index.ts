export { isDeepEqual } from "./is-deep-equal.ts";
export { applyJsonPatch } from "./json-patch.ts";
export type { JsonPatchOperation } from "./json-patch.ts";
export { applyMergePatch, createMergePatch } from "./merge-patch.ts";
export { PatchError } from "./patch-error.ts";
export type { PatchErrorStatus } from "./patch-error.ts";
export { applyStrategicMergePatch } from "./strategic-merge-patch.ts";
export { hasStrategicSchema } from "./strategic-schema.ts";
