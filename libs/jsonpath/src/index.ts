export { compileJsonPath, maxPathValues, startPathBudget } from "./compile-json-path.ts";
export type { JsonPath, JsonPathOptions } from "./compile-json-path.ts";
export { formatResults } from "./format-results.ts";
export { JsonPathError } from "./json-path-error.ts";
