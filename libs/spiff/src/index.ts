export {
  createSpiff,
  type Spiff,
  type SpiffDocument,
  type SpiffExecution,
  type SpiffFeature,
  type SpiffMerge,
  type SpiffOptions,
  type SpiffResult,
} from "./create-spiff.ts";
export type { BudgetLimits } from "./evaluate/budget.ts";
export { spiffFunctionNames } from "./functions/function-names.ts";
export type { PlainFunction } from "./functions/create-functions.ts";
export { readAllYaml as readAllSpiffYaml, readYaml as readSpiffYaml } from "./document/read-yaml.ts";
export { SpiffError, type UnresolvedNode } from "./spiff-error.ts";
export type { NumberMode } from "./value/from-plain.ts";
export { yamlText } from "./output/yaml-text.ts";
export { SpiffCache } from "./spiff-cache.ts";
